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
