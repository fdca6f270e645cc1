-- CDS Hooks: the systems that may ask for decision support, and the tokens that they have used.

-- A system that may ask. It acts with the rights of an account and goes with it.
CREATE TABLE cds_clients (
  issuer TEXT NOT NULL, -- the address by which its tokens name it
  account TEXT NOT NULL,
  key_set TEXT NOT NULL, -- its public keys (RFC 7517)
  every_patient INTEGER NOT NULL CHECK (every_patient IN (0, 1)),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created INTEGER NOT NULL,
  used INTEGER, -- about when it last asked
  PRIMARY KEY (issuer),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX cds_clients_by_account ON cds_clients (account);

-- The digests of used tokens, kept until the tokens expire, so that none is accepted twice.
CREATE TABLE cds_used_tokens (
  digest BLOB NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest)
) STRICT;
