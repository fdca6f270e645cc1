-- Days on and days off of a plan, read from its MedicationRequest so that Today can say when a break ends. Dates as
-- YYYY-MM-DD; last_day is NULL for a plan without an end. A plan without such days has no row.
CREATE TABLE plan_cycles (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  first_day TEXT NOT NULL,
  days_on BIGINT NOT NULL,
  days_off BIGINT NOT NULL,
  last_day TEXT,
  PRIMARY KEY (patient, plan)
);
