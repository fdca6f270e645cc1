-- Severe findings of the check that a practitioner confirmed having seen before it sent a prescription.
CREATE TABLE prescription_warnings (
  patient TEXT NOT NULL,
  proposal TEXT NOT NULL,
  warning TEXT NOT NULL,
  confirmed BIGINT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, proposal, warning)
);
