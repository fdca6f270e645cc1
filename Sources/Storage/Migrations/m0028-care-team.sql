-- The care team: what practitioners tell of themselves, whom patients asked, notes, templates.

-- illnesses: names of topics, one per line. code: leads to the profile, whether it is listed or not.
CREATE TABLE practitioner_profiles (
  account TEXT NOT NULL PRIMARY KEY,
  is_listed BIGINT NOT NULL,
  specialty TEXT NOT NULL,
  place TEXT NOT NULL,
  phone TEXT NOT NULL,
  hours TEXT NOT NULL,
  illnesses TEXT NOT NULL,
  code TEXT NOT NULL,
  changed BIGINT NOT NULL
);

CREATE UNIQUE INDEX practitioner_profiles_by_code ON practitioner_profiles (code);

-- asked: the account of the practitioner whom the patient chose; NULL where a code is given away.
ALTER TABLE grant_invitations ADD COLUMN asked TEXT;

CREATE INDEX grant_invitations_by_asked ON grant_invitations (asked) WHERE state = 'open';

-- What a practitioner writes down about a patient: for its author, and for the patient's own copy.
CREATE TABLE care_notes (
  patient TEXT NOT NULL,
  note TEXT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  text_sealed BLOB NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient, note)
);

CREATE INDEX care_notes_by_id ON care_notes (note);

-- A practitioner's own prescriptions to begin from. fields: the form as it was sent, without anything of a
-- patient's.
CREATE TABLE prescription_templates (
  account TEXT NOT NULL,
  template TEXT NOT NULL,
  name TEXT NOT NULL,
  fields TEXT NOT NULL,
  changed BIGINT NOT NULL,
  PRIMARY KEY (account, template)
);
