-- What follows a dose: the question whether an as-needed medicine helped, and where medicines are injected or stuck on.

-- A person's choice for one as-needed medicine.
CREATE TABLE follow_up_choices (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  is_asked INTEGER NOT NULL CHECK (is_asked IN (0, 1)),
  minutes INTEGER CHECK (minutes BETWEEN 15 AND 1440), -- after the dose; NULL for the time that the program chooses
  is_for_headache INTEGER NOT NULL CHECK (is_for_headache IN (0, 1)),
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- The question about one dose. The answer is an Observation.
CREATE TABLE follow_ups (
  patient TEXT NOT NULL,
  administration TEXT NOT NULL, -- the MedicationAdministration of the dose
  plan TEXT NOT NULL,
  taken INTEGER NOT NULL,
  minutes INTEGER NOT NULL CHECK (minutes > 0),
  due INTEGER NOT NULL, -- later after "too early to say"
  ends INTEGER NOT NULL, -- not asked any more from here on
  asked INTEGER NOT NULL CHECK (asked >= 1), -- how often
  observation TEXT, -- the answer
  PRIMARY KEY (patient, administration),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

CREATE INDEX follow_ups_by_plan ON follow_ups (patient, plan);
CREATE INDEX follow_ups_by_taken ON follow_ups (patient, taken);

-- The sites of a medicine: which ones, and how long it stays there.
CREATE TABLE site_choices (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  kind TEXT NOT NULL CHECK (kind IN ('injection', 'patch', 'insert', 'side')),
  sites TEXT NOT NULL, -- the allowed ones, separated by spaces; '' for all of the kind
  wear_minutes INTEGER CHECK (wear_minutes BETWEEN 15 AND 5256000), -- NULL if it is not taken off
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- A site that was used. The MedicationAdministration names it too, as dosage.site.
CREATE TABLE site_uses (
  patient TEXT NOT NULL,
  administration TEXT NOT NULL,
  plan TEXT NOT NULL,
  site TEXT NOT NULL, -- '' until it is stated
  used INTEGER NOT NULL,
  reactions TEXT NOT NULL, -- separated by spaces; '' for none
  remove_due INTEGER, -- when it should be taken off; NULL if it is not
  removed INTEGER,
  PRIMARY KEY (patient, administration),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE,
  CHECK (removed IS NULL OR remove_due IS NOT NULL),
  CHECK (removed >= used)
) STRICT;

CREATE INDEX site_uses_by_plan ON site_uses (patient, plan, used);
