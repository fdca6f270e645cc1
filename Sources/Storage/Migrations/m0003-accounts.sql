-- Accounts: sign-in, access to patients, and practitioners.

-- Someone who can sign in. It goes with its own patient.
CREATE TABLE accounts (
  account TEXT NOT NULL,
  email_sealed BLOB NOT NULL,
  email_index BLOB NOT NULL, -- blind index that finds an address without opening it
  display_name TEXT NOT NULL,
  patient TEXT NOT NULL, -- the account's own patient
  password_hash TEXT,
  administrator INTEGER NOT NULL CHECK (administrator IN (0, 1)),
  language TEXT,
  created INTEGER NOT NULL,
  changed INTEGER NOT NULL,
  short_password INTEGER NOT NULL DEFAULT 0 CHECK (short_password IN (0, 1)), -- too short to be the only factor
  -- the sealed address is a phone number, which receives no mail
  by_phone INTEGER NOT NULL DEFAULT 0 CHECK (by_phone IN (0, 1)),
  address_proved INTEGER, -- since when the owner is known to read the address
  device_epoch INTEGER NOT NULL DEFAULT 0 CHECK (device_epoch >= 0), -- how often all known devices were signed out
  PRIMARY KEY (account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX accounts_by_email ON accounts (email_index);
CREATE INDEX accounts_by_patient ON accounts (patient);

-- A signed-in browser. Only the digest of its secret is kept.
CREATE TABLE sessions (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  -- the person's own device, or a borrowed one
  kind TEXT NOT NULL DEFAULT 'trusted' CHECK (kind IN ('trusted', 'passing')),
  device TEXT NOT NULL DEFAULT '', -- browser and system in two words
  seen INTEGER NOT NULL DEFAULT 0,
  proved INTEGER NOT NULL DEFAULT 0, -- when the owner last proved who they are
  proof TEXT NOT NULL DEFAULT 'password'
    CHECK (proof IN ('password', 'code', 'recovery-code', 'passkey', 'link', 'device', 'setup')),
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX sessions_by_account ON sessions (account);

-- A token of the API. Only its digest is kept.
CREATE TABLE tokens (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  scope TEXT NOT NULL, -- TokenScope; a token that only sends vitals names its patient
  created INTEGER NOT NULL,
  expires INTEGER,
  prefix TEXT NOT NULL DEFAULT '', -- the first characters, to tell tokens apart
  label TEXT NOT NULL DEFAULT '',
  used INTEGER, -- about when it was last used
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE,
  CHECK (scope IN ('system/*.cruds', 'user/*.cruds', 'patient/*.cruds', 'user/*.rs', 'patient/*.rs') OR scope LIKE
    'patient/Observation.c?patient=_%')
) STRICT;

CREATE INDEX tokens_by_account ON tokens (account);

-- A one-time link with which the owner of an account chooses a password.
CREATE TABLE invitations (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  used INTEGER,
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX invitations_by_account ON invitations (account);

-- The only source of access to a patient.
CREATE TABLE grants (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  relationship TEXT NOT NULL CHECK (relationship IN ('self', 'guardian', 'family', 'practitioner', 'emergency')),
  starts INTEGER NOT NULL,
  ends INTEGER,
  -- words separated by spaces; not used for self and guardian
  categories TEXT NOT NULL DEFAULT 'medicines adherence heart-rate messages stock',
  granted_by TEXT, -- the account that confirmed it; NULL for the account's own patient
  narrowed INTEGER, -- when it last came to share less: links made before are dead
  PRIMARY KEY (patient, account, relationship),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX grants_by_account ON grants (account);

-- A relationship that is offered.
CREATE TABLE grant_invitations (
  patient TEXT NOT NULL,
  invitation TEXT NOT NULL,
  code_index BLOB NOT NULL, -- finds the code that was typed
  code_sealed BLOB NOT NULL, -- shows it again to those who may pass it on
  relationship TEXT NOT NULL CHECK (relationship IN ('self', 'guardian', 'family', 'practitioner', 'emergency')),
  categories TEXT NOT NULL,
  ends INTEGER, -- of the grant that it becomes
  -- the inviting guardian's access ends with the confirmation
  hands_over INTEGER NOT NULL CHECK (hands_over IN (0, 1)),
  invited_by TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'confirmed', 'declined', 'withdrawn')),
  accepted_by TEXT,
  changed INTEGER NOT NULL,
  asked TEXT, -- the practitioner whom the patient chose; NULL for a code that is passed on
  PRIMARY KEY (patient, invitation),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX grant_invitations_by_code ON grant_invitations (code_index);
CREATE INDEX grant_invitations_by_account ON grant_invitations (accepted_by) WHERE state = 'accepted';
CREATE INDEX grant_invitations_by_asked ON grant_invitations (asked) WHERE state = 'open';

-- Invitations that an account had mailed, kept for a day to limit their number.
CREATE TABLE invitation_mails (
  account TEXT NOT NULL,
  mail TEXT NOT NULL,
  sent INTEGER NOT NULL,
  PRIMARY KEY (account, mail),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

-- The seed of an authenticator app (RFC 6238).
CREATE TABLE code_apps (
  account TEXT NOT NULL,
  seed_sealed BLOB NOT NULL,
  last_step INTEGER NOT NULL, -- the step of the last accepted code
  created INTEGER NOT NULL,
  PRIMARY KEY (account),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

-- One-time codes for when the app or the passkey is lost; only a keyed hash is kept.
CREATE TABLE recovery_codes (
  account TEXT NOT NULL,
  code_hash BLOB NOT NULL,
  used INTEGER,
  PRIMARY KEY (account, code_hash),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

-- WebAuthn credentials.
CREATE TABLE passkeys (
  credential_digest BLOB NOT NULL,
  passkey TEXT NOT NULL,
  account TEXT NOT NULL,
  credential BLOB NOT NULL,
  public_key BLOB NOT NULL,
  algorithm INTEGER NOT NULL CHECK (algorithm IN (-7, -8)), -- COSE: ES256 or EdDSA
  relying_party TEXT NOT NULL,
  signs INTEGER NOT NULL CHECK (signs >= 0), -- the authenticator's counter
  name TEXT NOT NULL,
  created INTEGER NOT NULL,
  used INTEGER,
  PRIMARY KEY (credential_digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX passkeys_by_account ON passkeys (account, passkey);

-- Challenges that were answered: each is good for one answer.
CREATE TABLE used_challenges (
  digest BLOB NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest)
) STRICT;

-- A correct password that waits for the second factor.
CREATE TABLE pending_sign_ins (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('trusted', 'passing')),
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX pending_sign_ins_by_account ON pending_sign_ins (account);

-- A device that is signed in lets another one in.
CREATE TABLE device_sign_ins (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  secret_sealed BLOB NOT NULL, -- shown as a QR code
  claim_digest BLOB, -- of the secret that the other device holds
  device TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 0), -- shown on both devices
  state TEXT NOT NULL CHECK (state IN ('open', 'claimed', 'confirmed', 'declined', 'used')),
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX device_sign_ins_by_account ON device_sign_ins (account);
CREATE UNIQUE INDEX device_sign_ins_by_claim ON device_sign_ins (claim_digest);

-- Failed passwords and codes, counted by their target and by their origin. A bucket is a keyed hash.
CREATE TABLE attempts (
  bucket BLOB NOT NULL,
  failures INTEGER NOT NULL CHECK (failures >= 0),
  latest INTEGER NOT NULL,
  PRIMARY KEY (bucket)
) STRICT;

CREATE INDEX attempts_by_latest ON attempts (latest);

-- A sign-in at another provider that belongs to an account.
CREATE TABLE identities (
  identity TEXT NOT NULL,
  account TEXT NOT NULL,
  provider TEXT NOT NULL,
  subject_index BLOB NOT NULL, -- keyed hash of issuer and subject
  label_sealed BLOB NOT NULL, -- the provider's name for the person
  created INTEGER NOT NULL,
  used INTEGER,
  PRIMARY KEY (identity),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX identities_by_subject ON identities (subject_index);
CREATE INDEX identities_by_account ON identities (account);

-- A sign-in under way at a provider. Only digests: the state is in the address, the rest in a cookie.
CREATE TABLE provider_visits (
  state BLOB NOT NULL,
  browser BLOB NOT NULL,
  provider TEXT NOT NULL,
  account TEXT, -- NULL while it is not known who signs in
  next_path TEXT,
  expires INTEGER NOT NULL,
  PRIMARY KEY (state),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX provider_visits_by_account ON provider_visits (account);
CREATE INDEX provider_visits_by_expires ON provider_visits (expires);

-- An identity that was proved at a provider and waits for confirmation here.
CREATE TABLE identity_offers (
  ticket BLOB NOT NULL,
  account TEXT NOT NULL,
  provider TEXT NOT NULL,
  subject_index BLOB NOT NULL,
  label_sealed BLOB NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (ticket),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX identity_offers_by_account ON identity_offers (account);
CREATE INDEX identity_offers_by_expires ON identity_offers (expires);

-- A sign-in address that an account asks for, until its reader confirms it. One for each account.
CREATE TABLE address_proofs (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  address_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  code_index BLOB, -- keyed hash of the digits sent to a phone; NULL where a link was sent
  tries INTEGER NOT NULL DEFAULT 0 CHECK (tries >= 0),
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX address_proofs_by_account ON address_proofs (account);

-- A message to the operator that no mail program has accepted yet; the row goes when its mail is sent.
CREATE TABLE feedback (
  feedback TEXT NOT NULL,
  account TEXT NOT NULL,
  text_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  attempts INTEGER NOT NULL CHECK (attempts >= 0),
  next_try INTEGER NOT NULL,
  PRIMARY KEY (feedback),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE INDEX feedback_by_account ON feedback (account);
CREATE INDEX feedback_by_next_try ON feedback (next_try);

-- Accounts that an administrator confirmed, one by one, as those of practitioners.
CREATE TABLE practitioners (
  account TEXT NOT NULL,
  confirmed INTEGER NOT NULL,
  confirmed_by TEXT NOT NULL,
  PRIMARY KEY (account),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

-- What a practitioner says about themselves.
CREATE TABLE practitioner_profiles (
  account TEXT NOT NULL,
  is_listed INTEGER NOT NULL CHECK (is_listed IN (0, 1)),
  specialty TEXT NOT NULL,
  place TEXT NOT NULL,
  phone TEXT NOT NULL,
  hours TEXT NOT NULL,
  illnesses TEXT NOT NULL, -- names of topics, one per line
  code TEXT NOT NULL, -- leads to the profile, listed or not
  changed INTEGER NOT NULL,
  PRIMARY KEY (account),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

CREATE UNIQUE INDEX practitioner_profiles_by_code ON practitioner_profiles (code);

-- A practitioner's own prescriptions to begin from.
CREATE TABLE prescription_templates (
  account TEXT NOT NULL,
  template TEXT NOT NULL,
  name TEXT NOT NULL,
  fields TEXT NOT NULL, -- the form as it was sent, without any patient's data
  changed INTEGER NOT NULL,
  PRIMARY KEY (account, template),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;

-- A confirmed practitioner takes responsibility for a version of a dose table. No foreign key: it holds for the
-- installation, also when the account is gone. Rows stay after withdrawal.
CREATE TABLE dose_approvals (
  dose_table TEXT NOT NULL,
  version INTEGER NOT NULL,
  account TEXT NOT NULL,
  approved INTEGER NOT NULL,
  by_name TEXT NOT NULL,
  content TEXT NOT NULL, -- fingerprint of the table's content
  withdrawn INTEGER,
  withdrawn_by TEXT,
  PRIMARY KEY (dose_table, version, account, approved),
  CHECK ((withdrawn IS NULL) = (withdrawn_by IS NULL))
) STRICT;

-- A practitioner's access to a person's data in an emergency, without a grant.
CREATE TABLE emergencies (
  patient TEXT NOT NULL,
  emergency TEXT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  reason TEXT NOT NULL, -- as typed, for the person to read
  started INTEGER NOT NULL,
  ends INTEGER NOT NULL, -- moved forward when it is ended by hand
  reviewed INTEGER, -- when an administrator looked at it
  reviewed_by TEXT,
  PRIMARY KEY (patient, emergency),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((reviewed IS NULL) = (reviewed_by IS NULL))
) STRICT;

CREATE UNIQUE INDEX emergencies_by_id ON emergencies (emergency);
CREATE INDEX emergencies_by_account ON emergencies (account, ends);
CREATE INDEX emergencies_by_start ON emergencies (started);
CREATE INDEX emergencies_unreviewed ON emergencies (started) WHERE reviewed IS NULL;
