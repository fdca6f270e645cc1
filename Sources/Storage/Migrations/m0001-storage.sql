-- Storage: the audit trail, secrets, backups and what belongs to the whole installation.
--
-- Rules for every file of the schema:
-- - Instants are milliseconds since 1970 UTC. A day is text, yyyy-MM-dd, on the clock of the person.
-- - A CHECK never compares two readings of the clock: a clock that is set back must not stop a write.
-- - A list in a CHECK is the raw values of the Swift enumeration that reads the column. Tables that are
--   written with every answer compare one by one, since SQLite builds a table in memory for an IN list.
-- - ON DELETE CASCADE leads from a person or an account to everything of theirs. A column that only
--   records who did something has no foreign key: it outlives the account.

-- Who did what with whose data: one hash chain per node, which proves the order of the rows. No foreign key: an
-- erasure leaves them.
CREATE TABLE audit (
  node TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind = 'create' OR kind = 'read' OR kind = 'update' OR kind = 'delete' OR kind = 'search' OR
      kind = 'sign-in' OR kind = 'sign-out' OR kind = 'answer' OR kind = 'export' OR kind = 'print' OR
      kind = 'break-glass' OR kind = 'administration'),
  patient TEXT,
  resource TEXT NOT NULL,
  resource_id TEXT,
  version INTEGER,
  purpose TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('success', 'denied')),
  count INTEGER NOT NULL CHECK (count >= 0), -- how many reads the row stands for
  hash BLOB NOT NULL,
  mac BLOB NOT NULL,
  key_id TEXT NOT NULL,
  digest BLOB, -- keyed digest of the record's version that the row is about
  PRIMARY KEY (node, sequence)
) STRICT;

CREATE INDEX audit_by_patient ON audit (patient, at);

-- The last link of each chain: a chain that was cut off is recognized by it.
CREATE TABLE audit_heads (
  node TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  hash BLOB NOT NULL,
  mac BLOB NOT NULL,
  key_id TEXT NOT NULL,
  PRIMARY KEY (node)
) STRICT;

-- Keys of the installation for other services, such as web push; each is sealed.
CREATE TABLE secrets (
  name TEXT NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (name)
) STRICT;

-- The key for sealed fields that each running node uses: a key in use is not dropped.
CREATE TABLE node_keys (
  node TEXT NOT NULL,
  field_key TEXT NOT NULL,
  seen INTEGER NOT NULL,
  PRIMARY KEY (node)
) STRICT;

-- The outcome of each backup.
CREATE TABLE backups (
  backup TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('schedule', 'command')),
  started INTEGER NOT NULL,
  finished INTEGER NOT NULL,
  trouble TEXT, -- a code; NULL when the backup was written and read back
  place TEXT NOT NULL, -- path of the file
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  entries INTEGER NOT NULL CHECK (entries >= 0), -- number of rows
  PRIMARY KEY (backup)
) STRICT;

CREATE INDEX backups_by_end ON backups (finished);

-- The first response to a write with an Idempotency-Key, kept for 30 days.
CREATE TABLE idempotency (
  credential TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_digest BLOB NOT NULL,
  status INTEGER NOT NULL CHECK (status BETWEEN 100 AND 599),
  media_type TEXT NOT NULL,
  location TEXT,
  etag TEXT,
  last_modified TEXT,
  body BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (credential, method, path, idempotency_key)
) STRICT;

CREATE INDEX idempotency_by_age ON idempotency (created);

-- The version of each reader that has read everything stored: a newer one reads it again once.
CREATE TABLE readers (
  reader TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 0),
  PRIMARY KEY (reader)
) STRICT;

-- Settings of the whole server that were chosen on a page, such as the region.
CREATE TABLE server_choices (
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (name)
) STRICT;

-- The time zone files by which the doses of running plans were made.
CREATE TABLE zone_rules (
  zone TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (zone)
) STRICT;

-- The reminder engine's own clock: one row.
CREATE TABLE reminder_clock (
  clock INTEGER NOT NULL CHECK (clock = 1),
  tick INTEGER NOT NULL, -- the latest time that the engine saw
  began INTEGER NOT NULL, -- the first one
  PRIMARY KEY (clock)
) STRICT;
