-- Changes of the clock that were looked at for a person the evening before, so that each is told once. at: when the
-- clocks are set. reminder: what tells it; NULL where it moves none of the doses.
CREATE TABLE clock_notices (
  patient TEXT NOT NULL,
  at BIGINT NOT NULL,
  looked BIGINT NOT NULL,
  reminder TEXT,
  PRIMARY KEY (patient, at)
);

-- 0: the evening before the clocks are set the person is not told.
ALTER TABLE ladder_settings ADD COLUMN tells_clock BIGINT NOT NULL DEFAULT 1;
