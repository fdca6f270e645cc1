-- Plans, doses and answers: what Adherence keeps beside the FHIR records.

-- Projection of Patient, with settings that FHIR has no place for.
CREATE TABLE people (
  patient TEXT NOT NULL PRIMARY KEY,
  display_name TEXT NOT NULL,
  zone TEXT NOT NULL,
  language TEXT NOT NULL
);

CREATE TABLE daily_rhythm (
  patient TEXT NOT NULL,
  event TEXT NOT NULL,
  clock_time TEXT NOT NULL,
  PRIMARY KEY (patient, event)
);

-- plan: the MedicationRequest's logical id. status: MedicationRequest.status.
-- unplanned_reason: why nothing rings ("code" or "code:detail"), NULL when it may ring.
-- ingredients: keys, one per line. policy: follow, home or elapsed.
-- kind: calendar, elapsed, instants or none. anchor: written when first active.
-- active_from: no dose rows before it; 9223372036854775807 while never active.
-- minimum_gap: milliseconds. planned_through: rows exist for every dose due before it;
-- 9223372036854775807 when no more can come.
CREATE TABLE plans (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  request_version BIGINT NOT NULL,
  status TEXT NOT NULL,
  unplanned_reason TEXT,
  medicine_name TEXT NOT NULL,
  ingredients TEXT NOT NULL,
  policy TEXT NOT NULL,
  era BIGINT NOT NULL,
  kind TEXT NOT NULL,
  anchor BIGINT NOT NULL,
  anchor_date TEXT NOT NULL,
  active_from BIGINT NOT NULL,
  minimum_gap BIGINT,
  planned_through BIGINT NOT NULL,
  created BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, plan)
);

CREATE INDEX plans_by_horizon ON plans (planned_through)
  WHERE status = 'active' AND unplanned_reason IS NULL;

CREATE TABLE plan_eras (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era BIGINT NOT NULL,
  zone TEXT NOT NULL,
  kind TEXT NOT NULL,
  starts BIGINT NOT NULL,
  PRIMARY KEY (patient, plan, era)
);

-- time: "08:00:00", or an event with minutes, "ACM" or "ACM+20".
CREATE TABLE plan_slots (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  slot BIGINT NOT NULL,
  dosage BIGINT NOT NULL,
  time TEXT NOT NULL,
  retired BIGINT,
  PRIMARY KEY (patient, plan, slot)
);

-- occurrence: the text of Scheduling.OccurrenceID.
-- state: open, taken, skipped, refused, withheld or cancelled. answer: the one in force.
CREATE TABLE doses (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era BIGINT NOT NULL,
  occurrence TEXT NOT NULL,
  due BIGINT NOT NULL,
  on_time_until BIGINT NOT NULL,
  late_until BIGINT NOT NULL,
  next_due BIGINT,
  amount_value TEXT,
  amount_unit TEXT,
  amount_code TEXT,
  state TEXT NOT NULL,
  state_reason TEXT,
  later_until BIGINT,
  version BIGINT NOT NULL,
  answer TEXT,
  PRIMARY KEY (patient, plan, era, occurrence)
);

CREATE INDEX doses_by_due ON doses (patient, due);

-- Facts, never rewritten. plan NULL: a free entry; occurrence NULL: an extra intake.
CREATE TABLE answers (
  patient TEXT NOT NULL,
  answer TEXT NOT NULL,
  plan TEXT,
  era BIGINT,
  occurrence TEXT,
  event TEXT,
  action TEXT NOT NULL,
  at BIGINT NOT NULL,
  recorded BIGINT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  reason TEXT,
  amount_value TEXT,
  amount_unit TEXT,
  minutes BIGINT,
  dose_version BIGINT,
  corrects BIGINT,
  administration TEXT,
  PRIMARY KEY (patient, answer)
);

CREATE UNIQUE INDEX answers_by_event ON answers (patient, event);
CREATE INDEX answers_by_dose ON answers (patient, plan, era, occurrence);

-- What counts as taken now: one row per administration with status completed.
CREATE TABLE intakes (
  patient TEXT NOT NULL,
  administration TEXT NOT NULL,
  plan TEXT,
  era BIGINT,
  occurrence TEXT,
  medicine_name TEXT NOT NULL,
  ingredients TEXT NOT NULL,
  taken BIGINT NOT NULL,
  recorded BIGINT NOT NULL,
  by_name TEXT NOT NULL,
  amount_value TEXT,
  amount_unit TEXT,
  PRIMARY KEY (patient, administration)
);

CREATE INDEX intakes_by_time ON intakes (patient, taken);
