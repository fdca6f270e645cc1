-- Heart rate, steps and weight: one row for each kind, day and source.

-- day: yyyy-MM-dd where it was measured. value: thousandths of a beat a minute, of a step or of a
-- kilogram; the day's own value, or the sum of its samples; NULL once it was taken back.
-- stamp: when that was worked out, seconds since 1970: of two for one day the later counts.
-- at, zone_offset: of the latest measurement. observation: its id over FHIR.
-- samples: second of the day, value and motion of each, packed; the same ones again change nothing.
CREATE TABLE vital_days (
  patient TEXT NOT NULL,
  metric TEXT NOT NULL,
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  value BIGINT,
  minimum BIGINT,
  count BIGINT NOT NULL,
  stamp BIGINT NOT NULL,
  at BIGINT NOT NULL,
  zone_offset BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  observation TEXT NOT NULL,
  samples BLOB,
  PRIMARY KEY (patient, metric, day, source)
);

CREATE INDEX vital_days_by_observation ON vital_days (observation);

-- The one source whose values count where several measure the same; without a row the latest.
CREATE TABLE vital_preferences (
  patient TEXT NOT NULL,
  metric TEXT NOT NULL,
  source TEXT NOT NULL,
  PRIMARY KEY (patient, metric)
);

-- Observations as they were sent, whole; what they say is in vital_days too.
CREATE TABLE vital_observations (
  patient TEXT NOT NULL,
  observation TEXT NOT NULL,
  metric TEXT NOT NULL,
  day TEXT NOT NULL,
  source TEXT NOT NULL,
  at BIGINT NOT NULL,
  body TEXT NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient, observation)
);

CREATE INDEX vital_observations_by_day ON vital_observations (patient, metric, day, source);
CREATE INDEX vital_observations_by_id ON vital_observations (observation);
