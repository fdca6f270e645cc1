-- Tables of medicines that were taken over, so that each can be taken back. keys: what the table brought that was not
-- here before, a line each, as in plan_sources and imported_administrations.
CREATE TABLE table_imports (
  patient TEXT NOT NULL,
  import TEXT NOT NULL,
  file_name TEXT NOT NULL,
  made BIGINT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  keys TEXT NOT NULL,
  taken_back BIGINT,
  taken_back_account TEXT,
  PRIMARY KEY (patient, import)
);
