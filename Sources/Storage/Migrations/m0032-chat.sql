-- Conversations between a patient and each person with whom messages are shared.

-- One for each patient and member. member: the account on the other side. member_name, relationship: as
-- they were with the last message. last_number: the number of the latest message, given once each.
CREATE TABLE chat_conversations (
  patient TEXT NOT NULL,
  conversation TEXT NOT NULL,
  member TEXT NOT NULL,
  member_name TEXT NOT NULL,
  relationship TEXT NOT NULL,
  created BIGINT NOT NULL,
  last_number BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  PRIMARY KEY (patient, conversation)
);

CREATE INDEX chat_conversations_by_id ON chat_conversations (conversation);
CREATE INDEX chat_conversations_by_member ON chat_conversations (member, last_at);

-- side: patient or member. role: what the sender was to the patient. sent: when it came here. written:
-- when it was written. body_sealed: the words with the sender's name, NULL once it was taken back.
-- link_kind: '', dose or warning. changed: when it came or was taken back.
CREATE TABLE chat_messages (
  patient TEXT NOT NULL,
  conversation TEXT NOT NULL,
  number BIGINT NOT NULL,
  message TEXT NOT NULL,
  event TEXT NOT NULL,
  sender TEXT NOT NULL,
  side TEXT NOT NULL,
  role TEXT NOT NULL,
  sent BIGINT NOT NULL,
  written BIGINT NOT NULL,
  body_sealed BLOB,
  has_photo BIGINT NOT NULL,
  link_kind TEXT NOT NULL,
  link TEXT NOT NULL,
  withdrawn BIGINT,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, conversation, number)
);

CREATE UNIQUE INDEX chat_messages_by_event ON chat_messages (patient, conversation, sender, event);
CREATE INDEX chat_messages_by_id ON chat_messages (message);
CREATE INDEX chat_messages_by_sender ON chat_messages (sender, sent);
CREATE INDEX chat_messages_by_change ON chat_messages (patient, changed);
CREATE INDEX chat_messages_by_patient ON chat_messages (patient, sent);
CREATE INDEX chat_messages_by_time ON chat_messages (sent);

-- The photo of a message, re-encoded by this program.
CREATE TABLE chat_photos (
  patient TEXT NOT NULL,
  message TEXT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  bytes_sealed BLOB NOT NULL,
  PRIMARY KEY (patient, message)
);

-- How far an account has read. seen: when it had come so far. unread: messages of the other side behind
-- that. notice: the reminder that tells of them, at most one until they are read.
CREATE TABLE chat_members (
  patient TEXT NOT NULL,
  conversation TEXT NOT NULL,
  account TEXT NOT NULL,
  seen_number BIGINT NOT NULL,
  seen BIGINT,
  unread BIGINT NOT NULL,
  notice TEXT,
  PRIMARY KEY (patient, conversation, account)
);

CREATE INDEX chat_members_unread ON chat_members (account) WHERE unread > 0;
CREATE INDEX chat_members_by_notice ON chat_members (notice) WHERE notice IS NOT NULL;
