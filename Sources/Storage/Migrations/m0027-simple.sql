-- Persons whose first page is the simple one: one question, two buttons. account: who chose it.
CREATE TABLE simple_views (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  since BIGINT NOT NULL,
  PRIMARY KEY (patient)
);
