-- How many weeks it takes to get a new prescription once the old one cannot be had again; NULL where nobody said.
ALTER TABLE stocks ADD COLUMN doctor_weeks BIGINT;

-- Whether the pack came on the prescription, so that it uses up a repeat. Packs from before count as they did.
ALTER TABLE stock_lots ADD COLUMN is_prescribed BIGINT NOT NULL DEFAULT 1;

-- That a stock runs low or has run out, for those with whom it is shared. mark: 'low' or 'out'. since: when that was
-- first seen; it stays the same until a pack came, or it was counted, after ledger number run_number. runs_out,
-- runs_out_day: when the first dose is not there, and the owner's day of that. holds: 0 where it is not so now.
CREATE TABLE stock_marks (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  mark TEXT NOT NULL,
  since BIGINT NOT NULL,
  run_number BIGINT NOT NULL,
  runs_out BIGINT NOT NULL,
  runs_out_day TEXT NOT NULL,
  holds BIGINT NOT NULL,
  PRIMARY KEY (patient, stock, mark)
);
