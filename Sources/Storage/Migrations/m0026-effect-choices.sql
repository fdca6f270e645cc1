-- The measures with which the page of a medicine's effect opens.

-- What was chosen last for one medicine. The keys are those of addresses, such as 'weight'.
CREATE TABLE effect_choices (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  measure TEXT NOT NULL CHECK (length(measure) BETWEEN 1 AND 400),
  second_measure TEXT CHECK (length(second_measure) BETWEEN 1 AND 400), -- NULL for one measure only
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
