-- Plans, doses, answers and intakes. Plans and doses follow from the records of Records; answers are facts.
-- A plan is never deleted while the person is here, and a plan with answers cannot be.

-- A projection of a MedicationRequest.
CREATE TABLE plans (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL, -- the logical id of the MedicationRequest
  request_version INTEGER NOT NULL CHECK (request_version >= 1),
  -- MedicationRequest.status
  status TEXT NOT NULL
    CHECK (status IN ('active', 'on-hold', 'cancelled', 'completed', 'entered-in-error', 'stopped', 'draft',
      'unknown')),
  unplanned_reason TEXT, -- why no reminder can be planned: "code" or "code:detail"
  medicine_name TEXT NOT NULL,
  ingredients TEXT NOT NULL, -- keys, one per line
  policy TEXT NOT NULL CHECK (policy IN ('follow', 'home', 'elapsed')),
  era INTEGER NOT NULL CHECK (era >= 1),
  kind TEXT NOT NULL CHECK (kind IN ('calendar', 'elapsed', 'instants', 'none')),
  anchor INTEGER NOT NULL, -- written when the plan is first active
  anchor_date TEXT NOT NULL CHECK (anchor_date LIKE '____-__-__'),
  active_from INTEGER NOT NULL, -- no dose before it; 9223372036854775807 while never active
  minimum_gap INTEGER CHECK (minimum_gap >= 0), -- milliseconds
  planned_through INTEGER NOT NULL, -- doses due before it exist; 9223372036854775807 when there are no more
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  -- the first month that is not summed up yet: year * 12 + month - 1
  statistics_through INTEGER NOT NULL DEFAULT 0 CHECK (statistics_through >= 0),
  statistics_zone TEXT NOT NULL DEFAULT '',
  statistics_next INTEGER NOT NULL DEFAULT 0, -- when there may be another month
  shown_name TEXT, -- the name that people see, with the strength where the name lacks it
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX plans_by_figures ON plans (statistics_next);
CREATE INDEX plans_by_horizon ON plans (planned_through) WHERE status = 'active' AND unplanned_reason IS NULL;

-- A period in which a plan's times mean the same; an edit or another zone opens the next one.
CREATE TABLE plan_eras (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era INTEGER NOT NULL CHECK (era >= 1),
  zone TEXT NOT NULL,
  kind TEXT NOT NULL,
  starts INTEGER NOT NULL,
  PRIMARY KEY (patient, plan, era),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- A time of day of a plan.
CREATE TABLE plan_slots (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  slot INTEGER NOT NULL,
  dosage INTEGER NOT NULL CHECK (dosage >= 0), -- index in dosageInstruction
  time TEXT NOT NULL, -- "08:00:00", or an event with minutes: "ACM", "ACM+20"
  retired INTEGER,
  PRIMARY KEY (patient, plan, slot),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- Days on and days off of a plan. A plan without a cycle has no row.
CREATE TABLE plan_cycles (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  first_day TEXT NOT NULL CHECK (first_day LIKE '____-__-__'),
  days_on INTEGER NOT NULL CHECK (days_on >= 1),
  days_off INTEGER NOT NULL CHECK (days_off >= 1),
  last_day TEXT CHECK (last_day LIKE '____-__-__'), -- NULL for a plan without an end
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE,
  CHECK (last_day >= first_day)
) STRICT;

-- The limits of a plan, read from its MedicationRequest. A plan without limits has no row.
CREATE TABLE plan_limits (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  limits TEXT NOT NULL, -- JSON: Adherence.PlanLimits
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- A person's reminder settings for one medicine.
CREATE TABLE plan_reminders (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  is_critical INTEGER NOT NULL CHECK (is_critical IN (0, 1)),
  is_silent INTEGER NOT NULL CHECK (is_silent IN (0, 1)),
  lead INTEGER CHECK (lead >= 0), -- minutes by which doses are announced
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

CREATE INDEX plan_reminders_with_lead ON plan_reminders (patient, plan) WHERE lead IS NOT NULL;

-- A person's confirmation of a warning about a plan or a proposal. Rows are only ever added.
CREATE TABLE plan_confirmations (
  patient TEXT NOT NULL,
  subject TEXT NOT NULL, -- the plan, or the proposal that becomes one
  question TEXT NOT NULL, -- such as too-often-methotrexate
  made INTEGER NOT NULL,
  stated TEXT NOT NULL, -- what was confirmed: the number of doses, or the amount
  typed TEXT NOT NULL, -- what the person typed or ticked
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, subject, question, made),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- A medicine that an account is adding, changing or prescribing step by step. Deleted when it is saved, sent or
-- discarded, and after 30 days.
CREATE TABLE medicine_drafts (
  patient TEXT NOT NULL,
  draft TEXT NOT NULL, -- the plan or proposal that it becomes; of a change, a name of its own
  account TEXT NOT NULL, -- the only one that sees it
  purpose TEXT NOT NULL CHECK (purpose IN ('change', 'new', 'prescription')),
  plan TEXT, -- the plan that it changes
  plan_version INTEGER, -- of that plan, when the change was begun
  name TEXT NOT NULL,
  fields TEXT NOT NULL, -- the form as typed so far
  version INTEGER NOT NULL CHECK (version >= 1),
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, draft),
  CHECK ((purpose = 'change') = (plan IS NOT NULL)),
  CHECK ((plan IS NULL) = (plan_version IS NULL)),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE,
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

CREATE INDEX medicine_drafts_by_plan ON medicine_drafts (patient, plan);
CREATE INDEX medicine_drafts_by_account ON medicine_drafts (account, draft);
CREATE INDEX medicine_drafts_by_age ON medicine_drafts (changed);

-- A dose that a plan expects. That its state is what its answers say is compared by verify and put right by rebuild.
CREATE TABLE doses (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era INTEGER NOT NULL CHECK (era >= 1),
  occurrence TEXT NOT NULL, -- Scheduling.OccurrenceID
  due INTEGER NOT NULL,
  on_time_until INTEGER NOT NULL,
  late_until INTEGER NOT NULL,
  next_due INTEGER,
  amount_value TEXT,
  amount_unit TEXT,
  amount_code TEXT,
  state TEXT NOT NULL
    CHECK (state = 'open' OR state = 'taken' OR state = 'skipped' OR state = 'refused' OR state = 'withheld' OR
      state = 'cancelled'),
  state_reason TEXT
    CHECK (state_reason = 'edit' OR state_reason = 'zone-change' OR state_reason = 'stopped' OR
      state_reason = 'paused' OR state_reason = 'unplanned'),
  later_until INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  answer TEXT, -- the answer in force
  reminder TEXT, -- the subject of its reminder; '' for a dose that never rings
  rings_at INTEGER, -- in a reminder: when it was to ring, NULL once it left; without one: when it was opened again
  answered_at INTEGER, -- when it was taken, or said not to be; NULL while it is open
  PRIMARY KEY (patient, plan, era, occurrence),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE,
  CHECK (on_time_until <= late_until)
) STRICT;

CREATE INDEX doses_by_due ON doses (patient, due);
CREATE INDEX doses_by_plan ON doses (patient, plan, due);
CREATE INDEX doses_by_reminder ON doses (reminder) WHERE reminder IS NOT NULL;
CREATE INDEX doses_left_out ON doses (patient, due) WHERE state IN ('skipped', 'refused');
CREATE INDEX doses_not_taken ON doses (patient, due) WHERE state IN ('open', 'refused');
CREATE INDEX doses_to_ring ON doses (COALESCE(later_until, due)) WHERE state = 'open' AND reminder IS NULL;

-- A dose that a person moved; moved again, it has its last time here.
CREATE TABLE dose_moves (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era INTEGER NOT NULL CHECK (era >= 1),
  occurrence TEXT NOT NULL,
  due INTEGER NOT NULL,
  moved INTEGER NOT NULL, -- when that was said
  account TEXT NOT NULL,
  PRIMARY KEY (patient, plan, era, occurrence),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- A person's decision about the doses after one that was taken late.
CREATE TABLE dose_reschedulings (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era INTEGER NOT NULL CHECK (era >= 1), -- of the dose taken late
  occurrence TEXT NOT NULL,
  taken INTEGER NOT NULL, -- as it stood when that was decided
  decision TEXT NOT NULL CHECK (decision IN ('moved', 'left')),
  decided INTEGER NOT NULL,
  account TEXT NOT NULL,
  PRIMARY KEY (patient, plan, era, occurrence),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- A dose that was moved for a late one.
CREATE TABLE rescheduled_doses (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  late_era INTEGER NOT NULL CHECK (late_era >= 1), -- of the dose taken late
  late_occurrence TEXT NOT NULL,
  era INTEGER NOT NULL CHECK (era >= 1),
  occurrence TEXT NOT NULL,
  due INTEGER NOT NULL, -- where it was moved to
  was INTEGER NOT NULL, -- when it was due before
  was_moved INTEGER NOT NULL CHECK (was_moved IN (0, 1)), -- a person had moved it there
  PRIMARY KEY (patient, plan, late_era, late_occurrence, era, occurrence),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- A dose without an answer of which someone said that they do not know.
CREATE TABLE unknown_doses (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  era INTEGER NOT NULL CHECK (era >= 1),
  occurrence TEXT NOT NULL,
  account TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (patient, plan, era, occurrence),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- Facts, never rewritten. An answer outlives the row of its dose, which is a projection; it keeps its plan from being
-- deleted.
CREATE TABLE answers (
  patient TEXT NOT NULL,
  answer TEXT NOT NULL,
  plan TEXT, -- NULL: an entry without a plan
  era INTEGER CHECK (era >= 1),
  occurrence TEXT, -- NULL: an extra dose
  event TEXT, -- makes a repeated request the same answer
  action TEXT NOT NULL
    CHECK (action = 'taken' OR action = 'skipped' OR action = 'refused' OR action = 'later' OR action = 'undo'),
  at INTEGER NOT NULL,
  recorded INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  reason TEXT,
  amount_value TEXT,
  amount_unit TEXT,
  minutes INTEGER CHECK (minutes >= 0), -- of "later"
  dose_version INTEGER CHECK (dose_version >= 1),
  corrects INTEGER,
  administration TEXT, -- the MedicationAdministration
  PRIMARY KEY (patient, answer),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE NO ACTION,
  CHECK ((era IS NULL) = (occurrence IS NULL)),
  CHECK (occurrence IS NULL OR plan IS NOT NULL)
) STRICT;

CREATE UNIQUE INDEX answers_by_event ON answers (patient, event);
CREATE INDEX answers_beside_doses ON answers (patient, at) WHERE occurrence IS NULL;
CREATE INDEX answers_by_dose ON answers (patient, plan, era, occurrence);
CREATE INDEX answers_left_out ON answers (patient, at) WHERE occurrence IS NULL AND action = 'skipped';
CREATE INDEX answers_taken_back ON answers (patient, administration) WHERE occurrence IS NULL AND action = 'undo';

-- What counts as taken now: one row per MedicationAdministration with the status completed.
CREATE TABLE intakes (
  patient TEXT NOT NULL,
  administration TEXT NOT NULL,
  plan TEXT,
  era INTEGER CHECK (era >= 1),
  occurrence TEXT,
  medicine_name TEXT NOT NULL,
  ingredients TEXT NOT NULL, -- keys, one per line
  taken INTEGER NOT NULL,
  recorded INTEGER NOT NULL,
  by_name TEXT NOT NULL,
  amount_value TEXT,
  amount_unit TEXT,
  PRIMARY KEY (patient, administration),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((era IS NULL) = (occurrence IS NULL)),
  CHECK (occurrence IS NULL OR plan IS NOT NULL)
) STRICT;

CREATE INDEX intakes_beside_doses ON intakes (patient, taken) WHERE occurrence IS NULL;
CREATE INDEX intakes_by_time ON intakes (patient, taken);

-- Sums of finished months, made from doses; a month without doses has no row.
CREATE TABLE monthly_statistics (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  month INTEGER NOT NULL CHECK (month >= 0), -- year * 12 + month - 1 in plans.statistics_zone
  statistics BLOB NOT NULL,
  PRIMARY KEY (patient, month, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

CREATE INDEX monthly_statistics_by_plan ON monthly_statistics (patient, plan);

-- What a medicine looks like, as its person says.
CREATE TABLE medicine_appearances (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  shape TEXT NOT NULL
    CHECK (shape IN ('round', 'oval', 'oblong', 'capsule', 'square', 'triangle', 'drops', 'liquid', 'inhaler',
      'spray', 'patch', 'injection', 'cream', 'sachet', 'suppository')),
  color TEXT
    CHECK (color IN ('white', 'beige', 'yellow', 'orange', 'pink', 'red', 'purple', 'blue', 'green', 'brown',
      'grey', 'black', 'clear')),
  second_color TEXT
    CHECK (second_color IN ('white', 'beige', 'yellow', 'orange', 'pink', 'red', 'purple', 'blue', 'green', 'brown',
      'grey', 'black', 'clear')),
  is_scored INTEGER NOT NULL CHECK (is_scored IN (0, 1)), -- it has a line to break it at
  imprint TEXT, -- the letters and numbers on it
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE,
  CHECK (second_color IS NULL OR color IS NOT NULL)
) STRICT;

-- Photos of a medicine, re-encoded by this program in two sizes.
CREATE TABLE medicine_photos (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  place INTEGER NOT NULL CHECK (place BETWEEN 1 AND 3),
  photo TEXT NOT NULL, -- new with each photo
  width INTEGER NOT NULL CHECK (width >= 1), -- of the large one
  height INTEGER NOT NULL CHECK (height >= 1),
  byte_count INTEGER NOT NULL CHECK (byte_count >= 0), -- of both, before they were sealed
  large_sealed BLOB NOT NULL,
  small_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, plan, place),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

CREATE INDEX medicine_photos_by_photo ON medicine_photos (patient, photo);
CREATE INDEX medicine_photos_by_id ON medicine_photos (photo);

-- A link by which anyone sees a report until it expires.
CREATE TABLE report_links (
  patient TEXT NOT NULL,
  link TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  account TEXT NOT NULL, -- who made it
  first_day TEXT NOT NULL CHECK (first_day LIKE '____-__-__'),
  last_day TEXT NOT NULL CHECK (last_day LIKE '____-__-__'),
  language TEXT NOT NULL,
  created INTEGER NOT NULL,
  ends INTEGER NOT NULL,
  opened INTEGER NOT NULL DEFAULT 0 CHECK (opened >= 0),
  last_opened INTEGER,
  PRIMARY KEY (patient, link),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE,
  CHECK (last_day >= first_day)
) STRICT;

CREATE UNIQUE INDEX report_links_by_hash ON report_links (secret_hash);
CREATE INDEX report_links_by_account ON report_links (account);
