-- What is kept of a person besides plans and doses, and looks in an emergency.

-- One photo of a person, re-encoded by this program. photo: an id of its own, new with each photo.
CREATE TABLE person_photos (
  patient TEXT NOT NULL,
  photo TEXT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  bytes BLOB NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient)
);

-- Accounts that an administrator has confirmed, one by one, as those of practitioners.
CREATE TABLE practitioners (
  account TEXT NOT NULL PRIMARY KEY,
  confirmed BIGINT NOT NULL,
  confirmed_by TEXT NOT NULL
);

-- A look at a person's data in an emergency, without a grant. reason: as typed, for the person to read.
-- ends: moved forward to where it was ended by hand. reviewed: when an administrator had looked at it.
CREATE TABLE emergencies (
  patient TEXT NOT NULL,
  emergency TEXT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  reason TEXT NOT NULL,
  started BIGINT NOT NULL,
  ends BIGINT NOT NULL,
  reviewed BIGINT,
  reviewed_by TEXT,
  PRIMARY KEY (patient, emergency)
);

CREATE UNIQUE INDEX emergencies_by_id ON emergencies (emergency);
CREATE INDEX emergencies_by_account ON emergencies (account, ends);
CREATE INDEX emergencies_by_start ON emergencies (started);
CREATE INDEX emergencies_unreviewed ON emergencies (started) WHERE reviewed IS NULL;

-- Invitations that an account had the server send, so that nobody sends too many; kept for a day.
CREATE TABLE invitation_mails (
  account TEXT NOT NULL,
  mail TEXT NOT NULL,
  sent BIGINT NOT NULL,
  PRIMARY KEY (account, mail)
);
