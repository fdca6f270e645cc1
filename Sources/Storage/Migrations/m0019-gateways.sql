-- Webhooks, texts and calls; calendars; guardians who are told only when nobody else answers.

-- proof_tries: codes that were typed wrong since the last test.
ALTER TABLE channel_addresses ADD COLUMN proof_tries BIGINT;

-- The last messages to what people set up themselves.
CREATE INDEX deliveries_by_address ON deliveries (address, planned)
  WHERE channel NOT IN ('push', 'mail');

-- The calendar that an account may fetch of a patient: its secret address as a digest, and sealed to be shown
-- again. fetched: when a calendar last asked for it.
CREATE TABLE calendar_feeds (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  secret_sealed BLOB NOT NULL,
  names_medicine BIGINT NOT NULL,
  created BIGINT NOT NULL,
  fetched BIGINT,
  PRIMARY KEY (patient, account)
);

CREATE UNIQUE INDEX calendar_feeds_by_hash ON calendar_feeds (secret_hash);
CREATE INDEX calendar_feeds_by_account ON calendar_feeds (account);


-- Guardians who chose to be told only when nobody answered, in the order of their choice.
CREATE TABLE ladder_standby (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  since BIGINT NOT NULL,
  PRIMARY KEY (patient, account)
);
