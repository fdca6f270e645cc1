-- Automatic messages: what relatives and the care team are told of a person, by the person's own consent.

-- Who may be told. offered_by: who chose it for the person. agreed: when the one who is told said yes; nothing
-- leaves before. place: 0 is told at once, others one after the other until somebody takes care of it. most: in a
-- day. says: whether a notification may carry the message. may_nudge: whether they may remind the person.
CREATE TABLE message_recipients (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  offered_by TEXT NOT NULL,
  offered BIGINT NOT NULL,
  agreed BIGINT,
  place BIGINT NOT NULL,
  most BIGINT NOT NULL,
  says BIGINT NOT NULL,
  may_nudge BIGINT NOT NULL,
  PRIMARY KEY (patient, account)
);

CREATE INDEX message_recipients_by_account ON message_recipients (account);

-- way: now or digest; what is not told has no row. number, days: of "so many missed in so many days". minute: after
-- midnight, of "not recorded by". since: what happened before is not told.
CREATE TABLE message_rules (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  topic TEXT NOT NULL,
  way TEXT NOT NULL,
  number BIGINT NOT NULL,
  days BIGINT NOT NULL,
  minute BIGINT NOT NULL,
  since BIGINT NOT NULL,
  PRIMARY KEY (patient, account, topic)
);

-- When to look at a person next; only those who are told of have a row.
CREATE TABLE message_looks (
  patient TEXT NOT NULL PRIMARY KEY,
  next_look BIGINT NOT NULL
);

CREATE INDEX message_looks_by_next ON message_looks (next_look);

-- What is told: one of each topic, person and recipient a day. fact: the first of what happened, happened: when;
-- more: how often besides. detail: JSON with ids, times and what was answered. way: now or digest. state: planned,
-- told, settled (it is no longer so), stopped (somebody takes care of it) or withdrawn (no consent any more).
-- subject: the reminder that brought it.
CREATE TABLE notices (
  patient TEXT NOT NULL,
  notice TEXT NOT NULL,
  account TEXT NOT NULL,
  topic TEXT NOT NULL,
  day TEXT NOT NULL,
  fact TEXT NOT NULL,
  happened BIGINT NOT NULL,
  more BIGINT NOT NULL,
  detail TEXT NOT NULL,
  way TEXT NOT NULL,
  state TEXT NOT NULL,
  tell_at BIGINT NOT NULL,
  subject TEXT,
  told BIGINT,
  seen BIGINT,
  acknowledged BIGINT,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, notice)
);

CREATE UNIQUE INDEX notices_by_key ON notices (patient, account, topic, day);
CREATE INDEX notices_by_account ON notices (account, told) WHERE told IS NOT NULL;
CREATE INDEX notices_by_change ON notices (account, patient, changed) WHERE told IS NOT NULL;
CREATE INDEX notices_by_care ON notices (patient, acknowledged) WHERE acknowledged IS NOT NULL;
CREATE INDEX notices_by_subject ON notices (subject) WHERE subject IS NOT NULL;

-- The one notification of a recipient's day.
CREATE TABLE message_digests (
  account TEXT NOT NULL,
  day TEXT NOT NULL,
  subject TEXT NOT NULL,
  PRIMARY KEY (account, day)
);

-- What a recipient chose for all who tell them. digest_minute: after midnight on their own clock. phone_sealed: the
-- number under which those who tell them may call.
CREATE TABLE message_preferences (
  account TEXT NOT NULL PRIMARY KEY,
  digest_minute BIGINT NOT NULL,
  muted_until BIGINT,
  phone_sealed BLOB
);

-- A recipient reminds the person of an open dose. number: from 1, in the person's day. subject: the reminder.
CREATE TABLE nudges (
  patient TEXT NOT NULL,
  day TEXT NOT NULL,
  number BIGINT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  plan TEXT NOT NULL,
  era BIGINT NOT NULL,
  occurrence TEXT NOT NULL,
  subject TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (patient, day, number)
);

CREATE INDEX nudges_by_subject ON nudges (subject);
