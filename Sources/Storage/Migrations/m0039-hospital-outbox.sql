-- Answers on their way to hospitals: one row for each administration and connection.

-- version: of the record, as it is to be there; remote_id: under which the hospital keeps it.
-- state: waiting, reached, refused, or none (it is not the hospital's). next_try: when it may be
-- claimed, the end of the lease while it is. attempt fences results; tries: since it last changed.
-- trouble: what went wrong last, by its code; words: what the hospital said of it.
CREATE TABLE hospital_outbox (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  administration TEXT NOT NULL,
  version BIGINT NOT NULL,
  remote_id TEXT,
  state TEXT NOT NULL,
  next_try BIGINT NOT NULL,
  attempt BIGINT NOT NULL,
  tries BIGINT NOT NULL,
  trouble TEXT,
  words TEXT,
  reached BIGINT,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, connection, administration)
);

CREATE INDEX hospital_outbox_to_send ON hospital_outbox (next_try) WHERE state = 'waiting';

CREATE INDEX resources_administrations_by_change ON resources (patient, last_updated)
  WHERE type = 'MedicationAdministration';
CREATE INDEX imported_administrations_by_record ON imported_administrations
  (patient, administration);
CREATE INDEX plan_sources_by_plan ON plan_sources (patient, plan);
