-- The sealed digest of the record's version that a row is about, so that a changed or missing version is found.
ALTER TABLE audit ADD COLUMN digest BLOB;
