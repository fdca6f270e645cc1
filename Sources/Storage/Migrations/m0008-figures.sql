-- What figures and the history read without touching every row of a long story.

-- Of the answer in force: when it was taken, or said not to be; NULL while the dose is open.
ALTER TABLE doses ADD COLUMN answered_at BIGINT;

UPDATE doses SET answered_at = (
    SELECT a.at FROM answers a WHERE a.patient = doses.patient AND a.answer = doses.answer)
  WHERE state IN ('taken', 'skipped', 'refused');

CREATE INDEX doses_by_plan ON doses (patient, plan, due);

-- Intakes and decisions that answered no dose.
CREATE INDEX intakes_beside_doses ON intakes (patient, taken) WHERE occurrence IS NULL;
CREATE INDEX answers_beside_doses ON answers (patient, at) WHERE occurrence IS NULL;
