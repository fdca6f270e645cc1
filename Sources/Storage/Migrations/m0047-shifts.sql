-- What a person decided about the doses after one that was taken late, where the plan's own rule puts the next one off.
-- era, occurrence: the dose taken late. taken: when, as it stood when that was decided. decision: 'moved' or 'left'.
CREATE TABLE dose_shifts (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era BIGINT NOT NULL,
  occurrence TEXT NOT NULL,
  taken BIGINT NOT NULL,
  decision TEXT NOT NULL,
  decided BIGINT NOT NULL,
  account TEXT NOT NULL,
  PRIMARY KEY (patient, plan, era, occurrence)
);

-- The doses moved for it. late_era, late_occurrence: the dose taken late. due: where it was moved to; while dose_moves
-- says the same, nobody moved it since. was: when it was due before. was_moved: whether a person had moved it there.
CREATE TABLE dose_shift_moves (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  late_era BIGINT NOT NULL,
  late_occurrence TEXT NOT NULL,
  era BIGINT NOT NULL,
  occurrence TEXT NOT NULL,
  due BIGINT NOT NULL,
  was BIGINT NOT NULL,
  was_moved BIGINT NOT NULL,
  PRIMARY KEY (patient, plan, late_era, late_occurrence, era, occurrence)
);
