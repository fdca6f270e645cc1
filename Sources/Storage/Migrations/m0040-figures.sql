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

-- Links by which anybody sees a report until they end. first_day, last_day: yyyy-MM-dd. account: who made it.
CREATE TABLE report_links (
  patient TEXT NOT NULL,
  link TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  account TEXT NOT NULL,
  first_day TEXT NOT NULL,
  last_day TEXT NOT NULL,
  language TEXT NOT NULL,
  created BIGINT NOT NULL,
  ends BIGINT NOT NULL,
  opened BIGINT NOT NULL DEFAULT 0,
  last_opened BIGINT,
  PRIMARY KEY (patient, link)
);

CREATE UNIQUE INDEX report_links_by_hash ON report_links (secret_hash);
CREATE INDEX report_links_by_account ON report_links (account);
