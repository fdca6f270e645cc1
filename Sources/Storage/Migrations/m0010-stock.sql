-- Stock: the medicines at home. Amounts are millionths of the stock's unit, so that sums are exact.

-- What a household has of a medicine.
CREATE TABLE stocks (
  patient TEXT NOT NULL, -- the owner
  stock TEXT NOT NULL,
  medicine_name TEXT NOT NULL,
  unit TEXT NOT NULL,
  unit_code TEXT,
  strength_value TEXT, -- what one unit holds
  strength_unit TEXT,
  form TEXT NOT NULL
    CHECK (form IN ('other', 'blister', 'loose', 'liquid', 'made-up', 'eye-ear-drops', 'eye-ointment', 'cream',
      'insulin')),
  open_days INTEGER CHECK (open_days >= 0), -- how long it keeps once opened, where the label says so
  pack_size INTEGER NOT NULL CHECK (pack_size >= 0),
  lead_days INTEGER CHECK (lead_days >= 0),
  repeats INTEGER CHECK (repeats >= 0), -- repeats left when that was last said
  repeats_number INTEGER NOT NULL CHECK (repeats_number >= 0), -- the ledger's number then
  is_quiet INTEGER NOT NULL CHECK (is_quiet IN (0, 1)),
  counted_at INTEGER NOT NULL, -- the last count; what was taken before is in it
  counted_number INTEGER NOT NULL CHECK (counted_number >= 0),
  next_check INTEGER NOT NULL,
  ended INTEGER,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  doctor_weeks INTEGER CHECK (doctor_weeks >= 0), -- how long a new prescription takes; NULL where no one said
  PRIMARY KEY (patient, stock),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((strength_value IS NULL) = (strength_unit IS NULL))
) STRICT;

CREATE INDEX stocks_by_check ON stocks (next_check) WHERE ended IS NULL;

-- A pack.
CREATE TABLE stock_lots (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  lot TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 1),
  size INTEGER NOT NULL CHECK (size >= 0),
  expires TEXT CHECK (expires LIKE '____-__-__'),
  opened TEXT CHECK (opened LIKE '____-__-__'),
  label TEXT,
  is_kept INTEGER NOT NULL CHECK (is_kept IN (0, 1)), -- someone said that it is used past its date
  is_void INTEGER NOT NULL CHECK (is_void IN (0, 1)), -- it was added by mistake
  added INTEGER NOT NULL,
  -- it came on the prescription and uses up a repeat
  is_prescribed INTEGER NOT NULL DEFAULT 1 CHECK (is_prescribed IN (0, 1)),
  PRIMARY KEY (patient, stock, lot),
  FOREIGN KEY (patient, stock) REFERENCES stocks (patient, stock) ON DELETE CASCADE
) STRICT;

-- Who takes from a stock.
CREATE TABLE stock_uses (
  patient TEXT NOT NULL,
  medicine TEXT NOT NULL, -- a plan's id, or the key of a name for what is taken without a plan
  owner TEXT NOT NULL,
  stock TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (patient, medicine),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (owner, stock) REFERENCES stocks (patient, stock) ON DELETE CASCADE
) STRICT;

CREATE INDEX stock_uses_by_stock ON stock_uses (owner, stock);

-- The ledger: facts, only ever added. What someone took is theirs, whoever owns the stock: before a person is erased,
-- their part in stocks of others becomes a sum of no one's.
CREATE TABLE stock_entries (
  patient TEXT NOT NULL,
  entry TEXT NOT NULL,
  owner TEXT NOT NULL,
  stock TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 0), -- 1, 2, ... within a stock
  lot TEXT NOT NULL, -- '' for what no pack accounts for
  kind TEXT NOT NULL
    CHECK (kind = 'counted' OR kind = 'added' OR kind = 'taken' OR kind = 'undone' OR kind = 'lost' OR
      kind = 'thrown-away' OR kind = 'given-back' OR kind = 'moved' OR kind = 'kept' OR kind = 'erased'),
  amount INTEGER NOT NULL, -- signed
  -- 0 where the amount could not be expressed in the stock's unit
  is_counted INTEGER NOT NULL CHECK (is_counted IN (0, 1)),
  at INTEGER NOT NULL,
  recorded INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  administration TEXT,
  act TEXT, -- shared by the entries of one command, or the act that an entry takes back
  dispense TEXT, -- the dispense that a pack came from: none is booked twice
  PRIMARY KEY (patient, entry),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (owner, stock) REFERENCES stocks (patient, stock) ON DELETE CASCADE
) STRICT;

CREATE INDEX stock_entries_by_number ON stock_entries (owner, stock, number);
CREATE INDEX stock_entries_by_administration ON stock_entries (patient, administration);

-- What is left in each pack: the sum of its entries.
CREATE TABLE stock_balances (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  lot TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (patient, stock, lot),
  FOREIGN KEY (patient, stock) REFERENCES stocks (patient, stock) ON DELETE CASCADE
) STRICT;

-- What a person was told about a stock, so that each is told once.
CREATE TABLE stock_notices (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  subject TEXT NOT NULL, -- 'run-out', or 'expiry ' and the pack
  level INTEGER NOT NULL, -- days before it
  -- the ledger's last number then; a later pack or count lets it be told again
  told_number INTEGER NOT NULL CHECK (told_number >= 0),
  told_at INTEGER NOT NULL,
  reminder TEXT, -- NULL where something nearer was told in its place
  PRIMARY KEY (patient, stock, subject, level),
  FOREIGN KEY (patient, stock) REFERENCES stocks (patient, stock) ON DELETE CASCADE
) STRICT;

CREATE INDEX stock_notices_by_reminder ON stock_notices (patient, reminder);

-- A stock that runs low or has run out, for those with whom it is shared.
CREATE TABLE stock_marks (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  mark TEXT NOT NULL CHECK (mark IN ('low', 'out')),
  since INTEGER NOT NULL, -- the same until a pack came or it was counted after run_number
  run_number INTEGER NOT NULL CHECK (run_number >= 0),
  runs_out INTEGER NOT NULL, -- when the first dose is missing
  runs_out_day TEXT NOT NULL CHECK (runs_out_day LIKE '____-__-__'), -- the owner's day of that
  holds INTEGER NOT NULL CHECK (holds IN (0, 1)), -- 0 where it is not so now
  PRIMARY KEY (patient, stock, mark),
  FOREIGN KEY (patient, stock) REFERENCES stocks (patient, stock) ON DELETE CASCADE
) STRICT;

-- What a pharmacy dispensed, as other systems tell it: offered once as a pack.
CREATE TABLE stock_dispenses (
  patient TEXT NOT NULL,
  dispense TEXT NOT NULL, -- its record
  source_key TEXT NOT NULL, -- recognizes it when it comes again
  turn INTEGER NOT NULL CHECK (turn >= 0), -- which of several under the same key
  digest TEXT NOT NULL,
  request_keys TEXT NOT NULL, -- the prescriptions that it names, one per line
  ingredients TEXT NOT NULL,
  medicine_name TEXT NOT NULL,
  amount_value TEXT,
  amount_unit TEXT,
  amount_code TEXT,
  handed_over TEXT CHECK (handed_over LIKE '____-__-__'),
  expires TEXT CHECK (expires LIKE '____-__-__'),
  label TEXT,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'open', 'added', 'declined', 'gone')),
  is_withdrawn INTEGER NOT NULL CHECK (is_withdrawn IN (0, 1)),
  received INTEGER NOT NULL,
  owner TEXT, -- the stock that it became a pack of; NULL again when that stock is erased
  stock TEXT,
  act TEXT,
  decided INTEGER,
  account TEXT,
  by_name TEXT,
  decided_value TEXT, -- the amount that its source stated then
  decided_unit TEXT,
  decided_code TEXT,
  PRIMARY KEY (patient, dispense),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (owner, stock) REFERENCES stocks (patient, stock) ON DELETE SET NULL,
  CHECK ((owner IS NULL) = (stock IS NULL))
) STRICT;

CREATE INDEX stock_dispenses_by_stock ON stock_dispenses (owner, stock);
CREATE UNIQUE INDEX stock_dispenses_by_source ON stock_dispenses (patient, source_key, turn);
CREATE INDEX stock_dispenses_by_state ON stock_dispenses (patient, state);
