-- What came from elsewhere: proposals that wait for a decision, where plans and administrations
-- came from, files that are being looked at.

-- source_key: the first identifier as system|value, else the resource's address, else its digest.
-- kind: new, changed or stopped. state: open, accepted, declined or outdated.
-- plan: the plan that it concerns, or that it became. resource: the MedicationRequest as R4.
-- source_updated: meta.lastUpdated at the source. seen: when a stop was read by the person.
CREATE TABLE proposals (
  patient TEXT NOT NULL,
  proposal TEXT NOT NULL,
  source TEXT NOT NULL,
  source_key TEXT NOT NULL,
  other_keys TEXT NOT NULL,
  source_updated BIGINT,
  kind TEXT NOT NULL,
  resource TEXT NOT NULL,
  digest TEXT NOT NULL,
  plan TEXT,
  state TEXT NOT NULL,
  created BIGINT NOT NULL,
  created_by TEXT NOT NULL,
  decided BIGINT,
  decided_by TEXT,
  seen BIGINT,
  PRIMARY KEY (patient, proposal)
);

CREATE INDEX proposals_by_key ON proposals (patient, source_key);
CREATE INDEX proposals_by_plan ON proposals (patient, plan);
CREATE INDEX proposals_open ON proposals (patient, created) WHERE state = 'open';

-- Under which identifiers and addresses other systems know a plan.
CREATE TABLE plan_sources (
  patient TEXT NOT NULL,
  source_key TEXT NOT NULL,
  plan TEXT NOT NULL,
  PRIMARY KEY (patient, source_key)
);

-- request_key: the prescription that it answers, as its source names it; plan: once that is a plan.
CREATE TABLE imported_administrations (
  patient TEXT NOT NULL,
  source_key TEXT NOT NULL,
  administration TEXT NOT NULL,
  digest TEXT NOT NULL,
  request_key TEXT,
  plan TEXT,
  PRIMARY KEY (patient, source_key)
);

CREATE INDEX imported_administrations_by_request ON imported_administrations
  (patient, request_key) WHERE plan IS NULL;

-- A file between its upload and the decision about it, in pieces; removed after a day at most.
CREATE TABLE import_uploads (
  patient TEXT NOT NULL,
  upload TEXT NOT NULL,
  piece BIGINT NOT NULL,
  account TEXT NOT NULL,
  file_name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient, upload, piece)
);

CREATE INDEX import_uploads_by_age ON import_uploads (created);
