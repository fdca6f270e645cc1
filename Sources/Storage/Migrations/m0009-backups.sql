-- What came of each backup. kind: schedule or command. trouble: NULL when it was made, and read back
-- whole; else a code. place: the path that it was written to. bytes, entries: its size and rows.
CREATE TABLE backups (
  backup TEXT NOT NULL PRIMARY KEY,
  kind TEXT NOT NULL,
  started BIGINT NOT NULL,
  finished BIGINT NOT NULL,
  trouble TEXT,
  place TEXT NOT NULL,
  bytes BIGINT NOT NULL,
  entries BIGINT NOT NULL
);

CREATE INDEX backups_by_end ON backups (finished);
