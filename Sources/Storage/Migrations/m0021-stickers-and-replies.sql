-- Stickers on boxes and shelves, and answers that come as a text, a call or a chat message.

-- A sticker with an address that opens the answer to what is due. Only the digest of the address is kept.
CREATE TABLE stickers (
  patient TEXT NOT NULL,
  sticker TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  plan TEXT, -- NULL: a place with several medicines
  minute INTEGER CHECK (minute >= 0 AND minute < 1440), -- the local time of a place's doses; NULL: any
  created INTEGER NOT NULL,
  used INTEGER, -- when an answer last came by it
  PRIMARY KEY (patient, sticker),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE,
  CHECK (plan IS NULL OR minute IS NULL)
) STRICT;

CREATE UNIQUE INDEX stickers_by_hash ON stickers (secret_hash);
CREATE INDEX stickers_by_plan ON stickers (patient, plan);

-- A phone number that reminders went to and that may answer them. Only a keyed digest of it is kept.
CREATE TABLE reply_senders (
  sender BLOB NOT NULL,
  address TEXT NOT NULL,
  account TEXT NOT NULL,
  stopped INTEGER, -- when it asked for no more messages
  PRIMARY KEY (sender, address),
  FOREIGN KEY (address) REFERENCES channel_addresses (address) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX reply_senders_by_address ON reply_senders (address);
CREATE INDEX reply_senders_by_account ON reply_senders (account);

-- What the last message of a number left open.
CREATE TABLE reply_talks (
  sender BLOB NOT NULL,
  account TEXT NOT NULL,
  misread INTEGER NOT NULL CHECK (misread >= 0), -- messages in a row that said nothing
  action TEXT CHECK (action IN ('taken', 'later', 'skipped')), -- waits for the number of a reminder
  listed TEXT, -- reminders, one per line, as they were numbered
  changed INTEGER NOT NULL,
  PRIMARY KEY (sender),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE,
  CHECK ((action IS NULL) = (listed IS NULL))
) STRICT;

CREATE INDEX reply_talks_by_account ON reply_talks (account);
CREATE INDEX reply_talks_by_change ON reply_talks (changed);

-- A reminder that a number may answer.
CREATE TABLE reply_offers (
  patient TEXT NOT NULL,
  delivery TEXT NOT NULL,
  sender BLOB NOT NULL,
  account TEXT NOT NULL, -- the recipient, in whose name it is answered
  subject TEXT NOT NULL,
  doses TEXT NOT NULL, -- ids, one per line, as the message named them
  sent INTEGER NOT NULL,
  expires INTEGER NOT NULL, -- the end of the last late window
  PRIMARY KEY (patient, delivery),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX reply_offers_by_sender ON reply_offers (sender, expires);
CREATE INDEX reply_offers_by_account ON reply_offers (account);
CREATE INDEX reply_offers_by_expiry ON reply_offers (expires);

-- The digests of received messages, so that none counts twice.
CREATE TABLE reply_messages (
  digest BLOB NOT NULL,
  received INTEGER NOT NULL,
  PRIMARY KEY (digest)
) STRICT;

CREATE INDEX reply_messages_by_time ON reply_messages (received);

-- A code that links a chat with an account, once.
CREATE TABLE chat_codes (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX chat_codes_by_account ON chat_codes (account);
CREATE INDEX chat_codes_by_expiry ON chat_codes (expires);

-- What is said back to a number or a chat, until it is sent.
CREATE TABLE reply_texts (
  reply_text TEXT NOT NULL,
  account TEXT NOT NULL,
  text_sealed BLOB NOT NULL, -- with the number or the chat
  next_try INTEGER NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt >= 0),
  expires INTEGER NOT NULL,
  PRIMARY KEY (reply_text),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX reply_texts_by_account ON reply_texts (account);
CREATE INDEX reply_texts_to_send ON reply_texts (next_try);
