-- Tokens that their owner can tell apart. prefix: the first characters; used: about when it was last used.
ALTER TABLE tokens ADD COLUMN prefix TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN label TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN used BIGINT;

-- by_phone: the sealed name is a phone number, to which no mail can go.
ALTER TABLE accounts ADD COLUMN by_phone BIGINT NOT NULL DEFAULT 0;
-- Since when it is known that the account's owner reads its address; null: nobody has shown it.
ALTER TABLE accounts ADD COLUMN address_proved BIGINT;

-- An address that an account wants to have, until whoever reads it says yes. One for each account.
CREATE TABLE address_proofs (
  digest BLOB NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  address_sealed BLOB NOT NULL,
  created BIGINT NOT NULL,
  expires BIGINT NOT NULL
);
CREATE INDEX address_proofs_by_account ON address_proofs (account);
