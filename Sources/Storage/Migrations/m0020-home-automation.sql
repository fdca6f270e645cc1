-- Home Assistant over MQTT, and answers by voice.

-- A place on the broker under which something may have been published. It names nobody, and stays after its person is
-- erased until the broker has forgotten it too.
CREATE TABLE home_places (
  place TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (place)
) STRICT;

-- The choice of an account to have a person in Home Assistant, at a place of its own.
CREATE TABLE home_links (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  place TEXT NOT NULL,
  names_medicine INTEGER NOT NULL CHECK (names_medicine IN (0, 1)),
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX home_links_by_place ON home_links (place);
CREATE INDEX home_links_by_account ON home_links (account);

-- The node that holds the connection to the broker.
CREATE TABLE home_leases (
  lease TEXT NOT NULL CHECK (lease = 'mqtt'),
  node TEXT NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (lease)
) STRICT;

-- A question that was read out, with the doses that a yes would log. It is deleted with its answer.
CREATE TABLE voice_questions (
  patient TEXT NOT NULL,
  question_hash BLOB NOT NULL,
  account TEXT NOT NULL,
  doses TEXT NOT NULL, -- their ids with versions, separated by line breaks
  expires INTEGER NOT NULL,
  PRIMARY KEY (patient, question_hash),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX voice_questions_by_account ON voice_questions (account);
CREATE INDEX voice_questions_by_expiry ON voice_questions (expires);
