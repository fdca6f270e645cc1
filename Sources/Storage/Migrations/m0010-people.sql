-- What is shared with whom, how that comes about, and how the persons of an account are told apart.

-- categories: words with blanks between them; of no weight for 'self' and 'guardian'.
-- granted_by: the account that confirmed it; NULL for what came with the account itself.
ALTER TABLE grants ADD COLUMN categories TEXT NOT NULL
  DEFAULT 'medicines adherence heart-rate messages stock';
ALTER TABLE grants ADD COLUMN granted_by TEXT;

-- label: what notifications name the person by: initial, colour or nickname.
ALTER TABLE people ADD COLUMN label TEXT NOT NULL DEFAULT 'initial';
ALTER TABLE people ADD COLUMN nickname TEXT NOT NULL DEFAULT '';
ALTER TABLE people ADD COLUMN colour TEXT NOT NULL DEFAULT '';

-- A relationship that is offered. code_index finds the code that was typed, code_sealed shows it again
-- to those who may give it away. ends: of the grant that it becomes. hands_over: the guardian who
-- invites goes when it is confirmed. state: open, accepted, confirmed, declined or withdrawn.
CREATE TABLE grant_invitations (
  patient TEXT NOT NULL,
  invitation TEXT NOT NULL,
  code_index BLOB NOT NULL,
  code_sealed BLOB NOT NULL,
  relationship TEXT NOT NULL,
  categories TEXT NOT NULL,
  ends BIGINT,
  hands_over BIGINT NOT NULL,
  invited_by TEXT NOT NULL,
  created BIGINT NOT NULL,
  expires BIGINT NOT NULL,
  state TEXT NOT NULL,
  accepted_by TEXT,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, invitation)
);

CREATE UNIQUE INDEX grant_invitations_by_code ON grant_invitations (code_index);
CREATE INDEX grant_invitations_by_account ON grant_invitations (accepted_by)
  WHERE state = 'accepted';
