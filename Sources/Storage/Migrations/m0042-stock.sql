-- What a household has of a medicine. Amounts are whole numbers of millionths of the stock's unit, so that sums are
-- exact on every engine. patient: to whom the stock belongs. strength: what one unit holds. form: Adherence.StockForm.
-- open_days: how long it keeps once opened, where the label says. repeats: how often the prescription could be had
-- again when that was last said, at ledger number repeats_number. counted_at, counted_number: the last count; what
-- was taken before it is in it. next_check: when the alerts are looked at again. ended: no longer counted.
CREATE TABLE stocks (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  medicine_name TEXT NOT NULL,
  unit TEXT NOT NULL,
  unit_code TEXT,
  strength_value TEXT,
  strength_unit TEXT,
  form TEXT NOT NULL,
  open_days BIGINT,
  pack_size BIGINT NOT NULL,
  lead_days BIGINT,
  repeats BIGINT,
  repeats_number BIGINT NOT NULL,
  is_quiet BIGINT NOT NULL,
  counted_at BIGINT NOT NULL,
  counted_number BIGINT NOT NULL,
  next_check BIGINT NOT NULL,
  ended BIGINT,
  created BIGINT NOT NULL,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, stock)
);

CREATE INDEX stocks_by_check ON stocks (next_check) WHERE ended IS NULL;

-- A pack. expires, opened: days. is_kept: somebody said that it is used past its day. is_void: it was added by mistake.
CREATE TABLE stock_lots (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  lot TEXT NOT NULL,
  number BIGINT NOT NULL,
  size BIGINT NOT NULL,
  expires TEXT,
  opened TEXT,
  label TEXT,
  is_kept BIGINT NOT NULL,
  is_void BIGINT NOT NULL,
  added BIGINT NOT NULL,
  PRIMARY KEY (patient, stock, lot)
);

-- Who takes from a stock: medicine is a plan's id, or the key of a name for what is taken without a plan. owner: the
-- patient to whom the stock belongs.
CREATE TABLE stock_uses (
  patient TEXT NOT NULL,
  medicine TEXT NOT NULL,
  owner TEXT NOT NULL,
  stock TEXT NOT NULL,
  since BIGINT NOT NULL,
  PRIMARY KEY (patient, medicine)
);

CREATE INDEX stock_uses_by_stock ON stock_uses (owner, stock);

-- The ledger: facts, only ever added. patient: whose entry it is; what somebody took is theirs, whoever owns the stock.
-- lot: '' for what no pack accounts for. number: 1, 2, ... within a stock. amount: signed. is_counted: 0 where the
-- amount that was taken could not be told in the stock's unit. act: what entries of one command share, or the act
-- that an entry takes back.
CREATE TABLE stock_entries (
  patient TEXT NOT NULL,
  entry TEXT NOT NULL,
  owner TEXT NOT NULL,
  stock TEXT NOT NULL,
  number BIGINT NOT NULL,
  lot TEXT NOT NULL,
  kind TEXT NOT NULL,
  amount BIGINT NOT NULL,
  is_counted BIGINT NOT NULL,
  at BIGINT NOT NULL,
  recorded BIGINT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  administration TEXT,
  act TEXT,
  PRIMARY KEY (patient, entry)
);

CREATE INDEX stock_entries_by_number ON stock_entries (owner, stock, number);
CREATE INDEX stock_entries_by_administration ON stock_entries (patient, administration);

-- What is left in each pack: the sum of its entries.
CREATE TABLE stock_balances (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  lot TEXT NOT NULL,
  amount BIGINT NOT NULL,
  PRIMARY KEY (patient, stock, lot)
);
