-- The audit trail: who did what to whose data, one hash chain per node.
CREATE TABLE audit (
  node TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  at BIGINT NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL,
  patient TEXT,
  resource TEXT NOT NULL,
  resource_id TEXT,
  version BIGINT,
  purpose TEXT NOT NULL,
  outcome TEXT NOT NULL,
  count BIGINT NOT NULL,
  hash BLOB NOT NULL,
  mac BLOB NOT NULL,
  key_id TEXT NOT NULL,
  PRIMARY KEY (node, sequence)
);

CREATE INDEX audit_by_patient ON audit (patient, at);

-- The last link of each chain, so that a cut tail is found.
CREATE TABLE audit_heads (
  node TEXT NOT NULL,
  sequence BIGINT NOT NULL,
  hash BLOB NOT NULL,
  mac BLOB NOT NULL,
  key_id TEXT NOT NULL,
  PRIMARY KEY (node)
);
