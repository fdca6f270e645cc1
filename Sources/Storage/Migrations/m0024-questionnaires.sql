-- Questionnaires: who is asked which one and when, the occasions that were answered, and drafts.

-- A questionnaire that a person is asked to answer. Its occasions follow from the schedule and are not stored.
CREATE TABLE questionnaire_assignments (
  patient TEXT NOT NULL,
  assignment TEXT NOT NULL,
  questionnaire TEXT NOT NULL, -- the canonical address, without a version
  schedule TEXT NOT NULL CHECK (schedule IN ('once', 'weekly', 'monthly', 'after')),
  starts TEXT NOT NULL, -- the day of the first occasion; for 'after', of the event
  weeks INTEGER NOT NULL CHECK (weeks >= 0 AND weeks <= 520), -- for 'after', the weeks since the event
  open_days INTEGER NOT NULL CHECK (open_days >= 1 AND open_days <= 28), -- then an occasion closes
  last_day TEXT, -- no occasion opens later
  origin TEXT NOT NULL CHECK (origin IN ('person', 'practitioner', 'study')),
  study TEXT, -- the study that asks
  account TEXT NOT NULL, -- who assigned it
  by_name TEXT NOT NULL,
  reminds INTEGER NOT NULL CHECK (reminds IN (0, 1)), -- Today shows it while it can be answered
  created INTEGER NOT NULL,
  ended INTEGER,
  PRIMARY KEY (patient, assignment),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((origin = 'study') = (study IS NOT NULL)),
  CHECK (schedule = 'after' OR weeks = 0)
) STRICT;

-- An occasion that was answered. The answers are a QuestionnaireResponse.
CREATE TABLE questionnaire_answers (
  patient TEXT NOT NULL,
  assignment TEXT NOT NULL,
  occasion INTEGER NOT NULL CHECK (occasion >= 0),
  response TEXT NOT NULL,
  answered INTEGER NOT NULL,
  PRIMARY KEY (patient, assignment, occasion),
  FOREIGN KEY (patient, assignment)
    REFERENCES questionnaire_assignments (patient, assignment) ON DELETE CASCADE
) STRICT;

-- Answers that were not sent yet: one draft for each questionnaire.
CREATE TABLE questionnaire_drafts (
  patient TEXT NOT NULL,
  questionnaire TEXT NOT NULL,
  fields TEXT NOT NULL, -- what was typed, as a JSON object
  saved INTEGER NOT NULL,
  PRIMARY KEY (patient, questionnaire),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
