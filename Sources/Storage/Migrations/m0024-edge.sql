-- How often the devices that an account knows were ended, by another password or by signing out everywhere.
ALTER TABLE accounts ADD COLUMN device_epoch BIGINT NOT NULL DEFAULT 0;

-- code_index: a keyed hash of the digits that were sent to a phone number; null where a link was sent.
ALTER TABLE address_proofs ADD COLUMN code_index BLOB;
ALTER TABLE address_proofs ADD COLUMN tries BIGINT NOT NULL DEFAULT 0;

-- Which key for fields each running node seals with, so that none is dropped that a node still uses.
CREATE TABLE node_keys (
  node TEXT NOT NULL PRIMARY KEY,
  field_key TEXT NOT NULL,
  seen BIGINT NOT NULL
);
