-- The name under which people see a medicine: with its strength, where the name does not say it. Filled in by
-- PlanRereading for plans from before.
ALTER TABLE plans ADD COLUMN shown_name TEXT;
