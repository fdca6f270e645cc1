-- A practitioner's panel counts what was missed and refused by everybody in the last days at once: these few
-- rows are found without those that were taken.
CREATE INDEX doses_not_taken ON doses (patient, due) WHERE state IN ('open', 'refused');
