-- Connections to the FHIR servers of hospitals, and how far each was read.

-- account: whoever connected it. version: R4 or DSTU2. access: open, token or smart.
-- identity, types: what the server said of itself; person: who was chosen there, as JSON.
-- state: choosing, working, expired, revoked or refused. trouble: what went wrong last, by its code.
-- accepts: what is taken over without being asked: ask (nothing), changes, all.
-- writes_since: since when answers are sent; planned_until: up to when they were taken up.
-- next_at: when it is fetched from again, the end of the lease while it is; attempt fences the result.
-- forced: 1 where somebody asked for it.
CREATE TABLE hospital_connections (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  account TEXT NOT NULL,
  base TEXT NOT NULL,
  label TEXT NOT NULL,
  version TEXT NOT NULL,
  access TEXT NOT NULL,
  credentials_sealed BLOB,
  identity TEXT NOT NULL,
  types TEXT NOT NULL,
  person TEXT,
  state TEXT NOT NULL,
  trouble TEXT,
  accepts TEXT NOT NULL,
  writes_since BIGINT,
  planned_until BIGINT,
  created BIGINT NOT NULL,
  synced BIGINT,
  tried BIGINT,
  next_at BIGINT NOT NULL,
  attempt BIGINT NOT NULL,
  failures BIGINT NOT NULL,
  forced BIGINT,
  identified BIGINT,
  PRIMARY KEY (patient, connection)
);

CREATE UNIQUE INDEX hospital_connections_by_id ON hospital_connections (connection);
CREATE INDEX hospital_connections_by_next ON hospital_connections (next_at)
  WHERE state = 'working';
CREATE INDEX hospital_connections_writing ON hospital_connections (patient)
  WHERE writes_since IS NOT NULL;

-- How far a resource type was fetched. since: the latest lastUpdated seen; tag: of the page at address.
CREATE TABLE hospital_marks (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  type TEXT NOT NULL,
  since BIGINT,
  tag TEXT,
  address TEXT,
  PRIMARY KEY (patient, connection, type)
);

-- Medicines that prescriptions refer to, by their id there.
CREATE TABLE hospital_medicines (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  medicine TEXT NOT NULL,
  body TEXT NOT NULL,
  tag TEXT,
  fetched BIGINT NOT NULL,
  PRIMARY KEY (patient, connection, medicine)
);

-- Sign-ins at a hospital that are under way: digests of the state and of the browser's secret.
CREATE TABLE hospital_visits (
  patient TEXT NOT NULL,
  state_hash BLOB NOT NULL,
  browser_hash BLOB NOT NULL,
  connection TEXT NOT NULL,
  account TEXT NOT NULL,
  expires BIGINT NOT NULL,
  PRIMARY KEY (patient, state_hash)
);

CREATE INDEX hospital_visits_by_state ON hospital_visits (state_hash);
