-- What a plan allows at most, read from its MedicationRequest so that an answer never parses it. limits: JSON, see
-- Adherence.PlanLimits. A plan that states no limits has no row.
CREATE TABLE plan_limits (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  limits TEXT NOT NULL,
  PRIMARY KEY (patient, plan)
);
