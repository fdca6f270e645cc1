-- The question what medicines do in another time zone, put off: not asked again for that zone for a while. zone: the one
-- that the device said.
CREATE TABLE journey_questions (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  zone TEXT NOT NULL,
  put_off BIGINT NOT NULL,
  PRIMARY KEY (patient, account)
);
