-- People who sign in. Addresses are sealed; the blind index finds them without opening them.
CREATE TABLE accounts (
  account TEXT NOT NULL PRIMARY KEY,
  email_sealed BLOB NOT NULL,
  email_index BLOB NOT NULL,
  display_name TEXT NOT NULL,
  patient TEXT NOT NULL,
  password_hash TEXT,
  administrator BIGINT NOT NULL,
  language TEXT,
  created BIGINT NOT NULL,
  changed BIGINT NOT NULL
);
CREATE UNIQUE INDEX accounts_by_email ON accounts (email_index);

-- Only digests are kept: nobody who reads the database can sign in with what it holds.
CREATE TABLE sessions (
  digest BLOB NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  created BIGINT NOT NULL,
  expires BIGINT NOT NULL
);
CREATE INDEX sessions_by_account ON sessions (account);

CREATE TABLE tokens (
  digest BLOB NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  scope TEXT NOT NULL,
  created BIGINT NOT NULL,
  expires BIGINT
);
CREATE INDEX tokens_by_account ON tokens (account);

-- A one-time link with which the owner of an account chooses the password.
CREATE TABLE invitations (
  digest BLOB NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  created BIGINT NOT NULL,
  expires BIGINT NOT NULL,
  used BIGINT
);

-- The only source of access to a patient.
CREATE TABLE grants (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  relationship TEXT NOT NULL,
  starts BIGINT NOT NULL,
  ends BIGINT,
  PRIMARY KEY (patient, account, relationship)
);
CREATE INDEX grants_by_account ON grants (account);
