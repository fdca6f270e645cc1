-- Reminders: what rings, what was handed over to whom, and the devices that it goes to.

-- reminder: the subject that rings for the dose; '' for a dose that never will.
-- rings_at, in a subject: the time to ring with which it was taken in, NULL once it left the group.
-- rings_at, without a subject: when it was opened again, so that it counts as fresh from there.
ALTER TABLE doses ADD COLUMN reminder TEXT;
ALTER TABLE doses ADD COLUMN rings_at BIGINT;

CREATE INDEX doses_to_ring ON doses (COALESCE(later_until, due))
  WHERE state = 'open' AND reminder IS NULL;
CREATE INDEX doses_by_reminder ON doses (reminder) WHERE reminder IS NOT NULL;

-- What is rung for. kind: doses, summary or test. started: where the rungs are counted from.
-- rung: the next one. due: the earliest due time of its doses. ends: no rung from there on.
-- fresh_until: the last moment of a first hand-over. handed_over: the first of this generation.
-- state: ringing or closed; a closed one that is woken rings again with its outcome kept.
CREATE TABLE reminders (
  patient TEXT NOT NULL,
  subject TEXT NOT NULL,
  kind TEXT NOT NULL,
  generation BIGINT NOT NULL,
  started BIGINT NOT NULL,
  rung BIGINT NOT NULL,
  next_at BIGINT NOT NULL,
  due BIGINT NOT NULL,
  ends BIGINT NOT NULL,
  fresh_until BIGINT NOT NULL,
  handed_over BIGINT,
  state TEXT NOT NULL,
  outcome TEXT,
  opened BIGINT NOT NULL,
  closed BIGINT,
  PRIMARY KEY (patient, subject)
);

CREATE UNIQUE INDEX reminders_by_subject ON reminders (subject);
CREATE INDEX reminders_by_next ON reminders (next_at) WHERE state = 'ringing';
CREATE INDEX reminders_ringing ON reminders (patient) WHERE state = 'ringing';
CREATE INDEX reminders_by_opening ON reminders (opened);

-- One key of the outbox each: planned once, handed over at least once. address: the subscription,
-- or 'mail'. doses: ids, one per line, as last named. state: waiting or done. next_try: when it
-- may be claimed, the end of the lease while it is. attempt fences results.
CREATE TABLE deliveries (
  patient TEXT NOT NULL,
  delivery TEXT NOT NULL,
  subject TEXT NOT NULL,
  generation BIGINT NOT NULL,
  rung BIGINT NOT NULL,
  recipient TEXT NOT NULL,
  channel TEXT NOT NULL,
  address TEXT NOT NULL,
  doses TEXT NOT NULL,
  due BIGINT NOT NULL,
  planned BIGINT NOT NULL,
  state TEXT NOT NULL,
  next_try BIGINT NOT NULL,
  lease_until BIGINT,
  attempt BIGINT NOT NULL,
  handed_over BIGINT,
  shown BIGINT,
  answered BIGINT,
  outcome TEXT,
  trouble TEXT,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, delivery)
);

CREATE UNIQUE INDEX deliveries_by_key
  ON deliveries (patient, subject, generation, rung, recipient, address);
CREATE UNIQUE INDEX deliveries_by_id ON deliveries (delivery);
CREATE INDEX deliveries_to_send ON deliveries (next_try) WHERE state = 'waiting';
CREATE INDEX deliveries_by_due ON deliveries (patient, due);
CREATE INDEX deliveries_by_change ON deliveries (patient, changed);
CREATE INDEX deliveries_by_planning ON deliveries (planned);

-- Devices. The address and keys are sealed; gone: deleted, the rest is kept for the story.
-- unshown: handed over since the device last showed one, the first of them at first_unshown.
CREATE TABLE push_subscriptions (
  subscription TEXT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  session TEXT,
  endpoint_sealed BLOB NOT NULL,
  endpoint_index BLOB NOT NULL,
  keys_sealed BLOB NOT NULL,
  host TEXT NOT NULL,
  label TEXT,
  created BIGINT NOT NULL,
  confirmed BIGINT,
  last_shown BIGINT,
  handed_over BIGINT NOT NULL,
  unshown BIGINT NOT NULL,
  first_unshown BIGINT,
  gone BIGINT
);

CREATE UNIQUE INDEX push_subscriptions_by_endpoint ON push_subscriptions (endpoint_index);
CREATE INDEX push_subscriptions_by_account ON push_subscriptions (account);

CREATE TABLE secrets (
  name TEXT NOT NULL PRIMARY KEY,
  sealed BLOB NOT NULL
);

-- One row. tick: the latest time that the engine saw; began: the first one.
CREATE TABLE reminder_clock (
  clock BIGINT NOT NULL PRIMARY KEY,
  tick BIGINT NOT NULL,
  began BIGINT NOT NULL
);

-- The zone files by whose rules the doses of running plans were made.
CREATE TABLE zone_rules (
  zone TEXT NOT NULL PRIMARY KEY,
  fingerprint TEXT NOT NULL
);
