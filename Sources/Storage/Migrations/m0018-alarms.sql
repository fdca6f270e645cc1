-- Alarms, and what else rings besides doses.

-- One thing that rings and is no dose: an alarm's time, a warning, a word ahead of something. kind: as in
-- reminders. source: what it comes from, such as the alarm. subject: the reminder that rings for it.
-- rings_from: due, or what it was put off to, or when it was opened again; each of these is the next
-- generation. ends: nothing rings from there on. state: open, done, declined or cancelled.
CREATE TABLE occasions (
  patient TEXT NOT NULL,
  occasion TEXT NOT NULL,
  kind TEXT NOT NULL,
  source TEXT NOT NULL,
  subject TEXT NOT NULL,
  due BIGINT NOT NULL,
  rings_from BIGINT NOT NULL,
  ends BIGINT NOT NULL,
  generation BIGINT NOT NULL,
  is_critical BIGINT NOT NULL,
  state TEXT NOT NULL,
  version BIGINT NOT NULL,
  answered BIGINT,
  answered_by TEXT,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, occasion)
);

CREATE UNIQUE INDEX occasions_by_subject ON occasions (patient, subject);
CREATE INDEX occasions_by_end ON occasions (patient, ends);
CREATE INDEX occasions_by_change ON occasions (patient, changed);

-- What was said to an occasion; only ever added. action: done, declined, later or undo.
CREATE TABLE occasion_answers (
  patient TEXT NOT NULL,
  occasion TEXT NOT NULL,
  version BIGINT NOT NULL,
  action TEXT NOT NULL,
  event TEXT,
  minutes BIGINT,
  at BIGINT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, occasion, version)
);

CREATE UNIQUE INDEX occasion_answers_by_event ON occasion_answers (patient, event)
  WHERE event IS NOT NULL;

-- A person's own alarms. minute: after midnight, on the person's clock. weekdays: a bit for each, Monday
-- first; none: it rings once, on the day of starts. lead: minutes by which it is announced. era: grows
-- with each change of what its times mean, so that a date may come twice. next_due, next_lead: none
-- while it is off, removed or over.
CREATE TABLE alarms (
  patient TEXT NOT NULL,
  alarm TEXT NOT NULL,
  kind TEXT NOT NULL,
  label TEXT NOT NULL,
  minute BIGINT NOT NULL,
  weekdays BIGINT NOT NULL,
  starts TEXT NOT NULL,
  ends TEXT,
  sound TEXT NOT NULL,
  snooze BIGINT NOT NULL,
  lead BIGINT,
  is_on BIGINT NOT NULL,
  era BIGINT NOT NULL,
  next_due BIGINT,
  next_lead BIGINT,
  version BIGINT NOT NULL,
  created BIGINT NOT NULL,
  removed BIGINT,
  PRIMARY KEY (patient, alarm)
);

CREATE INDEX alarms_by_next ON alarms (next_due) WHERE next_due IS NOT NULL;
CREATE INDEX alarms_by_lead ON alarms (next_lead) WHERE next_lead IS NOT NULL;

-- Minutes by which the doses of a medicine are announced.
ALTER TABLE plan_reminders ADD COLUMN lead BIGINT;

CREATE INDEX plan_reminders_with_lead ON plan_reminders (patient, plan) WHERE lead IS NOT NULL;

-- What a person chose for all their medicines: the sound of the ringing page, and before which minute of
-- the day reminders hold back at weekends and between two dates.
CREATE TABLE reminder_choices (
  patient TEXT NOT NULL PRIMARY KEY,
  sound TEXT NOT NULL,
  weekend_minute BIGINT,
  holiday_minute BIGINT,
  holiday_starts TEXT,
  holiday_ends TEXT
);

-- Sounds of one's own, made anew by this program. content: a WAV file.
CREATE TABLE sounds (
  patient TEXT NOT NULL,
  sound TEXT NOT NULL,
  name TEXT NOT NULL,
  milliseconds BIGINT NOT NULL,
  content BLOB NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient, sound)
);

-- Doses that passed without an answer and of which somebody said that they do not know.
CREATE TABLE unknown_doses (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era BIGINT NOT NULL,
  occurrence TEXT NOT NULL,
  account TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (patient, plan, era, occurrence)
);
