-- What is deleted of a day stays away, and what was watched once is still asked about.

-- revisions: each value of the day that came, by when it was worked out, packed; NULL where there was
-- the one of the row alone. withdrawn: what somebody deleted, packed: the same does not come back.
ALTER TABLE vital_days ADD COLUMN revisions BLOB;
ALTER TABLE vital_days ADD COLUMN withdrawn BLOB;

-- What an Observation was taken in as: the person's zone, which a time without an offset is read in,
-- may change. NULL in rows from before.
ALTER TABLE vital_observations ADD COLUMN zone_offset BIGINT;
ALTER TABLE vital_observations ADD COLUMN stamp BIGINT;
ALTER TABLE vital_observations ADD COLUMN thousandths BIGINT;

-- Plans that a person watched and watches no more: what was due until then is still in doubt.
CREATE TABLE heart_unwatched (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  until BIGINT NOT NULL,
  PRIMARY KEY (patient, plan)
);

-- Whether those of the family who are told of unanswered doses are told of unanswered questions too.
ALTER TABLE heart_watching ADD COLUMN tells_family BIGINT NOT NULL DEFAULT 1;
