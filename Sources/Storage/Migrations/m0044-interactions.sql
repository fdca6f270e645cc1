-- What a person says of warnings about medicines that do not go together, and what is known for them.

-- "I know, my doctor knows": warning names it, see Knowledge.InteractionWarning. Taken back it stays as it was said.
CREATE TABLE interaction_notes (
  patient TEXT NOT NULL,
  note TEXT NOT NULL,
  warning TEXT NOT NULL,
  said BIGINT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  taken_back BIGINT,
  taken_back_account TEXT,
  taken_back_by TEXT,
  PRIMARY KEY (patient, note)
);

CREATE INDEX interaction_notes_by_warning ON interaction_notes (patient, warning);

-- Illnesses and states that somebody stated of the person, as rows of the list name them: cond:asthma.
CREATE TABLE stated_conditions (
  patient TEXT NOT NULL,
  condition TEXT NOT NULL,
  since BIGINT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, condition)
);

-- The most of an ingredient within so many hours, whichever products it comes from. value: a decimal as written.
CREATE TABLE ingredient_limits (
  patient TEXT NOT NULL,
  ingredient TEXT NOT NULL,
  value TEXT NOT NULL,
  unit TEXT NOT NULL,
  hours BIGINT NOT NULL,
  since BIGINT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, ingredient)
);
