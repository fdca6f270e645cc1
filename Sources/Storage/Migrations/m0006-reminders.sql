-- Reminders: what rings, the devices and addresses that it goes to, and alarms.

-- Something that rings, or is told once.
CREATE TABLE reminders (
  patient TEXT NOT NULL,
  subject TEXT NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind = 'doses' OR kind = 'summary' OR kind = 'test' OR kind = 'emergency' OR kind = 'review' OR
      kind = 'prescription' OR kind = 'warning' OR kind = 'wear' OR kind = 'alarm' OR kind = 'lead' OR kind = 'news'
      OR kind = 'nudge' OR kind = 'message' OR kind = 'stock' OR kind = 'clock'),
  generation INTEGER NOT NULL CHECK (generation >= 1),
  started INTEGER NOT NULL, -- the steps of the escalation count from here
  step INTEGER NOT NULL CHECK (step >= 0), -- the next step
  next_at INTEGER NOT NULL,
  due INTEGER NOT NULL, -- the earliest due time of its doses
  ends INTEGER NOT NULL, -- no step from here on
  fresh_until INTEGER NOT NULL, -- the last moment of a first delivery
  handed_over INTEGER, -- the first delivery of this generation
  -- a closed one that is woken rings again and keeps its outcome
  state TEXT NOT NULL CHECK (state IN ('ringing', 'closed')),
  outcome TEXT
    CHECK (outcome = 'answered' OR outcome = 'expired' OR outcome = 'missed' OR outcome = 'unreachable' OR
      outcome = 'cancelled'),
  opened INTEGER NOT NULL,
  closed INTEGER,
  escalation TEXT, -- the steps of this generation, one per line, once the first one has run
  PRIMARY KEY (patient, subject),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK (state <> 'closed' OR closed IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX reminders_by_subject ON reminders (subject);
CREATE INDEX reminders_by_next ON reminders (next_at) WHERE state = 'ringing';
CREATE INDEX reminders_ringing ON reminders (patient) WHERE state = 'ringing';
CREATE INDEX reminders_by_opening ON reminders (opened);

-- A message of the outbox: planned once, delivered at least once. It goes with its reminder.
CREATE TABLE deliveries (
  patient TEXT NOT NULL,
  delivery TEXT NOT NULL,
  subject TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation >= 1),
  step INTEGER NOT NULL CHECK (step >= 0),
  recipient TEXT NOT NULL, -- an account
  channel TEXT NOT NULL
    CHECK (channel = 'push' OR channel = 'mail' OR channel = 'ntfy' OR channel = 'webhook' OR channel = 'sms' OR
      channel = 'call'),
  address TEXT NOT NULL, -- the subscription, or 'mail'
  doses TEXT NOT NULL, -- ids, one per line, as last named
  due INTEGER NOT NULL,
  planned INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'done')),
  next_try INTEGER NOT NULL, -- when it may be claimed; the end of the lease while it is claimed
  lease_until INTEGER,
  attempt INTEGER NOT NULL CHECK (attempt >= 0), -- fences results
  handed_over INTEGER,
  shown INTEGER,
  answered INTEGER,
  -- NULL while it waits
  outcome TEXT
    CHECK (outcome = 'planned' OR outcome = 'handedOver' OR outcome = 'retrying' OR outcome = 'gone' OR
      outcome = 'failed' OR outcome = 'stale' OR outcome = 'answered'),
  trouble TEXT,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, delivery),
  FOREIGN KEY (patient, subject) REFERENCES reminders (patient, subject) ON DELETE CASCADE,
  CHECK (lease_until IS NULL OR state = 'waiting')
) STRICT;

CREATE UNIQUE INDEX deliveries_by_key ON deliveries (patient, subject, generation, step, recipient, address);
CREATE UNIQUE INDEX deliveries_by_id ON deliveries (delivery);
CREATE INDEX deliveries_to_send ON deliveries (next_try) WHERE state = 'waiting';
CREATE INDEX deliveries_by_due ON deliveries (patient, due);
CREATE INDEX deliveries_by_change ON deliveries (patient, changed);
CREATE INDEX deliveries_by_planning ON deliveries (planned);
CREATE INDEX deliveries_by_address ON deliveries (address, planned) WHERE channel NOT IN ('push', 'mail');

-- A link in a mail or a notification: one answer to the doses that its delivery named. It expires later than its
-- delivery may be kept, so it has no foreign key to it.
CREATE TABLE action_links (
  patient TEXT NOT NULL,
  link_hash BLOB NOT NULL, -- digest of its secret
  delivery TEXT NOT NULL,
  recipient TEXT NOT NULL,
  action TEXT NOT NULL,
  doses TEXT NOT NULL,
  expires INTEGER NOT NULL, -- the end of the last late window
  used INTEGER,
  PRIMARY KEY (patient, link_hash),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX action_links_by_hash ON action_links (link_hash);
CREATE INDEX action_links_by_expiry ON action_links (expires);

-- A device that receives web push. After removal the row stays for the delivery log.
CREATE TABLE push_subscriptions (
  subscription TEXT NOT NULL,
  account TEXT NOT NULL,
  session TEXT,
  endpoint_sealed BLOB NOT NULL,
  endpoint_index BLOB NOT NULL,
  keys_sealed BLOB NOT NULL,
  host TEXT NOT NULL,
  label TEXT,
  created INTEGER NOT NULL,
  confirmed INTEGER,
  last_shown INTEGER,
  handed_over INTEGER NOT NULL CHECK (handed_over >= 0), -- number of deliveries
  unshown INTEGER NOT NULL CHECK (unshown >= 0), -- deliveries since the device last showed one
  first_unshown INTEGER,
  gone INTEGER,
  PRIMARY KEY (subscription),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX push_subscriptions_by_endpoint ON push_subscriptions (endpoint_index);
CREATE INDEX push_subscriptions_by_account ON push_subscriptions (account);

-- An account's choice about reminders by mail.
CREATE TABLE mailbox_choices (
  account TEXT NOT NULL,
  link_hash BLOB, -- of the link that turns mail off
  silenced INTEGER, -- since when no reminder goes there
  PRIMARY KEY (account),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX mailbox_choices_by_hash ON mailbox_choices (link_hash);

-- An address besides push and mail: an ntfy topic, a webhook, a phone number. After removal the row stays for the
-- delivery log.
CREATE TABLE channel_addresses (
  address TEXT NOT NULL,
  account TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('push', 'mail', 'ntfy', 'webhook', 'sms', 'call')),
  form TEXT NOT NULL CHECK (form IN ('ntfy', 'webhook', 'home-assistant', 'home-assistant-notify', 'sms', 'call')),
  host TEXT NOT NULL,
  settings_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  proof_hash BLOB, -- of the link in the test under way
  proof_expires INTEGER,
  confirmed INTEGER, -- when the person opened it; nothing is sent before
  gone INTEGER,
  proof_tries INTEGER CHECK (proof_tries >= 0), -- wrong codes since the last test
  PRIMARY KEY (address),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX channel_addresses_by_account ON channel_addresses (account);
CREATE UNIQUE INDEX channel_addresses_by_proof ON channel_addresses (proof_hash);

-- A step of a person's own escalation; a person without rows has the standard one.
CREATE TABLE escalation_steps (
  patient TEXT NOT NULL,
  step INTEGER NOT NULL CHECK (step >= 0),
  minutes INTEGER NOT NULL CHECK (minutes >= 0),
  channel TEXT NOT NULL CHECK (channel IN ('push', 'mail', 'ntfy', 'webhook', 'sms', 'call')),
  recipient TEXT NOT NULL, -- '' for whoever acts, else the account of a family member
  PRIMARY KEY (patient, step),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- Quiet hours and wording.
CREATE TABLE escalation_settings (
  patient TEXT NOT NULL,
  quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_until INTEGER CHECK (quiet_until BETWEEN 0 AND 1439),
  -- notifications to those who act name the medicine
  names_medicine INTEGER NOT NULL CHECK (names_medicine IN (0, 1)),
  -- the evening before the clocks change the person is told
  tells_clock INTEGER NOT NULL DEFAULT 1 CHECK (tells_clock IN (0, 1)),
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
) STRICT;

-- A family member who is told when no one answers: offered by one side, accepted by the other.
CREATE TABLE escalation_agreements (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  offered_by TEXT NOT NULL,
  offered INTEGER NOT NULL,
  accepted INTEGER,
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX escalation_agreements_by_account ON escalation_agreements (account);

-- A guardian who is told only when no one else answers.
CREATE TABLE escalation_standby (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX escalation_standby_by_account ON escalation_standby (account);

-- The channels on which an account is not told about a patient.
CREATE TABLE silenced_channels (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  channels TEXT NOT NULL, -- words separated by spaces
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX silenced_channels_by_account ON silenced_channels (account);

-- A person's choices for all medicines: the sound, and later reminders on weekends and holidays.
CREATE TABLE reminder_choices (
  patient TEXT NOT NULL,
  sound TEXT NOT NULL, -- an AlarmSound, or one of the person's own
  weekend_minute INTEGER CHECK (weekend_minute BETWEEN 0 AND 1439),
  holiday_minute INTEGER CHECK (holiday_minute BETWEEN 0 AND 1439),
  holiday_starts TEXT CHECK (holiday_starts LIKE '____-__-__'),
  holiday_ends TEXT CHECK (holiday_ends LIKE '____-__-__'),
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((holiday_minute IS NULL) = (holiday_starts IS NULL)),
  CHECK ((holiday_minute IS NULL) = (holiday_ends IS NULL)),
  CHECK (holiday_ends >= holiday_starts)
) STRICT;

-- Something that rings and is not a dose: an alarm's time, or an announcement.
CREATE TABLE alerts (
  patient TEXT NOT NULL,
  alert TEXT NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind = 'doses' OR kind = 'summary' OR kind = 'test' OR kind = 'emergency' OR kind = 'review' OR
      kind = 'prescription' OR kind = 'warning' OR kind = 'wear' OR kind = 'alarm' OR kind = 'lead' OR kind = 'news'
      OR kind = 'nudge' OR kind = 'message' OR kind = 'stock' OR kind = 'clock'),
  source TEXT NOT NULL, -- what it comes from, such as the alarm
  subject TEXT NOT NULL, -- its reminder
  due INTEGER NOT NULL,
  rings_from INTEGER NOT NULL, -- due, or what it was snoozed to, or when it was opened again
  ends INTEGER NOT NULL, -- nothing rings from here on
  generation INTEGER NOT NULL CHECK (generation >= 1),
  is_critical INTEGER NOT NULL CHECK (is_critical IN (0, 1)),
  state TEXT NOT NULL CHECK (state = 'open' OR state = 'done' OR state = 'declined' OR state = 'cancelled'),
  version INTEGER NOT NULL CHECK (version >= 1),
  answered INTEGER,
  answered_by TEXT,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, alert),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX alerts_by_subject ON alerts (patient, subject);
CREATE INDEX alerts_by_end ON alerts (patient, ends);
CREATE INDEX alerts_by_change ON alerts (patient, changed);

-- An answer to an alert; rows are only ever added.
CREATE TABLE alert_answers (
  patient TEXT NOT NULL,
  alert TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  action TEXT NOT NULL CHECK (action IN ('done', 'declined', 'later', 'undo')),
  event TEXT,
  minutes INTEGER CHECK (minutes >= 0),
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, alert, version),
  FOREIGN KEY (patient, alert) REFERENCES alerts (patient, alert) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX alert_answers_by_event ON alert_answers (patient, event) WHERE event IS NOT NULL;

-- A person's own alarm.
CREATE TABLE alarms (
  patient TEXT NOT NULL,
  alarm TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('water', 'pulse', 'appointment', 'own')),
  label TEXT NOT NULL,
  minute INTEGER NOT NULL CHECK (minute BETWEEN 0 AND 1439),
  -- a bit for each, Monday first; 0: it rings once, on the day of starts
  weekdays INTEGER NOT NULL CHECK (weekdays BETWEEN 0 AND 127),
  starts TEXT NOT NULL CHECK (starts LIKE '____-__-__'),
  ends TEXT CHECK (ends LIKE '____-__-__'),
  sound TEXT NOT NULL, -- an AlarmSound, or one of the person's own
  snooze INTEGER NOT NULL CHECK (snooze >= 0), -- minutes
  lead INTEGER CHECK (lead >= 0), -- minutes by which it is announced
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  era INTEGER NOT NULL CHECK (era >= 1), -- grows with each change of its times
  next_due INTEGER, -- NULL while it is off, removed or past
  next_lead INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  created INTEGER NOT NULL,
  removed INTEGER,
  PRIMARY KEY (patient, alarm),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK (ends >= starts)
) STRICT;

CREATE INDEX alarms_by_next ON alarms (next_due) WHERE next_due IS NOT NULL;
CREATE INDEX alarms_by_lead ON alarms (next_lead) WHERE next_lead IS NOT NULL;

-- A person's own sound, re-encoded by this program.
CREATE TABLE sounds (
  patient TEXT NOT NULL,
  sound TEXT NOT NULL,
  name TEXT NOT NULL,
  milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0),
  content BLOB NOT NULL, -- a WAV file
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, sound),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- The calendar that an account may subscribe to for a patient.
CREATE TABLE calendar_feeds (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  secret_sealed BLOB NOT NULL, -- shows the address again
  names_medicine INTEGER NOT NULL CHECK (names_medicine IN (0, 1)),
  created INTEGER NOT NULL,
  fetched INTEGER, -- when a calendar last asked for it
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX calendar_feeds_by_hash ON calendar_feeds (secret_hash);
CREATE INDEX calendar_feeds_by_account ON calendar_feeds (account);

-- A secret address at which widgets and watch faces read what is due.
CREATE TABLE widget_addresses (
  patient TEXT NOT NULL,
  address TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  account TEXT NOT NULL,
  names_medicine INTEGER NOT NULL CHECK (names_medicine IN (0, 1)),
  created INTEGER NOT NULL,
  fetched INTEGER, -- when a widget last asked for it
  PRIMARY KEY (patient, address),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX widget_addresses_by_hash ON widget_addresses (secret_hash);
CREATE INDEX widget_addresses_by_account ON widget_addresses (account);

-- The question about another time zone, put off for a while.
CREATE TABLE travel_questions (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  zone TEXT NOT NULL, -- the one that the device reported
  put_off INTEGER NOT NULL,
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX travel_questions_by_account ON travel_questions (account);

-- A change of the clock that was looked at for a person the evening before: each is told once.
CREATE TABLE clock_notices (
  patient TEXT NOT NULL,
  at INTEGER NOT NULL, -- when the clocks change
  looked INTEGER NOT NULL,
  reminder TEXT, -- what tells it; NULL where it moves no dose
  PRIMARY KEY (patient, at),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
