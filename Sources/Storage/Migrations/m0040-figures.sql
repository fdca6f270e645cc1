-- Figures of months that are over, so that ten years are read as fast as ten weeks. Made from doses, and made anew by
-- `regimen rebuild`. month: year * 12 + month - 1 in the zone of plans.figures_zone; a month without doses has no row.
CREATE TABLE figure_months (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  month BIGINT NOT NULL,
  figures BLOB NOT NULL,
  PRIMARY KEY (patient, month, plan)
);

-- figures_through: the first month that is not folded yet; figures_next: when there may be one more.
ALTER TABLE plans ADD COLUMN figures_through BIGINT NOT NULL DEFAULT 0;
ALTER TABLE plans ADD COLUMN figures_zone TEXT NOT NULL DEFAULT '';
ALTER TABLE plans ADD COLUMN figures_next BIGINT NOT NULL DEFAULT 0;

CREATE INDEX plans_by_figures ON plans (figures_next);
