-- What people wrote to the operator and no mail program has taken yet; a row goes when its mail went.
CREATE TABLE feedback (
  feedback TEXT NOT NULL PRIMARY KEY,
  account TEXT NOT NULL,
  text_sealed BLOB NOT NULL,
  created BIGINT NOT NULL,
  attempts BIGINT NOT NULL,
  next_try BIGINT NOT NULL
);
CREATE INDEX feedback_by_next_try ON feedback (next_try);
