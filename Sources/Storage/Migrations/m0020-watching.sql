-- Watching the resting heart rate: what a person chose, the limits that were set, what was asked.

-- method: boundary, dynamic or model. window_from, window_until: whole hours of the person's clock.
-- is_chosen: whether the plans were chosen, else those of beta-blockers are watched. plans: ids, one per line.
-- has_wear: whether to say that a watch seems not to be worn. news: up to which news somebody has read.
-- checked: up to when vitals were looked at. next_check: when to look again without new ones.
CREATE TABLE heart_watching (
  patient TEXT NOT NULL PRIMARY KEY,
  is_on BIGINT NOT NULL,
  method TEXT NOT NULL,
  window_from BIGINT NOT NULL,
  window_until BIGINT NOT NULL,
  is_chosen BIGINT NOT NULL,
  plans TEXT NOT NULL,
  has_wear BIGINT NOT NULL,
  news BIGINT NOT NULL,
  checked BIGINT NOT NULL,
  next_check BIGINT NOT NULL,
  changed BIGINT NOT NULL
);

CREATE INDEX heart_watching_by_check ON heart_watching (next_check) WHERE is_on = 1;

-- Limits, only ever added; the last one counts from its day. value: thousandths of a beat a minute,
-- NULL where it is found from the average. owner: provider or own. phase, average, days: what a
-- provider reckoned it from.
CREATE TABLE heart_boundaries (
  patient TEXT NOT NULL,
  boundary TEXT NOT NULL,
  since TEXT NOT NULL,
  owner TEXT NOT NULL,
  value BIGINT,
  gap BIGINT NOT NULL,
  phase TEXT,
  average BIGINT,
  days BIGINT,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient, boundary)
);

-- What was asked: one of each kind a day. kind: heart or wear. warning: its subject in reminders too.
-- What was seen stands in thousandths. answer: yes, no, unwell or later; done: what came of it.
CREATE TABLE heart_warnings (
  patient TEXT NOT NULL,
  warning TEXT NOT NULL,
  kind TEXT NOT NULL,
  day TEXT NOT NULL,
  created BIGINT NOT NULL,
  method TEXT NOT NULL,
  is_watched BIGINT NOT NULL,
  heart_rate BIGINT,
  usual BIGINT,
  boundary BIGINT,
  doses_in_doubt BIGINT NOT NULL,
  steps_share BIGINT,
  answer TEXT,
  answered BIGINT,
  answered_by TEXT,
  done TEXT,
  done_at BIGINT,
  PRIMARY KEY (patient, warning)
);

CREATE UNIQUE INDEX heart_warnings_by_day ON heart_warnings (patient, kind, day);
CREATE UNIQUE INDEX heart_warnings_by_id ON heart_warnings (warning);

-- A person's own words to be shown in turn with those of the program.
CREATE TABLE heart_messages (
  patient TEXT NOT NULL,
  message TEXT NOT NULL,
  words TEXT NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient, message)
);

-- Addresses for widgets and watch faces that show a few figures and nothing else. secret_hash: of what
-- stands in the address.
CREATE TABLE heart_glances (
  patient TEXT NOT NULL,
  glance TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  account TEXT NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient, glance)
);

CREATE UNIQUE INDEX heart_glances_by_secret ON heart_glances (secret_hash);

-- Answers to the weekly questions, whole, as FHIR QuestionnaireResponse. week: its Monday.
CREATE TABLE heart_questionnaires (
  patient TEXT NOT NULL,
  week TEXT NOT NULL,
  response TEXT NOT NULL,
  body TEXT NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient, week)
);
