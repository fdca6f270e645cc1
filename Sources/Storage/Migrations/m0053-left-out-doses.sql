-- A report tells the reasons for which doses were left out, over up to ten years: these few rows are found without
-- those that were taken.
CREATE INDEX doses_left_out ON doses (patient, due) WHERE state IN ('skipped', 'refused');
