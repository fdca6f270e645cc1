-- What a person confirmed against a warning about a plan or a proposal: a schedule that is more frequent than the
-- rule of its medicine, or an unusual amount. Rows are only ever added.
CREATE TABLE plan_confirmations (
  patient TEXT NOT NULL,
  -- The plan, or the proposal that becomes one.
  subject TEXT NOT NULL,
  -- What was asked, such as too-often-methotrexate.
  question TEXT NOT NULL,
  made BIGINT NOT NULL,
  -- What was confirmed: the number of doses, or the amount.
  stated TEXT NOT NULL,
  -- What the person typed or ticked.
  typed TEXT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, subject, question, made)
);
