-- Records: FHIR resources with all their versions.

-- The patient that an id belongs to; an id is never given to another patient. The foreign key has no index: an
-- erasure reads the table once, and every record is spared a third index.
CREATE TABLE resource_keys (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  patient TEXT NOT NULL,
  PRIMARY KEY (type, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- FHIR resources in force. A deleted resource has no row here, only versions.
CREATE TABLE resources (
  type TEXT NOT NULL,
  patient TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  last_updated INTEGER NOT NULL,
  status TEXT,
  operation TEXT NOT NULL CHECK (operation IN ('create', 'update')),
  actor TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (type, patient, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX resources_by_change ON resources (patient, type, last_updated);

-- Superseded versions, and deletions, which have no body. Rows are only ever added.
CREATE TABLE resource_versions (
  type TEXT NOT NULL,
  patient TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  last_updated INTEGER NOT NULL,
  operation TEXT NOT NULL CHECK (operation = 'create' OR operation = 'update' OR operation = 'delete'),
  actor TEXT NOT NULL,
  body TEXT,
  PRIMARY KEY (patient, type, id, version),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((body IS NULL) = (operation = 'delete'))
) STRICT;

-- Who has looked at whom before: a first look waits for its audit row.
CREATE TABLE first_looks (
  patient TEXT NOT NULL,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (patient, actor),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
