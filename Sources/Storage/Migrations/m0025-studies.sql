-- Studies: their files by version, who takes part with which consent, what left the server, and who may fetch it.

-- A study. It is closed, never deleted: its consents and exports stay on record.
CREATE TABLE studies (
  study TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1), -- the newest
  commitment TEXT NOT NULL, -- SHA-256 of the sealed seed of its allocation
  allocated INTEGER NOT NULL CHECK (allocated >= 0), -- places of the sequence that are used
  loaded INTEGER NOT NULL,
  closed INTEGER,
  PRIMARY KEY (study)
) STRICT;

-- A version of its file. People keep the version to which they consented.
CREATE TABLE study_versions (
  study TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  definition TEXT NOT NULL, -- the file
  loaded INTEGER NOT NULL,
  PRIMARY KEY (study, version),
  FOREIGN KEY (study) REFERENCES studies (study) ON DELETE CASCADE
) STRICT;

-- A person who takes part, or did.
CREATE TABLE study_participants (
  patient TEXT NOT NULL,
  study TEXT NOT NULL,
  pseudonym TEXT NOT NULL, -- random
  arm TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  joined INTEGER NOT NULL,
  withdrawn INTEGER,
  is_erased INTEGER NOT NULL CHECK (is_erased IN (0, 1)), -- nothing of the person is exported any more
  changes TEXT NOT NULL, -- JSON: the settings that the arm added, to take them back
  PRIMARY KEY (patient, study),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (study) REFERENCES studies (study) ON DELETE CASCADE,
  CHECK (is_erased = 0 OR withdrawn IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX study_participants_by_pseudonym ON study_participants (study, pseudonym);

-- A consent, signed by typing one's name after a new proof of identity.
CREATE TABLE study_consents (
  patient TEXT NOT NULL,
  study TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  signed INTEGER NOT NULL,
  language TEXT NOT NULL, -- in which it was read
  name TEXT NOT NULL, -- as typed
  account TEXT NOT NULL,
  PRIMARY KEY (patient, study, version),
  FOREIGN KEY (patient, study) REFERENCES study_participants (patient, study) ON DELETE CASCADE
) STRICT;

-- Data of a study that left the server, as its participants see it.
CREATE TABLE study_exports (
  study TEXT NOT NULL,
  export TEXT NOT NULL,
  made INTEGER NOT NULL,
  by_name TEXT NOT NULL,
  files TEXT NOT NULL, -- names, separated by spaces
  participants INTEGER NOT NULL CHECK (participants >= 0),
  PRIMARY KEY (study, export),
  FOREIGN KEY (study) REFERENCES studies (study) ON DELETE CASCADE
) STRICT;

CREATE INDEX study_exports_by_time ON study_exports (study, made);

-- The token of a researcher, which opens the export and the counts of one study and nothing else.
CREATE TABLE study_researchers (
  study TEXT NOT NULL,
  researcher TEXT NOT NULL,
  name TEXT NOT NULL,
  token_digest BLOB, -- NULL once it was revoked
  created INTEGER NOT NULL,
  revoked INTEGER,
  PRIMARY KEY (study, researcher),
  FOREIGN KEY (study) REFERENCES studies (study) ON DELETE CASCADE,
  CHECK ((token_digest IS NULL) = (revoked IS NOT NULL))
) STRICT;

-- A researcher is found by the token before the study is known.
CREATE UNIQUE INDEX study_researchers_by_token ON study_researchers (token_digest) WHERE token_digest IS NOT NULL;
