-- Guesses at passwords and codes, counted by what they aim at and by where they come from. A bucket is
-- a keyed hash: neither an address nor an account can be read from it.
CREATE TABLE attempts (
  bucket BLOB NOT NULL PRIMARY KEY,
  failures BIGINT NOT NULL,
  latest BIGINT NOT NULL
);
CREATE INDEX attempts_by_latest ON attempts (latest);

-- As whom somebody signs in elsewhere. subject_index: a keyed hash of issuer and subject, by which the
-- account is found. label_sealed: what the provider calls the person, to recognise it by.
CREATE TABLE identities (
  identity TEXT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  provider TEXT NOT NULL,
  subject_index BLOB NOT NULL,
  label_sealed BLOB NOT NULL,
  created BIGINT NOT NULL,
  used BIGINT
);
CREATE UNIQUE INDEX identities_by_subject ON identities (subject_index);
CREATE INDEX identities_by_account ON identities (account);

-- Sign-ins that are under way at a provider: one row until the browser comes back, then gone. Only
-- digests: the state is in the address, the rest in a cookie of the browser that began.
CREATE TABLE provider_visits (
  state BLOB NOT NULL PRIMARY KEY,
  browser BLOB NOT NULL,
  provider TEXT NOT NULL,
  account TEXT,
  next_path TEXT,
  expires BIGINT NOT NULL
);
CREATE INDEX provider_visits_by_expires ON provider_visits (expires);

-- What a signed-in person has proved at a provider and has yet to confirm here.
CREATE TABLE identity_offers (
  ticket BLOB NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  provider TEXT NOT NULL,
  subject_index BLOB NOT NULL,
  label_sealed BLOB NOT NULL,
  expires BIGINT NOT NULL
);
CREATE INDEX identity_offers_by_expires ON identity_offers (expires);
