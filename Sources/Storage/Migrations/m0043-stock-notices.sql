-- Of what a person was told about a stock, so that each is told once. subject: 'run-out', or 'expiry ' and the pack.
-- level: days before it. told_number: the ledger's last number then; a later pack or count lets it be told again.
-- reminder: the reminder that tells it; NULL where something nearer was told in its place.
CREATE TABLE stock_notices (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  subject TEXT NOT NULL,
  level BIGINT NOT NULL,
  told_number BIGINT NOT NULL,
  told_at BIGINT NOT NULL,
  reminder TEXT,
  PRIMARY KEY (patient, stock, subject, level)
);

CREATE INDEX stock_notices_by_reminder ON stock_notices (patient, reminder);
