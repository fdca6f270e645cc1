-- Messages: what relatives and the care team are told, conversations, the emergency card, care notes.

-- Someone who may be told about a person, with the person's consent.
CREATE TABLE message_recipients (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  offered_by TEXT NOT NULL, -- who chose it for the person
  offered INTEGER NOT NULL,
  agreed INTEGER, -- nothing is sent before
  -- 0 is told at once; others one after the other until one of them takes over
  place INTEGER NOT NULL CHECK (place >= 0),
  most INTEGER NOT NULL CHECK (most >= 0), -- notifications a day
  says INTEGER NOT NULL CHECK (says IN (0, 1)), -- a notification may carry the message
  may_nudge INTEGER NOT NULL CHECK (may_nudge IN (0, 1)),
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX message_recipients_by_account ON message_recipients (account);

-- What a recipient is told, and how; no row: not told.
CREATE TABLE message_rules (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  topic TEXT NOT NULL
    CHECK (topic IN ('refused', 'missed', 'missed-often', 'warning', 'heart-yes', 'morning-done', 'not-recorded',
      'stock-low', 'stock-out', 'more')),
  way TEXT NOT NULL CHECK (way IN ('now', 'digest')),
  number INTEGER NOT NULL CHECK (number >= 0), -- of "so many missed in so many days"
  days INTEGER NOT NULL CHECK (days >= 0),
  minute INTEGER NOT NULL CHECK (minute BETWEEN 0 AND 1439), -- of "not recorded by"
  since INTEGER NOT NULL, -- what happened before is not told
  PRIMARY KEY (patient, account, topic),
  FOREIGN KEY (patient, account) REFERENCES message_recipients (patient, account) ON DELETE CASCADE
) STRICT;

-- When to look at a person next; only people with recipients have a row.
CREATE TABLE message_checks (
  patient TEXT NOT NULL,
  next_look INTEGER NOT NULL,
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX message_checks_by_next ON message_checks (next_look);

-- A message to a recipient: one of each topic a day.
CREATE TABLE caregiver_messages (
  patient TEXT NOT NULL,
  notice TEXT NOT NULL,
  account TEXT NOT NULL,
  topic TEXT NOT NULL
    CHECK (topic IN ('refused', 'missed', 'missed-often', 'warning', 'heart-yes', 'morning-done', 'not-recorded',
      'stock-low', 'stock-out', 'more')),
  day TEXT NOT NULL CHECK (day LIKE '____-__-__'),
  fact TEXT NOT NULL, -- the first of what happened
  happened INTEGER NOT NULL,
  more INTEGER NOT NULL CHECK (more >= 0), -- how often it happened besides
  detail TEXT NOT NULL, -- JSON: ids, times and answers
  way TEXT NOT NULL CHECK (way IN ('now', 'digest')),
  state TEXT NOT NULL CHECK (state IN ('planned', 'told', 'settled', 'stopped', 'withdrawn')),
  tell_at INTEGER NOT NULL,
  subject TEXT, -- the reminder that brought it
  told INTEGER,
  seen INTEGER,
  acknowledged INTEGER,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, notice),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX caregiver_messages_by_key ON caregiver_messages (patient, account, topic, day);
CREATE INDEX caregiver_messages_by_account ON caregiver_messages (account, told) WHERE told IS NOT NULL;
CREATE INDEX caregiver_messages_by_change ON caregiver_messages (account, patient, changed);
CREATE INDEX caregiver_messages_by_care ON caregiver_messages (patient, acknowledged) WHERE acknowledged IS NOT NULL;
CREATE INDEX caregiver_messages_by_subject ON caregiver_messages (subject) WHERE subject IS NOT NULL;

-- The one notification of a recipient's day.
CREATE TABLE message_digests (
  account TEXT NOT NULL,
  day TEXT NOT NULL CHECK (day LIKE '____-__-__'),
  subject TEXT NOT NULL,
  PRIMARY KEY (account, day),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

-- A recipient's choices for everyone who tells them.
CREATE TABLE message_preferences (
  account TEXT NOT NULL,
  digest_minute INTEGER NOT NULL CHECK (digest_minute BETWEEN 0 AND 1439), -- on the recipient's own clock
  muted_until INTEGER,
  phone_sealed BLOB, -- the number under which those who tell them may call
  PRIMARY KEY (account),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

-- A recipient reminds the person of an open dose.
CREATE TABLE nudges (
  patient TEXT NOT NULL,
  day TEXT NOT NULL CHECK (day LIKE '____-__-__'),
  number INTEGER NOT NULL CHECK (number >= 1), -- in the person's day
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  plan TEXT NOT NULL,
  era INTEGER NOT NULL CHECK (era >= 1),
  occurrence TEXT NOT NULL,
  subject TEXT NOT NULL, -- the reminder
  at INTEGER NOT NULL,
  PRIMARY KEY (patient, day, number),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX nudges_by_subject ON nudges (subject);

-- A conversation between a patient and one other person.
CREATE TABLE chat_conversations (
  patient TEXT NOT NULL,
  conversation TEXT NOT NULL,
  member TEXT NOT NULL, -- the account on the other side; the conversation outlives it
  member_name TEXT NOT NULL, -- as it was with the last message
  relationship TEXT NOT NULL CHECK (relationship IN ('self', 'guardian', 'family', 'practitioner', 'emergency')),
  created INTEGER NOT NULL,
  last_number INTEGER NOT NULL CHECK (last_number >= 0), -- the number of the latest message
  last_at INTEGER NOT NULL,
  PRIMARY KEY (patient, conversation),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX chat_conversations_by_id ON chat_conversations (conversation);
CREATE INDEX chat_conversations_by_member ON chat_conversations (member, last_at);

-- A message of a conversation.
CREATE TABLE chat_messages (
  patient TEXT NOT NULL,
  conversation TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 1),
  message TEXT NOT NULL,
  event TEXT NOT NULL,
  sender TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('patient', 'member')),
  -- what the sender was to the patient
  role TEXT NOT NULL CHECK (role IN ('self', 'guardian', 'family', 'practitioner', 'emergency')),
  sent INTEGER NOT NULL, -- when it arrived here
  written INTEGER NOT NULL,
  body_sealed BLOB, -- the text with the sender's name; NULL once it was withdrawn
  has_photo INTEGER NOT NULL CHECK (has_photo IN (0, 1)),
  link_kind TEXT NOT NULL CHECK (link_kind IN ('', 'dose', 'warning')), -- '' for none
  link TEXT NOT NULL,
  withdrawn INTEGER,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, conversation, number),
  FOREIGN KEY (patient, conversation) REFERENCES chat_conversations (patient, conversation) ON DELETE CASCADE,
  CHECK ((body_sealed IS NULL) = (withdrawn IS NOT NULL)),
  CHECK ((link_kind = '') = (link = ''))
) STRICT;

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
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height >= 1),
  bytes_sealed BLOB NOT NULL,
  PRIMARY KEY (patient, message),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- How far an account has read a conversation.
CREATE TABLE chat_members (
  patient TEXT NOT NULL,
  conversation TEXT NOT NULL,
  account TEXT NOT NULL,
  seen_number INTEGER NOT NULL CHECK (seen_number >= 0),
  seen INTEGER,
  unread INTEGER NOT NULL CHECK (unread >= 0), -- messages of the other side after that
  notice TEXT, -- the reminder that tells of them
  PRIMARY KEY (patient, conversation, account),
  FOREIGN KEY (patient, conversation) REFERENCES chat_conversations (patient, conversation) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX chat_members_by_account ON chat_members (account);
CREATE INDEX chat_members_unread ON chat_members (account) WHERE unread > 0;
CREATE INDEX chat_members_by_notice ON chat_members (notice) WHERE notice IS NOT NULL;

-- Communications that other systems sent over /fhir; they are not messages of a conversation.
CREATE TABLE communications (
  patient TEXT NOT NULL,
  communication TEXT NOT NULL,
  status TEXT NOT NULL,
  sent INTEGER NOT NULL,
  created INTEGER NOT NULL,
  sent_by TEXT NOT NULL,
  body_sealed BLOB NOT NULL,
  PRIMARY KEY (patient, communication),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX communications_by_id ON communications (communication);
CREATE INDEX communications_by_time ON communications (patient, sent);

-- The emergency card of a person, opened with a link and a code.
CREATE TABLE emergency_cards (
  patient TEXT NOT NULL,
  card TEXT NOT NULL,
  secret_hash BLOB NOT NULL, -- finds the link that was opened
  secret_sealed BLOB NOT NULL, -- link and code are sealed, to be printed again
  code_sealed BLOB NOT NULL,
  shows_code INTEGER NOT NULL CHECK (shows_code IN (0, 1)), -- the code is printed next to the link
  account TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  refused INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0), -- wrong codes
  refused_last INTEGER,
  PRIMARY KEY (patient, card),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX emergency_cards_by_secret ON emergency_cards (secret_hash);

-- Each time a card was opened; kept when the card is removed.
CREATE TABLE emergency_card_openings (
  patient TEXT NOT NULL,
  opening TEXT NOT NULL,
  card TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (patient, opening),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX emergency_card_openings_by_time ON emergency_card_openings (patient, at);

-- A practitioner's note about a patient: for its author, and for the patient's own copy.
CREATE TABLE care_notes (
  patient TEXT NOT NULL,
  note TEXT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  text_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, note),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX care_notes_by_id ON care_notes (note);
