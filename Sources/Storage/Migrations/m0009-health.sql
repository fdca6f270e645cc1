-- Health data: heart rate, steps and weight, their monitoring, and what a person states about themselves.

-- One row for each metric, day and source.
CREATE TABLE vital_days (
  patient TEXT NOT NULL,
  metric TEXT NOT NULL
    CHECK (metric IN ('resting-heart-rate', 'heart-rate', 'walking-heart-rate', 'steps', 'weight')),
  day TEXT NOT NULL CHECK (day LIKE '____-__-__'), -- where it was measured
  source TEXT NOT NULL,
  value INTEGER, -- thousandths of a beat a minute, a step or a kilogram; NULL once it was withdrawn
  minimum INTEGER,
  count INTEGER NOT NULL CHECK (count >= 0),
  stamp INTEGER NOT NULL, -- when the value was calculated, seconds since 1970: the later one counts
  at INTEGER NOT NULL, -- of the latest measurement
  zone_offset INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  observation TEXT NOT NULL, -- its id over FHIR
  samples BLOB, -- second of the day, value and motion of each, packed
  revisions BLOB, -- each value that came, packed; NULL where there was one
  withdrawn BLOB, -- what was deleted, packed: the same does not come back
  PRIMARY KEY (patient, metric, day, source),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX vital_days_by_observation ON vital_days (observation);

-- The source whose values count where several measure the same; without a row the latest.
CREATE TABLE vital_preferences (
  patient TEXT NOT NULL,
  metric TEXT NOT NULL
    CHECK (metric IN ('resting-heart-rate', 'heart-rate', 'walking-heart-rate', 'steps', 'weight')),
  source TEXT NOT NULL,
  PRIMARY KEY (patient, metric),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- An Observation as it was sent.
CREATE TABLE vital_observations (
  patient TEXT NOT NULL,
  observation TEXT NOT NULL,
  metric TEXT NOT NULL
    CHECK (metric IN ('resting-heart-rate', 'heart-rate', 'walking-heart-rate', 'steps', 'weight')),
  day TEXT NOT NULL CHECK (day LIKE '____-__-__'),
  source TEXT NOT NULL,
  at INTEGER NOT NULL,
  body TEXT NOT NULL,
  created INTEGER NOT NULL,
  version INTEGER NOT NULL DEFAULT 1 CHECK (version >= 1),
  zone_offset INTEGER, -- as it was read in: the person's zone may change
  stamp INTEGER,
  thousandths INTEGER,
  PRIMARY KEY (patient, observation),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX vital_observations_by_day ON vital_observations (patient, metric, day, source);
CREATE INDEX vital_observations_by_id ON vital_observations (observation);

-- Each version but the present one, and at the end its deletion, which has no body. It outlives the observation.
CREATE TABLE vital_observation_versions (
  patient TEXT NOT NULL,
  observation TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  body TEXT,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, observation, version),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX vital_observation_versions_by_id ON vital_observation_versions (observation);

-- A person's settings for monitoring the resting heart rate.
CREATE TABLE heart_rate_monitoring (
  patient TEXT NOT NULL,
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  method TEXT NOT NULL CHECK (method IN ('boundary', 'dynamic', 'model')),
  window_from INTEGER NOT NULL CHECK (window_from BETWEEN 0 AND 24), -- hours on the person's clock
  window_until INTEGER NOT NULL CHECK (window_until BETWEEN 0 AND 24),
  -- the plans were chosen; else those of beta blockers are monitored
  is_chosen INTEGER NOT NULL CHECK (is_chosen IN (0, 1)),
  plans TEXT NOT NULL, -- ids, one per line
  has_wear INTEGER NOT NULL CHECK (has_wear IN (0, 1)), -- to say that a watch seems not to be worn
  news INTEGER NOT NULL, -- up to which news someone has read
  checked INTEGER NOT NULL, -- up to when vitals were looked at
  next_check INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  -- those who are told of unanswered doses are told of unanswered questions
  tells_family INTEGER NOT NULL DEFAULT 1 CHECK (tells_family IN (0, 1)),
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX heart_rate_monitoring_by_check ON heart_rate_monitoring (next_check) WHERE is_on = 1;

-- A limit; rows are only ever added, and the last one counts from its day.
CREATE TABLE heart_rate_boundaries (
  patient TEXT NOT NULL,
  boundary TEXT NOT NULL,
  since TEXT NOT NULL CHECK (since LIKE '____-__-__'),
  owner TEXT NOT NULL CHECK (owner IN ('provider', 'own')),
  value INTEGER, -- thousandths of a beat a minute; NULL where it follows from the average
  gap INTEGER NOT NULL,
  phase TEXT CHECK (phase IN ('on-medicine', 'before-medicine')),
  average INTEGER,
  days INTEGER CHECK (days >= 0), -- what a provider calculated it from
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, boundary),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- A question that was asked: one of each kind a day.
CREATE TABLE heart_rate_warnings (
  patient TEXT NOT NULL,
  warning TEXT NOT NULL, -- its subject in reminders too
  kind TEXT NOT NULL CHECK (kind IN ('heart', 'wear')),
  day TEXT NOT NULL CHECK (day LIKE '____-__-__'),
  created INTEGER NOT NULL,
  method TEXT NOT NULL CHECK (method IN ('boundary', 'dynamic', 'model')),
  is_monitored INTEGER NOT NULL CHECK (is_monitored IN (0, 1)),
  heart_rate INTEGER, -- thousandths, like the next two
  usual INTEGER,
  boundary INTEGER,
  doses_in_doubt INTEGER NOT NULL CHECK (doses_in_doubt >= 0),
  steps_share INTEGER,
  answer TEXT CHECK (answer IN ('yes', 'no', 'unwell', 'closed')),
  answered INTEGER,
  answered_by TEXT,
  done TEXT CHECK (done IN ('later', 'nothing', 'recorded')),
  done_at INTEGER,
  PRIMARY KEY (patient, warning),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((answer IS NULL) = (answered IS NULL)),
  CHECK ((done IS NULL) = (done_at IS NULL))
) STRICT;

CREATE UNIQUE INDEX heart_rate_warnings_by_day ON heart_rate_warnings (patient, kind, day);
CREATE UNIQUE INDEX heart_rate_warnings_by_id ON heart_rate_warnings (warning);

-- A person's own encouraging messages, shown in turn with the program's.
CREATE TABLE heart_rate_messages (
  patient TEXT NOT NULL,
  message TEXT NOT NULL,
  words TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, message),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- An address for widgets and watch faces, which shows a few values.
CREATE TABLE heart_rate_glances (
  patient TEXT NOT NULL,
  glance TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  account TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, glance),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX heart_rate_glances_by_secret ON heart_rate_glances (secret_hash);
CREATE INDEX heart_rate_glances_by_account ON heart_rate_glances (account);

-- The answers to the weekly questions, as FHIR QuestionnaireResponse.
CREATE TABLE heart_rate_questionnaires (
  patient TEXT NOT NULL,
  week TEXT NOT NULL CHECK (week LIKE '____-__-__'), -- its Monday
  response TEXT NOT NULL,
  body TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, week),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- A plan that is no longer monitored: doses due until then are still in doubt.
CREATE TABLE heart_rate_unmonitored (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;

-- "My doctor knows about this". Taken back, it stays as it was said.
CREATE TABLE interaction_notes (
  patient TEXT NOT NULL,
  note TEXT NOT NULL,
  warning TEXT NOT NULL, -- Knowledge.InteractionWarning
  said INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  taken_back INTEGER,
  taken_back_account TEXT,
  taken_back_by TEXT,
  PRIMARY KEY (patient, note),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((taken_back IS NULL) = (taken_back_account IS NULL)),
  CHECK ((taken_back IS NULL) = (taken_back_by IS NULL))
) STRICT;

CREATE INDEX interaction_notes_by_warning ON interaction_notes (patient, warning);

-- An illness or state that someone stated for the person.
CREATE TABLE stated_conditions (
  patient TEXT NOT NULL,
  condition TEXT NOT NULL, -- as the list names it: cond:asthma
  since INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, condition),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

-- The most of an ingredient within a number of hours, whichever products it comes from.
CREATE TABLE ingredient_limits (
  patient TEXT NOT NULL,
  ingredient TEXT NOT NULL,
  value TEXT NOT NULL, -- a decimal as written
  unit TEXT NOT NULL,
  hours INTEGER NOT NULL CHECK (hours >= 1),
  since INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, ingredient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
