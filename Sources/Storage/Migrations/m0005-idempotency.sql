-- First answers to writes that carried an Idempotency-Key; kept 30 days.
CREATE TABLE idempotency (
  credential TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_digest BLOB NOT NULL,
  status BIGINT NOT NULL,
  media_type TEXT NOT NULL,
  location TEXT,
  etag TEXT,
  last_modified TEXT,
  body BLOB NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (credential, method, path, idempotency_key)
);
CREATE INDEX idempotency_by_age ON idempotency (created);
