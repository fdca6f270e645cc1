-- Imports: proposals, sources of plans, uploaded files, and connections to hospitals.

-- A prescription from elsewhere that waits for a decision.
CREATE TABLE proposals (
  patient TEXT NOT NULL,
  proposal TEXT NOT NULL,
  source TEXT NOT NULL,
  source_key TEXT NOT NULL, -- the first identifier as system|value, else the resource's address, else its digest
  other_keys TEXT NOT NULL,
  source_updated INTEGER, -- meta.lastUpdated at the source
  kind TEXT NOT NULL CHECK (kind IN ('new', 'changed', 'stopped')),
  resource TEXT NOT NULL, -- the MedicationRequest as R4
  digest TEXT NOT NULL,
  plan TEXT, -- the plan that it concerns, or became
  state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'outdated')),
  created INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  decided INTEGER,
  decided_by TEXT,
  seen INTEGER, -- when a stop was read by the person
  PRIMARY KEY (patient, proposal),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((decided IS NULL) = (decided_by IS NULL)),
  CHECK ((decided IS NULL) = (state = 'open'))
) STRICT;

CREATE INDEX proposals_by_key ON proposals (patient, source_key);
CREATE INDEX proposals_by_plan ON proposals (patient, plan);
CREATE INDEX proposals_open ON proposals (patient, created) WHERE state = 'open';

-- A severe finding that a practitioner confirmed having seen before sending a prescription.
CREATE TABLE prescription_warnings (
  patient TEXT NOT NULL,
  proposal TEXT NOT NULL,
  warning TEXT NOT NULL,
  confirmed INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, proposal, warning),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- An identifier or address under which another system knows a plan.
CREATE TABLE plan_sources (
  patient TEXT NOT NULL,
  source_key TEXT NOT NULL,
  plan TEXT, -- NULL: two plans share the key, so it leads to neither
  PRIMARY KEY (patient, source_key),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

CREATE INDEX plan_sources_by_plan ON plan_sources (patient, plan);

-- An administration that came from elsewhere.
CREATE TABLE imported_administrations (
  patient TEXT NOT NULL,
  source_key TEXT NOT NULL,
  administration TEXT NOT NULL,
  digest TEXT NOT NULL,
  request_key TEXT, -- the prescription that it belongs to, as its source names it
  plan TEXT, -- once that is a plan
  PRIMARY KEY (patient, source_key),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX imported_administrations_by_record ON imported_administrations (patient, administration);
CREATE INDEX imported_administrations_by_request ON imported_administrations (patient, request_key)
  WHERE plan IS NULL;

-- A file between its upload and the decision about it, in pieces; removed after a day at most.
CREATE TABLE import_uploads (
  patient TEXT NOT NULL,
  upload TEXT NOT NULL,
  piece INTEGER NOT NULL CHECK (piece >= 0),
  account TEXT NOT NULL,
  file_name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, upload, piece),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX import_uploads_by_age ON import_uploads (created);

-- A table of medicines that was imported and can be undone.
CREATE TABLE table_imports (
  patient TEXT NOT NULL,
  import TEXT NOT NULL,
  file_name TEXT NOT NULL,
  made INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  keys TEXT NOT NULL, -- what the table added, one key per line
  taken_back INTEGER,
  taken_back_account TEXT,
  PRIMARY KEY (patient, import),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((taken_back IS NULL) = (taken_back_account IS NULL))
) STRICT;

-- A connection to the FHIR server of a hospital. It stays, revoked, when the account that made it goes.
CREATE TABLE hospital_connections (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  account TEXT NOT NULL, -- who connected it
  base TEXT NOT NULL,
  label TEXT NOT NULL,
  version TEXT NOT NULL CHECK (version IN ('R4', 'DSTU2')),
  access TEXT NOT NULL CHECK (access IN ('open', 'token', 'smart')),
  credentials_sealed BLOB,
  identity TEXT NOT NULL, -- what the server says about itself
  types TEXT NOT NULL,
  person TEXT, -- who was chosen there, as JSON
  state TEXT NOT NULL CHECK (state IN ('choosing', 'working', 'expired', 'revoked', 'refused')),
  trouble TEXT, -- code of the last failure
  accepts TEXT NOT NULL CHECK (accepts IN ('ask', 'changes', 'all')), -- what is imported without asking
  writes_since INTEGER, -- since when answers are sent
  planned_until INTEGER, -- up to when they were queued
  created INTEGER NOT NULL,
  synced INTEGER,
  tried INTEGER,
  next_at INTEGER NOT NULL, -- when to fetch again; the end of the lease while it is claimed
  attempt INTEGER NOT NULL CHECK (attempt >= 0), -- fences results
  failures INTEGER NOT NULL CHECK (failures >= 0),
  forced INTEGER CHECK (forced IN (0, 1)), -- 1 where someone asked for it
  identified INTEGER,
  PRIMARY KEY (patient, connection),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX hospital_connections_by_id ON hospital_connections (connection);
CREATE INDEX hospital_connections_by_next ON hospital_connections (next_at) WHERE state = 'working';
CREATE INDEX hospital_connections_writing ON hospital_connections (patient) WHERE writes_since IS NOT NULL;

-- How far a resource type was fetched.
CREATE TABLE hospital_marks (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  type TEXT NOT NULL,
  since INTEGER, -- the latest lastUpdated seen
  tag TEXT, -- of the page at address
  address TEXT,
  PRIMARY KEY (patient, connection, type),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;

-- A medicine that prescriptions refer to, by its id there.
CREATE TABLE hospital_medicines (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  medicine TEXT NOT NULL,
  body TEXT NOT NULL,
  tag TEXT,
  fetched INTEGER NOT NULL,
  PRIMARY KEY (patient, connection, medicine),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;

-- A sign-in at a hospital that is under way.
CREATE TABLE hospital_visits (
  patient TEXT NOT NULL,
  state_hash BLOB NOT NULL,
  browser_hash BLOB NOT NULL,
  connection TEXT NOT NULL,
  account TEXT NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (patient, state_hash),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;

CREATE INDEX hospital_visits_by_connection ON hospital_visits (patient, connection);
CREATE INDEX hospital_visits_by_state ON hospital_visits (state_hash);

-- An answer on its way to a hospital: one row for each administration and connection.
CREATE TABLE hospital_outbox (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  administration TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 0), -- of the record, as it should be there
  remote_id TEXT, -- its id there
  state TEXT NOT NULL CHECK (state IN ('waiting', 'reached', 'refused', 'none')), -- none: it is not the hospital's
  next_try INTEGER NOT NULL, -- when it may be claimed; the end of the lease while it is claimed
  attempt INTEGER NOT NULL CHECK (attempt >= 0), -- fences results
  tries INTEGER NOT NULL CHECK (tries >= 0), -- since it last changed
  trouble TEXT, -- code of the last failure
  words TEXT, -- what the hospital said about it
  reached INTEGER,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, connection, administration),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;

CREATE INDEX hospital_outbox_to_send ON hospital_outbox (next_try) WHERE state = 'waiting';
