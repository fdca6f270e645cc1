-- People: the root of everything that is kept about a person. Deleting a row of this table erases the
-- person: every other table of a patient's data cascades from it, directly or through its owner.

-- A person whose medicines are kept: a projection of Patient, with settings that FHIR has no place for.
CREATE TABLE people (
  patient TEXT NOT NULL,
  display_name TEXT NOT NULL,
  zone TEXT NOT NULL, -- IANA identifier
  language TEXT NOT NULL,
  -- what notifications call the person by
  label TEXT NOT NULL DEFAULT 'initial' CHECK (label IN ('initial', 'colour', 'nickname')),
  nickname TEXT NOT NULL DEFAULT '',
  -- '' for none
  colour TEXT NOT NULL DEFAULT ''
    CHECK (colour IN ('', 'blue', 'green', 'yellow', 'orange', 'red', 'purple', 'pink', 'grey')),
  PRIMARY KEY (patient)
) STRICT;

-- The times of waking, meals and sleep that a person set.
CREATE TABLE daily_rhythm (
  patient TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('WAKE', 'CM', 'CD', 'CV', 'HS')),
  clock_time TEXT NOT NULL,
  PRIMARY KEY (patient, event),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- The photo of a person, re-encoded by this program.
CREATE TABLE person_photos (
  patient TEXT NOT NULL,
  photo TEXT NOT NULL, -- new with each photo
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height >= 1),
  bytes BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- People whose first page is the simple one: one question, two buttons.
CREATE TABLE simple_views (
  patient TEXT NOT NULL,
  account TEXT NOT NULL, -- who chose it
  since INTEGER NOT NULL,
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
