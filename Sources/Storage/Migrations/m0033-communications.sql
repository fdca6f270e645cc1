-- Communications that other systems sent over /fhir, whole; they are no messages of a conversation.

CREATE TABLE communications (
  patient TEXT NOT NULL,
  communication TEXT NOT NULL,
  status TEXT NOT NULL,
  sent BIGINT NOT NULL,
  created BIGINT NOT NULL,
  sent_by TEXT NOT NULL,
  body_sealed BLOB NOT NULL,
  PRIMARY KEY (patient, communication)
);

CREATE INDEX communications_by_id ON communications (communication);
CREATE INDEX communications_by_time ON communications (patient, sent);
