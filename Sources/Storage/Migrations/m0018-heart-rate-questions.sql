-- Questions about the heart rate: how many false ones a person accepts, and why a question was asked.

-- The accepted days with a false question in thirty days, in thousandths.
ALTER TABLE heart_rate_monitoring ADD COLUMN false_days INTEGER NOT NULL DEFAULT 500
  CHECK (false_days BETWEEN 125 AND 2000);

-- The probability of a missed dose, in thousandths; NULL where the method gives none.
ALTER TABLE heart_rate_warnings ADD COLUMN probability INTEGER CHECK (probability BETWEEN 0 AND 1000);

-- The probability of an illness, likewise.
ALTER TABLE heart_rate_warnings ADD COLUMN illness INTEGER CHECK (illness BETWEEN 0 AND 1000);

-- The measured days in a row with a raised heart rate.
ALTER TABLE heart_rate_warnings ADD COLUMN days_raised INTEGER NOT NULL DEFAULT 0
  CHECK (days_raised >= 0);

-- The heart rate of this person says little about their doses.
ALTER TABLE heart_rate_warnings ADD COLUMN is_unmoved INTEGER NOT NULL DEFAULT 0
  CHECK (is_unmoved IN (0, 1));
