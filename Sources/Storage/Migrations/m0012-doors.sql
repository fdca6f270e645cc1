-- The doors of accounts: second factors, passkeys, and sessions that say when they were last proved.

-- kind: trusted (the person's own device) or passing. proof: with what its owner was proved last.
-- device: browser and system in two words.
ALTER TABLE sessions ADD COLUMN kind TEXT NOT NULL DEFAULT 'trusted';
ALTER TABLE sessions ADD COLUMN device TEXT NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN seen BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN proved BIGINT NOT NULL DEFAULT 0;
ALTER TABLE sessions ADD COLUMN proof TEXT NOT NULL DEFAULT 'password';
UPDATE sessions SET seen = created, proved = created;

-- short_password: it is too short to stand alone; a second factor went before it when it was chosen.
ALTER TABLE accounts ADD COLUMN short_password BIGINT NOT NULL DEFAULT 0;

-- Codes of an authenticator app (RFC 6238). last_step: the step of the last code that was taken.
CREATE TABLE code_apps (
  account TEXT NOT NULL PRIMARY KEY,
  seed_sealed BLOB NOT NULL,
  last_step BIGINT NOT NULL,
  created BIGINT NOT NULL
);

-- One-time codes for the day on which the app or the passkey is lost; only a keyed hash is kept.
CREATE TABLE recovery_codes (
  account TEXT NOT NULL,
  code_hash BLOB NOT NULL,
  used BIGINT,
  PRIMARY KEY (account, code_hash)
);

-- WebAuthn credentials. signs: the counter that the authenticator told last.
CREATE TABLE passkeys (
  credential_digest BLOB NOT NULL PRIMARY KEY,
  passkey TEXT NOT NULL,
  account TEXT NOT NULL,
  credential BLOB NOT NULL,
  public_key BLOB NOT NULL,
  algorithm BIGINT NOT NULL,
  relying_party TEXT NOT NULL,
  signs BIGINT NOT NULL,
  name TEXT NOT NULL,
  created BIGINT NOT NULL,
  used BIGINT
);
CREATE UNIQUE INDEX passkeys_by_account ON passkeys (account, passkey);

-- Challenges that were answered: each is good for one answer.
CREATE TABLE used_challenges (
  digest BLOB NOT NULL PRIMARY KEY,
  expires BIGINT NOT NULL
);

-- Passwords that were right, waiting for the second step.
CREATE TABLE pending_sign_ins (
  digest BLOB NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  kind TEXT NOT NULL,
  created BIGINT NOT NULL,
  expires BIGINT NOT NULL
);
CREATE INDEX pending_sign_ins_by_account ON pending_sign_ins (account);

-- A device that is signed in lets one other in. secret_sealed: what its picture shows. claim_digest: of
-- the secret that the other device holds. state: open, claimed, confirmed, declined or used.
CREATE TABLE device_sign_ins (
  digest BLOB NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  secret_sealed BLOB NOT NULL,
  claim_digest BLOB,
  device TEXT NOT NULL,
  number BIGINT NOT NULL,
  state TEXT NOT NULL,
  created BIGINT NOT NULL,
  expires BIGINT NOT NULL
);
CREATE INDEX device_sign_ins_by_account ON device_sign_ins (account);
CREATE UNIQUE INDEX device_sign_ins_by_claim ON device_sign_ins (claim_digest);
