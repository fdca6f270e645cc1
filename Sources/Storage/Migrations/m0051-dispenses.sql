-- What a pharmacy handed out, as other systems tell it: offered once as a pack. dispense: its record. source_key, turn:
-- by what it is recognised when it comes again, and which of several it is that came under that. request_keys, ingredients: the prescriptions that it names and what it is,
-- a line each. handed_over, expires: days. state: 'waiting' until it was handed out, 'open' while it is offered,
-- 'added', 'declined', 'gone' where its source took it back. owner, stock, act: the pack that was made of it.
-- decided_value, decided_unit, decided_code: the amount that its source said then.
CREATE TABLE stock_dispenses (
  patient TEXT NOT NULL,
  dispense TEXT NOT NULL,
  source_key TEXT NOT NULL,
  turn BIGINT NOT NULL,
  digest TEXT NOT NULL,
  request_keys TEXT NOT NULL,
  ingredients TEXT NOT NULL,
  medicine_name TEXT NOT NULL,
  amount_value TEXT,
  amount_unit TEXT,
  amount_code TEXT,
  handed_over TEXT,
  expires TEXT,
  label TEXT,
  state TEXT NOT NULL,
  is_withdrawn BIGINT NOT NULL,
  received BIGINT NOT NULL,
  owner TEXT,
  stock TEXT,
  act TEXT,
  decided BIGINT,
  account TEXT,
  by_name TEXT,
  decided_value TEXT,
  decided_unit TEXT,
  decided_code TEXT,
  PRIMARY KEY (patient, dispense)
);

CREATE UNIQUE INDEX stock_dispenses_by_source ON stock_dispenses (patient, source_key, turn);
CREATE INDEX stock_dispenses_by_state ON stock_dispenses (patient, state);

-- The dispense that a pack came from, so that none is booked twice.
ALTER TABLE stock_entries ADD COLUMN dispense TEXT;
