-- Search: the values by which FHIR resources are found, and the resources that belong to no patient.
--
-- The index tables follow from the resources in force and can be built again at any time. A key is also the order of
-- a search, so each table needs no other index. Texts are cut or shortened before they are stored, because the key of
-- a row has a largest size.

-- Codes, identifiers and addresses. An address has no system.
CREATE TABLE record_tokens (
  patient TEXT NOT NULL,
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  code TEXT NOT NULL,
  system TEXT NOT NULL, -- '' without one
  id TEXT NOT NULL,
  PRIMARY KEY (patient, type, parameter, code, system, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- Finds a record by its identifier among all patients.
CREATE INDEX record_tokens_by_identifier ON record_tokens (type, code, system) WHERE parameter = 'identifier';

-- Names and other texts, without upper case and accents, and as they are written.
CREATE TABLE record_strings (
  patient TEXT NOT NULL,
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  folded TEXT NOT NULL,
  exact TEXT NOT NULL,
  place INTEGER NOT NULL CHECK (place >= 0), -- tells apart texts of a resource that differ only in case or accents
  id TEXT NOT NULL,
  PRIMARY KEY (patient, type, parameter, folded, id, place),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- Times and periods, in milliseconds since 1970; the end is the first millisecond after it.
CREATE TABLE record_dates (
  patient TEXT NOT NULL,
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  lower INTEGER NOT NULL,
  upper INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (patient, type, parameter, lower, upper, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- Quantities, and numbers, which have no unit: the range that the digits cover.
CREATE TABLE record_quantities (
  patient TEXT NOT NULL,
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  lower REAL NOT NULL,
  upper REAL NOT NULL,
  system TEXT NOT NULL,
  code TEXT NOT NULL,
  unit TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (patient, type, parameter, lower, upper, system, code, unit, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- References to other resources.
CREATE TABLE record_references (
  patient TEXT NOT NULL,
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  target_id TEXT NOT NULL,
  target_type TEXT NOT NULL, -- '' for a resource of another server, whose address is the id
  id TEXT NOT NULL,
  PRIMARY KEY (patient, type, parameter, target_id, target_type, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- How far the index tables are built, and by which rules.
CREATE TABLE record_index_state (
  entry INTEGER NOT NULL CHECK (entry = 1),
  version INTEGER NOT NULL CHECK (version >= 0),
  step INTEGER NOT NULL CHECK (step IN (0, 1, 2)), -- records of patients, shared resources, complete
  done_type TEXT NOT NULL, -- the last resource of this step that is in the index; '' before the first
  done_patient TEXT NOT NULL,
  done_id TEXT NOT NULL,
  PRIMARY KEY (entry)
) STRICT;

-- Resources in force that belong to no patient, such as professionals and medicines.
CREATE TABLE shared_resources (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  last_updated INTEGER NOT NULL,
  status TEXT,
  operation TEXT NOT NULL CHECK (operation IN ('create', 'update')),
  actor TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (type, id)
) STRICT;

-- Their superseded versions, and deletions, which have no body. Rows are only ever added.
CREATE TABLE shared_resource_versions (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  last_updated INTEGER NOT NULL,
  operation TEXT NOT NULL CHECK (operation = 'create' OR operation = 'update' OR operation = 'delete'),
  actor TEXT NOT NULL,
  body TEXT,
  PRIMARY KEY (type, id, version),
  CHECK ((body IS NULL) = (operation = 'delete'))
) STRICT;

-- The same index for resources that belong to no patient.
CREATE TABLE shared_tokens (
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  code TEXT NOT NULL,
  system TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (type, parameter, code, system, id)
) STRICT;

CREATE TABLE shared_strings (
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  folded TEXT NOT NULL,
  exact TEXT NOT NULL,
  place INTEGER NOT NULL CHECK (place >= 0),
  id TEXT NOT NULL,
  PRIMARY KEY (type, parameter, folded, id, place)
) STRICT;

CREATE TABLE shared_dates (
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  lower INTEGER NOT NULL,
  upper INTEGER NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (type, parameter, lower, upper, id)
) STRICT;

CREATE TABLE shared_quantities (
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  lower REAL NOT NULL,
  upper REAL NOT NULL,
  system TEXT NOT NULL,
  code TEXT NOT NULL,
  unit TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (type, parameter, lower, upper, system, code, unit, id)
) STRICT;

CREATE TABLE shared_references (
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  target_id TEXT NOT NULL,
  target_type TEXT NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (type, parameter, target_id, target_type, id)
) STRICT;
