-- Observations that were sent are changed and deleted; what they said before stays.

ALTER TABLE vital_observations ADD COLUMN version BIGINT NOT NULL DEFAULT 1;

-- Each version but the present one, and at the end that it was deleted: then body is NULL.
CREATE TABLE vital_observation_versions (
  patient TEXT NOT NULL,
  observation TEXT NOT NULL,
  version BIGINT NOT NULL,
  body TEXT,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, observation, version)
);

CREATE INDEX vital_observation_versions_by_id ON vital_observation_versions (observation);
