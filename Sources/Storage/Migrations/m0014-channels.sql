-- Channels besides push, and links that answer without a sign-in.

-- A link in a mail or a notification: one outcome for the doses that its delivery named. Only the digest
-- of its secret is kept. expires: the end of the last late window. used: when it answered.
CREATE TABLE action_links (
  patient TEXT NOT NULL,
  link_hash BLOB NOT NULL,
  delivery TEXT NOT NULL,
  recipient TEXT NOT NULL,
  action TEXT NOT NULL,
  doses TEXT NOT NULL,
  expires BIGINT NOT NULL,
  used BIGINT,
  PRIMARY KEY (patient, link_hash)
);

CREATE UNIQUE INDEX action_links_by_hash ON action_links (link_hash);
CREATE INDEX action_links_by_expiry ON action_links (expires);

-- What an account chose for its mailbox. link_hash: of the link that turns it off; silenced: since when
-- no reminder goes there.
CREATE TABLE mailbox_choices (
  account TEXT NOT NULL PRIMARY KEY,
  link_hash BLOB,
  silenced BIGINT
);

CREATE UNIQUE INDEX mailbox_choices_by_hash ON mailbox_choices (link_hash);

-- What a person set up besides push and mail: an ntfy topic, a webhook. settings_sealed: where it leads
-- and what signs in there. proof_hash: of the link in the test that is under way; confirmed: when the
-- person tapped it; nothing rings there before. gone: removed, the rest is kept for the story.
CREATE TABLE channel_addresses (
  address TEXT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  channel TEXT NOT NULL,
  form TEXT NOT NULL,
  host TEXT NOT NULL,
  settings_sealed BLOB NOT NULL,
  created BIGINT NOT NULL,
  proof_hash BLOB,
  proof_expires BIGINT,
  confirmed BIGINT,
  gone BIGINT
);

CREATE INDEX channel_addresses_by_account ON channel_addresses (account);
CREATE UNIQUE INDEX channel_addresses_by_proof ON channel_addresses (proof_hash);

-- A person's own ladder; none: the standard one. recipient: '' for whoever acts, else the account of
-- somebody of the family.
CREATE TABLE ladder_rungs (
  patient TEXT NOT NULL,
  rung BIGINT NOT NULL,
  minutes BIGINT NOT NULL,
  channel TEXT NOT NULL,
  recipient TEXT NOT NULL,
  PRIMARY KEY (patient, rung)
);

-- quiet_from, quiet_until: minutes after midnight on the person's clock. names_medicine: whether
-- notifications to those who act say what is to be taken.
CREATE TABLE ladder_settings (
  patient TEXT NOT NULL PRIMARY KEY,
  quiet_from BIGINT,
  quiet_until BIGINT,
  names_medicine BIGINT NOT NULL
);

-- Who of the family is to be told when nobody answers: offered by one side, accepted by the other.
CREATE TABLE ladder_agreements (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  offered_by TEXT NOT NULL,
  offered BIGINT NOT NULL,
  accepted BIGINT,
  PRIMARY KEY (patient, account)
);

CREATE INDEX ladder_agreements_by_account ON ladder_agreements (account);

-- The channels on which an account is not told of a patient: words with blanks between them.
CREATE TABLE silenced_channels (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  channels TEXT NOT NULL,
  PRIMARY KEY (patient, account)
);

-- What a person said about the reminders of one medicine.
CREATE TABLE plan_reminders (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  is_critical BIGINT NOT NULL,
  is_silent BIGINT NOT NULL,
  PRIMARY KEY (patient, plan)
);
