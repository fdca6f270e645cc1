-- Doses that a person moved, each once: when it is due instead of the time that its plan gives. A dose moved again has
-- its last time here; moved says when that was said.
CREATE TABLE dose_moves (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era BIGINT NOT NULL,
  occurrence TEXT NOT NULL,
  due BIGINT NOT NULL,
  moved BIGINT NOT NULL,
  account TEXT NOT NULL,
  PRIMARY KEY (patient, plan, era, occurrence)
);
