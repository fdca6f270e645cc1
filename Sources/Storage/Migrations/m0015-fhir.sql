-- FHIR: pages of histories by index, and bulk exports that outlive a restart.

-- The versions of a type of everyone, the newest first. Only histories compare the expression with a type: with the
-- column itself, SQLite would take this index for a search of one patient, too, and read those of all others.
CREATE INDEX resources_by_time ON resources ((type || ''), last_updated, id, version);
CREATE INDEX resource_versions_by_time ON resource_versions ((type || ''), last_updated, id, version);

-- The same of resources that belong to no patient.
CREATE INDEX shared_resources_by_time ON shared_resources (type, last_updated, id, version);
CREATE INDEX shared_resource_versions_by_time ON shared_resource_versions (type, last_updated, id, version);

-- The older versions and deletions of a type of one patient, the newest first.
CREATE INDEX resource_versions_by_change ON resource_versions (patient, type, last_updated);

-- A bulk export that an account asked for. Its files are in the data folder of the server that made them.
CREATE TABLE export_jobs (
  job TEXT NOT NULL,
  account TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  trouble TEXT, -- code of the reason why it failed
  created INTEGER NOT NULL,
  written INTEGER NOT NULL CHECK (written >= 0), -- resources so far
  content_sealed BLOB NOT NULL, -- the request, the access of its sender, the key of the files, and the files
  leased_until INTEGER, -- the end of the attempt that is under way, unless it goes on
  attempt INTEGER NOT NULL CHECK (attempt >= 0), -- fences results
  PRIMARY KEY (job),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX export_jobs_by_account ON export_jobs (account);
