-- The emergency card of a person, opened with a link and a code.

-- secret_hash finds the link that was opened; link and code are sealed, to be printed again. shows_code: whether the
-- code is printed beside the link.
CREATE TABLE emergency_cards (
  patient TEXT NOT NULL,
  card TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  secret_sealed BLOB NOT NULL,
  code_sealed BLOB NOT NULL,
  shows_code BIGINT NOT NULL,
  account TEXT NOT NULL,
  created BIGINT NOT NULL,
  expires BIGINT NOT NULL,
  PRIMARY KEY (patient, card)
);

CREATE UNIQUE INDEX emergency_cards_by_secret ON emergency_cards (secret_hash);

-- Each opening; kept when the card is ended.
CREATE TABLE emergency_card_openings (
  patient TEXT NOT NULL,
  opening TEXT NOT NULL,
  card TEXT NOT NULL,
  at BIGINT NOT NULL,
  PRIMARY KEY (patient, opening)
);

CREATE INDEX emergency_card_openings_by_time ON emergency_card_openings (patient, at);
