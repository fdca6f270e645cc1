-- Search: the values by which FHIR resources are found, and the resources that belong to no patient.
--
-- The index follows from the resources in force and can be built again at any time.
--
-- It is one table for values of every kind, because each dose that is answered writes to it: one statement adds all
-- rows of a resource, and rows of the same patient, type and parameter lie together, so that a write changes few pages.
-- A table for each kind would cost a statement and the pages of another tree per kind.
--
-- A parameter of a type has values of one kind, which decides what the columns mean:
--
-- kind       value                           detail                                 lower, upper
-- ---------  ------------------------------  -------------------------------------  ------------------------------
-- token      the code                        its system; '' without one             0
-- uri        the address                     ''                                     0
-- reference  the id, or the address of a     the type; '' for a resource of         0
--            resource of another server      another server
-- string     the text without upper case     the text as written, its end replaced  0
--            and accents                     by a digest if it is long
-- date       ''                              ''                                     from this millisecond since 1970
--                                                                                   and before that one
-- number     ''                              ''                                     the range that the digits cover
-- quantity   the code of the unit;           the system of the code;                the range that the digits cover
--            '' without one                  '' without one
--
-- A quantity whose unit has a name other than its code has another row with the name as the value and without a detail,
-- so that a search for a unit without a system finds either in the same column. Times lie within 2^53 milliseconds of
-- 1970, which REAL holds exactly; an open end of a period is that far away.
--
-- The key has the order in which conditions use it: tokens, references and units are found by the value and then the
-- detail, texts and addresses by the start of the value, times by the lower end. So nothing but identifiers needs
-- another index. Texts are cut or shortened before they are stored, because a key has a largest size.

CREATE TABLE record_index (
  patient TEXT NOT NULL,
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  value TEXT NOT NULL,
  detail TEXT NOT NULL,
  lower REAL NOT NULL,
  upper REAL NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (patient, type, parameter, value, detail, lower, upper, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- Finds a record by its identifier among all patients.
CREATE INDEX record_index_by_identifier ON record_index (type, value, detail) WHERE parameter = 'identifier';

-- How far the index is built, and by which rules.
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
CREATE TABLE shared_index (
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  value TEXT NOT NULL,
  detail TEXT NOT NULL,
  lower REAL NOT NULL,
  upper REAL NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (type, parameter, value, detail, lower, upper, id)
) STRICT;
