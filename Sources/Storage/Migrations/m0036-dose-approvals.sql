-- That a confirmed practitioner takes responsibility for a version of a dose table, by the fingerprint of what it said.
-- Nobody's patient data: it holds for the installation. Rows stay when it is withdrawn.
CREATE TABLE dose_approvals (
  dose_table TEXT NOT NULL,
  version BIGINT NOT NULL,
  account TEXT NOT NULL,
  approved BIGINT NOT NULL,
  by_name TEXT NOT NULL,
  content TEXT NOT NULL,
  withdrawn BIGINT,
  withdrawn_by TEXT,
  PRIMARY KEY (dose_table, version, account, approved)
);
