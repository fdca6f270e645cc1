-- FHIR resources in force. A deleted resource has no row here, only versions.
CREATE TABLE resources (
  type TEXT NOT NULL,
  patient TEXT NOT NULL,
  id TEXT NOT NULL,
  version BIGINT NOT NULL,
  last_updated BIGINT NOT NULL,
  status TEXT,
  operation TEXT NOT NULL,
  actor TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (type, patient, id)
);

-- Which patient an id belongs to; an id is never given to another patient.
CREATE TABLE resource_keys (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  patient TEXT NOT NULL,
  PRIMARY KEY (type, id)
);

-- Versions that were superseded, and deletions (without a body). Rows are only ever added.
CREATE TABLE resource_versions (
  type TEXT NOT NULL,
  patient TEXT NOT NULL,
  id TEXT NOT NULL,
  version BIGINT NOT NULL,
  last_updated BIGINT NOT NULL,
  operation TEXT NOT NULL,
  actor TEXT NOT NULL,
  body TEXT,
  PRIMARY KEY (type, patient, id, version)
);

-- Who has looked at whom before: a first look waits for its audit row.
CREATE TABLE first_looks (
  patient TEXT NOT NULL,
  actor TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (patient, actor)
);
