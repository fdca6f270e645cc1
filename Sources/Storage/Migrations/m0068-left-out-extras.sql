-- Decisions not to take that answered no dose, and those that were taken back: few rows, which the history finds without
-- reading every intake that answered no dose.
CREATE INDEX answers_left_out ON answers (patient, at) WHERE occurrence IS NULL AND action = 'skipped';
CREATE INDEX answers_taken_back ON answers (patient, administration) WHERE occurrence IS NULL AND action = 'undo';
