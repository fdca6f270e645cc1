PRAGMA foreign_keys=OFF;
BEGIN TRANSACTION;
CREATE TABLE schema_migrations (
  name TEXT NOT NULL, checksum TEXT NOT NULL, PRIMARY KEY (name)
);
INSERT INTO schema_migrations VALUES('m0001-storage','b4b3d0c41671410289a2e900f521eb49e333d5e1e8d2dea0a31572100a35fb3a');
INSERT INTO schema_migrations VALUES('m0002-people','fab6ceb8f69bcce6fc1e31362182ead978bc65f380184afb0e8f1c95e6766092');
INSERT INTO schema_migrations VALUES('m0003-accounts','50b81e47227580fec21672793dbd885731cb8ad490ab4555a8d0d5d1f1e872a9');
INSERT INTO schema_migrations VALUES('m0004-records','b22d56bce310fa3083f2ec4b837e1d00b2a2e79b0039782f32801d791ce1cede');
INSERT INTO schema_migrations VALUES('m0005-plans-and-doses','de3c529580bcc30b99c622844428ee2c286bd7fea5db4dffd449ef4766ba02b1');
INSERT INTO schema_migrations VALUES('m0006-reminders','ffb2c70598ee4f516d7f5fb25096bd5e2bfe6c4faa80eb6ae28da4d46888978f');
INSERT INTO schema_migrations VALUES('m0007-messages','c7c3dc930ecaf8773adc9ff1d10ccaaf44861eccaa69cba4c828d095d79a13c8');
INSERT INTO schema_migrations VALUES('m0008-imports','2e96f12d8a6a304651f4f676946ccb1e91aafaddc6289502f494d28e19b04a83');
INSERT INTO schema_migrations VALUES('m0009-health','ed1c50690dc5fc83ac91ba9d006e53308e07554cd24378575bee627380340611');
INSERT INTO schema_migrations VALUES('m0010-stock','5c050567d3fc7741e61518c6e5fb58323d72ce37a25e79088d5d18adb736ed9a');
INSERT INTO schema_migrations VALUES('m0011-search','aa84bb88f27f66c261a0b14d453e33af70fd42f3eab1575e8c8c5fe132ed5c40');
INSERT INTO schema_migrations VALUES('m0012-subscriptions','1b7a7d258f76eb6614d881f5762e8807c95243e943435545ffe17b3cc575e0dc');
INSERT INTO schema_migrations VALUES('m0013-apps','e8d0605d2478d3c89f6e5c5c392d17f6351a831573d923cce3ba26e03f22b1c9');
INSERT INTO schema_migrations VALUES('m0014-cds','0882ed2d52e20656097985ee723a36adf7836acf1645d7e2114daeeb2682c473');
INSERT INTO schema_migrations VALUES('m0015-fhir','280ca6edf46b776df75f1983288f4e3f8c1e1b5bac7cb70b124f0c3e2208ef4f');
INSERT INTO schema_migrations VALUES('m0016-acting-apps','f9a42713e49bba4bf842f7f718c6fb5f874119afb111eac67cdf38186fc18447');
INSERT INTO schema_migrations VALUES('m0017-hospitals','0393eb6c7d611ced9a81d5ff897e8026a81a8be0a90fef596f89b61bf03ddf1a');
INSERT INTO schema_migrations VALUES('m0018-heart-rate-questions','0e11d858594a2ba7b733918547585dff9307a44ac0e40e62c22e2c11aec1c736');
INSERT INTO schema_migrations VALUES('m0019-home-devices','37e07deb3f0f9d8a2230c0b8d5f45fadd6834f5581c6c650d14d45dfec4ae4e9');
INSERT INTO schema_migrations VALUES('m0020-home-automation','37d9fdf1c42fec3ab31bb4fd0efebf870ca6dcbfdd22c294bbf548690829f002');
INSERT INTO schema_migrations VALUES('m0021-stickers-and-replies','3757f385be1a1f3aedfe14451e3529e47cb6966f42a181eeb04bc8811623ed44');
INSERT INTO schema_migrations VALUES('m0022-diary','33715dadc4200b7dcd9a660a92605c04095c23c4dba684684bcc5cee32e7a455');
INSERT INTO schema_migrations VALUES('m0023-follow-ups-and-sites','5b65613e66b4c30d9386942bc19ad8d4849c32a351f08cb32ada573213915ab9');
INSERT INTO schema_migrations VALUES('m0024-questionnaires','739848ddcbabe47a9903794de8306352a2b5e51178582a920bbebf1fbf32e467');
INSERT INTO schema_migrations VALUES('m0025-studies','36d99e3c913d7d866f06a50f1b637ab0520f8de50b53adf0b60e793c5a0abac5');
INSERT INTO schema_migrations VALUES('m0026-effect-choices','29cf2d2e82ae57cb255a72f9964b2919bfd3400a0817c37866ea4085455e80b3');
CREATE TABLE audit (
  node TEXT NOT NULL,
  sequence INTEGER NOT NULL,
  at INTEGER NOT NULL,
  actor TEXT NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind = 'create' OR kind = 'read' OR kind = 'update' OR kind = 'delete' OR kind = 'search' OR
      kind = 'sign-in' OR kind = 'sign-out' OR kind = 'answer' OR kind = 'export' OR kind = 'print' OR
      kind = 'break-glass' OR kind = 'administration'),
  patient TEXT,
  resource TEXT NOT NULL,
  resource_id TEXT,
  version INTEGER,
  purpose TEXT NOT NULL,
  outcome TEXT NOT NULL CHECK (outcome IN ('success', 'denied')),
  count INTEGER NOT NULL CHECK (count >= 0), -- how many reads the row stands for
  hash BLOB NOT NULL,
  mac BLOB NOT NULL,
  key_id TEXT NOT NULL,
  digest BLOB, app TEXT, -- keyed digest of the record's version that the row is about
  PRIMARY KEY (node, sequence)
) STRICT;
INSERT INTO audit VALUES('test',1,1700000000100,'ann','update','ann','MedicationRequest','r1',1,'care','success',1,X'bed285c5d5e4a35cfbfb748f024d1bc22df19fcfeb97dcdcb044dd624f22fc2b',X'8eca3ed92b3d3e6d3d26d5f8f74d3244c4da2fa9c8e2c95af68c52aca7020f62','53be559d39e1',NULL,NULL);
INSERT INTO audit VALUES('test',2,1700000000200,'ann','update','ann','MedicationRequest','r2',2,'care','success',1,X'c2d0797871912277f9553e87500271af73fa9ad251e326578a3392226332f772',X'5f585a181b7c98c51b6ca1553f30d3d2ecaaee4563c549208bd8ccab4a8d6c87','53be559d39e1',NULL,NULL);
CREATE TABLE audit_heads (
  node TEXT NOT NULL,
  sequence INTEGER NOT NULL CHECK (sequence >= 1),
  hash BLOB NOT NULL,
  mac BLOB NOT NULL,
  key_id TEXT NOT NULL,
  PRIMARY KEY (node)
) STRICT;
INSERT INTO audit_heads VALUES('test',2,X'c2d0797871912277f9553e87500271af73fa9ad251e326578a3392226332f772',X'da0891f2453ef90cb67d8fbc37b35341a876c613fa478ee473b48654f05e91ab','53be559d39e1');
CREATE TABLE secrets (
  name TEXT NOT NULL,
  sealed BLOB NOT NULL,
  PRIMARY KEY (name)
) STRICT;
INSERT INTO secrets VALUES('name-ann',X'736563726574732e7365616c65642e616e6e');
CREATE TABLE node_keys (
  node TEXT NOT NULL,
  field_key TEXT NOT NULL,
  seen INTEGER NOT NULL,
  PRIMARY KEY (node)
) STRICT;
INSERT INTO node_keys VALUES('node-ann','field_key-ann',1);
CREATE TABLE backups (
  backup TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('schedule', 'command')),
  started INTEGER NOT NULL,
  finished INTEGER NOT NULL,
  trouble TEXT, -- a code; NULL when the backup was written and read back
  place TEXT NOT NULL, -- path of the file
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  entries INTEGER NOT NULL CHECK (entries >= 0), -- number of rows
  PRIMARY KEY (backup)
) STRICT;
INSERT INTO backups VALUES('backup-ann','schedule',1,1,'trouble-ann','place-ann',0,0);
CREATE TABLE idempotency (
  credential TEXT NOT NULL,
  method TEXT NOT NULL,
  path TEXT NOT NULL,
  idempotency_key TEXT NOT NULL,
  body_digest BLOB NOT NULL,
  status INTEGER NOT NULL CHECK (status BETWEEN 100 AND 599),
  media_type TEXT NOT NULL,
  location TEXT,
  etag TEXT,
  last_modified TEXT,
  body BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (credential, method, path, idempotency_key)
) STRICT;
INSERT INTO idempotency VALUES('credential-ann','method-ann','path-ann','idempotency_key-ann',X'6964656d706f74656e63792e626f64795f6469676573742e616e6e',100,'media_type-ann','location-ann','etag-ann','last_modified-ann',X'6964656d706f74656e63792e626f64792e616e6e',1);
CREATE TABLE readers (
  reader TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 0),
  PRIMARY KEY (reader)
) STRICT;
INSERT INTO readers VALUES('reader-ann',0);
CREATE TABLE server_choices (
  name TEXT NOT NULL,
  value TEXT NOT NULL,
  PRIMARY KEY (name)
) STRICT;
INSERT INTO server_choices VALUES('name-ann','value-ann');
CREATE TABLE zone_rules (
  zone TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  PRIMARY KEY (zone)
) STRICT;
INSERT INTO zone_rules VALUES('zone-ann','fingerprint-ann');
CREATE TABLE reminder_clock (
  clock INTEGER NOT NULL CHECK (clock = 1),
  tick INTEGER NOT NULL, -- the latest time that the engine saw
  began INTEGER NOT NULL, -- the first one
  PRIMARY KEY (clock)
) STRICT;
INSERT INTO reminder_clock VALUES(1,1,1);
CREATE TABLE people (
  patient TEXT NOT NULL,
  display_name TEXT NOT NULL,
  zone TEXT NOT NULL, -- IANA identifier
  language TEXT NOT NULL,
  -- what notifications call the person by
  label TEXT NOT NULL DEFAULT 'initial' CHECK (label IN ('initial', 'colour', 'nickname')),
  nickname TEXT NOT NULL DEFAULT '',
  -- '' for none
  colour TEXT NOT NULL DEFAULT ''
    CHECK (colour IN ('', 'blue', 'green', 'yellow', 'orange', 'red', 'purple', 'pink', 'grey')),
  PRIMARY KEY (patient)
) STRICT;
INSERT INTO people VALUES('ann','display_name-ann','zone-ann','language-ann','initial','nickname-ann','');
INSERT INTO people VALUES('bob','display_name-bob','zone-bob','language-bob','initial','nickname-bob','');
CREATE TABLE daily_rhythm (
  patient TEXT NOT NULL,
  event TEXT NOT NULL CHECK (event IN ('WAKE', 'CM', 'CD', 'CV', 'HS')),
  clock_time TEXT NOT NULL,
  PRIMARY KEY (patient, event),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO daily_rhythm VALUES('ann','WAKE','clock_time-ann');
INSERT INTO daily_rhythm VALUES('bob','WAKE','clock_time-bob');
CREATE TABLE person_photos (
  patient TEXT NOT NULL,
  photo TEXT NOT NULL, -- new with each photo
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height >= 1),
  bytes BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO person_photos VALUES('ann','photo-ann',1,1,X'706572736f6e5f70686f746f732e62797465732e616e6e',1);
INSERT INTO person_photos VALUES('bob','photo-bob',1,1,X'706572736f6e5f70686f746f732e62797465732e626f62',2);
CREATE TABLE simple_views (
  patient TEXT NOT NULL,
  account TEXT NOT NULL, -- who chose it
  since INTEGER NOT NULL,
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO simple_views VALUES('ann','account-ann',1);
INSERT INTO simple_views VALUES('bob','account-bob',2);
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
INSERT INTO accounts VALUES('account-ann',X'6163636f756e74732e656d61696c5f7365616c65642e616e6e',X'6163636f756e74732e656d61696c5f696e6465782e616e6e','display_name-ann','ann','password_hash-ann',0,'language-ann',1,1,0,0,1,0);
INSERT INTO accounts VALUES('account-bob',X'6163636f756e74732e656d61696c5f7365616c65642e626f62',X'6163636f756e74732e656d61696c5f696e6465782e626f62','display_name-bob','bob','password_hash-bob',0,'language-bob',2,2,0,0,2,0);
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
INSERT INTO sessions VALUES(X'73657373696f6e732e6469676573742e616e6e','account-ann',1,1,'trusted','device-ann',1,1,'password');
INSERT INTO sessions VALUES(X'73657373696f6e732e6469676573742e626f62','account-bob',2,2,'trusted','device-bob',2,2,'password');
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
INSERT INTO tokens VALUES(X'746f6b656e732e6469676573742e616e6e','account-ann','system/*.cruds',1,1,'prefix-ann','label-ann',1);
INSERT INTO tokens VALUES(X'746f6b656e732e6469676573742e626f62','account-bob','system/*.cruds',2,2,'prefix-bob','label-bob',2);
CREATE TABLE invitations (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  used INTEGER,
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO invitations VALUES(X'696e7669746174696f6e732e6469676573742e616e6e','account-ann',1,1,1);
INSERT INTO invitations VALUES(X'696e7669746174696f6e732e6469676573742e626f62','account-bob',2,2,2);
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
INSERT INTO grants VALUES('ann','account-ann','self',1,1,'categories-ann','granted_by-ann',1);
INSERT INTO grants VALUES('bob','account-bob','self',2,2,'categories-bob','granted_by-bob',2);
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
INSERT INTO grant_invitations VALUES('ann','invitation-ann',X'6772616e745f696e7669746174696f6e732e636f64655f696e6465782e616e6e',X'6772616e745f696e7669746174696f6e732e636f64655f7365616c65642e616e6e','self','categories-ann',1,0,'invited_by-ann',1,1,'open','accepted_by-ann',1,'asked-ann');
INSERT INTO grant_invitations VALUES('bob','invitation-bob',X'6772616e745f696e7669746174696f6e732e636f64655f696e6465782e626f62',X'6772616e745f696e7669746174696f6e732e636f64655f7365616c65642e626f62','self','categories-bob',2,0,'invited_by-bob',2,2,'open','accepted_by-bob',2,'asked-bob');
CREATE TABLE invitation_mails (
  account TEXT NOT NULL,
  mail TEXT NOT NULL,
  sent INTEGER NOT NULL,
  PRIMARY KEY (account, mail),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO invitation_mails VALUES('account-ann','mail-ann',1);
INSERT INTO invitation_mails VALUES('account-bob','mail-bob',2);
CREATE TABLE code_apps (
  account TEXT NOT NULL,
  seed_sealed BLOB NOT NULL,
  last_step INTEGER NOT NULL, -- the step of the last accepted code
  created INTEGER NOT NULL,
  PRIMARY KEY (account),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO code_apps VALUES('account-ann',X'636f64655f617070732e736565645f7365616c65642e616e6e',1,1);
INSERT INTO code_apps VALUES('account-bob',X'636f64655f617070732e736565645f7365616c65642e626f62',2,2);
CREATE TABLE recovery_codes (
  account TEXT NOT NULL,
  code_hash BLOB NOT NULL,
  used INTEGER,
  PRIMARY KEY (account, code_hash),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO recovery_codes VALUES('account-ann',X'7265636f766572795f636f6465732e636f64655f686173682e616e6e',1);
INSERT INTO recovery_codes VALUES('account-bob',X'7265636f766572795f636f6465732e636f64655f686173682e626f62',2);
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
INSERT INTO passkeys VALUES(X'706173736b6579732e63726564656e7469616c5f6469676573742e616e6e','passkey-ann','account-ann',X'706173736b6579732e63726564656e7469616c2e616e6e',X'706173736b6579732e7075626c69635f6b65792e616e6e',-7,'relying_party-ann',0,'name-ann',1,1);
INSERT INTO passkeys VALUES(X'706173736b6579732e63726564656e7469616c5f6469676573742e626f62','passkey-bob','account-bob',X'706173736b6579732e63726564656e7469616c2e626f62',X'706173736b6579732e7075626c69635f6b65792e626f62',-7,'relying_party-bob',0,'name-bob',2,2);
CREATE TABLE used_challenges (
  digest BLOB NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest)
) STRICT;
INSERT INTO used_challenges VALUES(X'757365645f6368616c6c656e6765732e6469676573742e616e6e',1);
CREATE TABLE pending_sign_ins (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('trusted', 'passing')),
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO pending_sign_ins VALUES(X'70656e64696e675f7369676e5f696e732e6469676573742e616e6e','account-ann','trusted',1,1);
INSERT INTO pending_sign_ins VALUES(X'70656e64696e675f7369676e5f696e732e6469676573742e626f62','account-bob','trusted',2,2);
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
INSERT INTO device_sign_ins VALUES(X'6465766963655f7369676e5f696e732e6469676573742e616e6e','account-ann',X'6465766963655f7369676e5f696e732e7365637265745f7365616c65642e616e6e',X'6465766963655f7369676e5f696e732e636c61696d5f6469676573742e616e6e','device-ann',0,'open',1,1);
INSERT INTO device_sign_ins VALUES(X'6465766963655f7369676e5f696e732e6469676573742e626f62','account-bob',X'6465766963655f7369676e5f696e732e7365637265745f7365616c65642e626f62',X'6465766963655f7369676e5f696e732e636c61696d5f6469676573742e626f62','device-bob',0,'open',2,2);
CREATE TABLE attempts (
  bucket BLOB NOT NULL,
  failures INTEGER NOT NULL CHECK (failures >= 0),
  latest INTEGER NOT NULL,
  PRIMARY KEY (bucket)
) STRICT;
INSERT INTO attempts VALUES(X'617474656d7074732e6275636b65742e616e6e',0,1);
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
INSERT INTO identities VALUES('identity-ann','account-ann','provider-ann',X'6964656e7469746965732e7375626a6563745f696e6465782e616e6e',X'6964656e7469746965732e6c6162656c5f7365616c65642e616e6e',1,1);
INSERT INTO identities VALUES('identity-bob','account-bob','provider-bob',X'6964656e7469746965732e7375626a6563745f696e6465782e626f62',X'6964656e7469746965732e6c6162656c5f7365616c65642e626f62',2,2);
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
INSERT INTO provider_visits VALUES(X'70726f76696465725f7669736974732e73746174652e616e6e',X'70726f76696465725f7669736974732e62726f777365722e616e6e','provider-ann','account-ann','next_path-ann',1);
INSERT INTO provider_visits VALUES(X'70726f76696465725f7669736974732e73746174652e626f62',X'70726f76696465725f7669736974732e62726f777365722e626f62','provider-bob','account-bob','next_path-bob',2);
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
INSERT INTO identity_offers VALUES(X'6964656e746974795f6f66666572732e7469636b65742e616e6e','account-ann','provider-ann',X'6964656e746974795f6f66666572732e7375626a6563745f696e6465782e616e6e',X'6964656e746974795f6f66666572732e6c6162656c5f7365616c65642e616e6e',1);
INSERT INTO identity_offers VALUES(X'6964656e746974795f6f66666572732e7469636b65742e626f62','account-bob','provider-bob',X'6964656e746974795f6f66666572732e7375626a6563745f696e6465782e626f62',X'6964656e746974795f6f66666572732e6c6162656c5f7365616c65642e626f62',2);
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
INSERT INTO address_proofs VALUES(X'616464726573735f70726f6f66732e6469676573742e616e6e','account-ann',X'616464726573735f70726f6f66732e616464726573735f7365616c65642e616e6e',1,1,X'616464726573735f70726f6f66732e636f64655f696e6465782e616e6e',0);
INSERT INTO address_proofs VALUES(X'616464726573735f70726f6f66732e6469676573742e626f62','account-bob',X'616464726573735f70726f6f66732e616464726573735f7365616c65642e626f62',2,2,X'616464726573735f70726f6f66732e636f64655f696e6465782e626f62',0);
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
INSERT INTO feedback VALUES('feedback-ann','account-ann',X'666565646261636b2e746578745f7365616c65642e616e6e',1,0,1);
INSERT INTO feedback VALUES('feedback-bob','account-bob',X'666565646261636b2e746578745f7365616c65642e626f62',2,0,2);
CREATE TABLE practitioners (
  account TEXT NOT NULL,
  confirmed INTEGER NOT NULL,
  confirmed_by TEXT NOT NULL,
  PRIMARY KEY (account),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO practitioners VALUES('account-ann',1,'confirmed_by-ann');
INSERT INTO practitioners VALUES('account-bob',2,'confirmed_by-bob');
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
INSERT INTO practitioner_profiles VALUES('account-ann',0,'specialty-ann','place-ann','phone-ann','hours-ann','illnesses-ann','code-ann',1);
INSERT INTO practitioner_profiles VALUES('account-bob',0,'specialty-bob','place-bob','phone-bob','hours-bob','illnesses-bob','code-bob',2);
CREATE TABLE prescription_templates (
  account TEXT NOT NULL,
  template TEXT NOT NULL,
  name TEXT NOT NULL,
  fields TEXT NOT NULL, -- the form as it was sent, without any patient's data
  changed INTEGER NOT NULL,
  PRIMARY KEY (account, template),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO prescription_templates VALUES('account-ann','template-ann','name-ann','fields-ann',1);
INSERT INTO prescription_templates VALUES('account-bob','template-bob','name-bob','fields-bob',2);
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
INSERT INTO dose_approvals VALUES('dose_table-ann',1,'account-ann',1,'by_name-ann','content-ann',1,'withdrawn_by-ann');
INSERT INTO dose_approvals VALUES('dose_table-bob',2,'account-bob',2,'by_name-bob','content-bob',2,'withdrawn_by-bob');
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
INSERT INTO emergencies VALUES('ann','emergency-ann','account-ann','by_name-ann','reason-ann',1,1,1,'reviewed_by-ann');
INSERT INTO emergencies VALUES('bob','emergency-bob','account-bob','by_name-bob','reason-bob',2,2,2,'reviewed_by-bob');
CREATE TABLE resource_keys (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  patient TEXT NOT NULL,
  PRIMARY KEY (type, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO resource_keys VALUES('type-ann','id-ann','ann');
INSERT INTO resource_keys VALUES('type-bob','id-bob','bob');
CREATE TABLE resources (
  type TEXT NOT NULL,
  patient TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  last_updated INTEGER NOT NULL,
  status TEXT,
  operation TEXT NOT NULL CHECK (operation IN ('create', 'update')),
  actor TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (type, patient, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO resources VALUES('type-ann','ann','id-ann',1,1,'status-ann','create','actor-ann','body-ann');
INSERT INTO resources VALUES('type-bob','bob','id-bob',1,2,'status-bob','create','actor-bob','body-bob');
CREATE TABLE resource_versions (
  type TEXT NOT NULL,
  patient TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  last_updated INTEGER NOT NULL,
  operation TEXT NOT NULL CHECK (operation = 'create' OR operation = 'update' OR operation = 'delete'),
  actor TEXT NOT NULL,
  body TEXT,
  PRIMARY KEY (patient, type, id, version),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((body IS NULL) = (operation = 'delete'))
) STRICT;
INSERT INTO resource_versions VALUES('type-ann','ann','id-ann',1,1,'create','actor-ann','body-ann');
INSERT INTO resource_versions VALUES('type-bob','bob','id-bob',1,2,'create','actor-bob','body-bob');
CREATE TABLE first_looks (
  patient TEXT NOT NULL,
  actor TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (patient, actor),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO first_looks VALUES('ann','actor-ann',1);
INSERT INTO first_looks VALUES('bob','actor-bob',2);
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
INSERT INTO plans VALUES('ann','plan-ann',1,'active','unplanned_reason-ann','medicine_name-ann','ingredients-ann','follow',1,'calendar',1,'2026-03-01',1,0,1,1,1,0,'statistics_zone-ann',1,'shown_name-ann');
INSERT INTO plans VALUES('bob','plan-bob',1,'active','unplanned_reason-bob','medicine_name-bob','ingredients-bob','follow',1,'calendar',2,'2026-03-02',2,0,2,2,2,0,'statistics_zone-bob',2,'shown_name-bob');
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
INSERT INTO plan_eras VALUES('ann','plan-ann',1,'zone-ann','kind-ann',1);
INSERT INTO plan_eras VALUES('bob','plan-bob',1,'zone-bob','kind-bob',2);
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
INSERT INTO plan_slots VALUES('ann','plan-ann',1,0,'time-ann',1);
INSERT INTO plan_slots VALUES('bob','plan-bob',2,0,'time-bob',2);
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
INSERT INTO plan_cycles VALUES('ann','plan-ann','2026-03-01',1,1,'2026-03-01');
INSERT INTO plan_cycles VALUES('bob','plan-bob','2026-03-02',1,1,'2026-03-02');
CREATE TABLE plan_limits (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  limits TEXT NOT NULL, -- JSON: Adherence.PlanLimits
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO plan_limits VALUES('ann','plan-ann','limits-ann');
INSERT INTO plan_limits VALUES('bob','plan-bob','limits-bob');
CREATE TABLE plan_reminders (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  is_critical INTEGER NOT NULL CHECK (is_critical IN (0, 1)),
  is_silent INTEGER NOT NULL CHECK (is_silent IN (0, 1)),
  lead INTEGER CHECK (lead >= 0), -- minutes by which doses are announced
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO plan_reminders VALUES('ann','plan-ann',0,0,0);
INSERT INTO plan_reminders VALUES('bob','plan-bob',0,0,0);
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
INSERT INTO plan_confirmations VALUES('ann','subject-ann','question-ann',1,'stated-ann','typed-ann','account-ann','by_name-ann');
INSERT INTO plan_confirmations VALUES('bob','subject-bob','question-bob',2,'stated-bob','typed-bob','account-bob','by_name-bob');
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
INSERT INTO medicine_drafts VALUES('ann','draft-ann','account-ann','change','plan-ann',1,'name-ann','fields-ann',1,1);
INSERT INTO medicine_drafts VALUES('bob','draft-bob','account-bob','change','plan-bob',2,'name-bob','fields-bob',1,2);
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
INSERT INTO doses VALUES('ann','plan-ann',1,'occurrence-ann',1,1,1,1,'amount_value-ann','amount_unit-ann','amount_code-ann','open','edit',1,1,'answer-ann','reminder-ann',1,1);
INSERT INTO doses VALUES('bob','plan-bob',1,'occurrence-bob',2,2,2,2,'amount_value-bob','amount_unit-bob','amount_code-bob','open','edit',2,1,'answer-bob','reminder-bob',2,2);
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
INSERT INTO dose_moves VALUES('ann','plan-ann',1,'occurrence-ann',1,1,'account-ann');
INSERT INTO dose_moves VALUES('bob','plan-bob',1,'occurrence-bob',2,2,'account-bob');
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
INSERT INTO dose_reschedulings VALUES('ann','plan-ann',1,'occurrence-ann',1,'moved',1,'account-ann');
INSERT INTO dose_reschedulings VALUES('bob','plan-bob',1,'occurrence-bob',2,'moved',2,'account-bob');
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
INSERT INTO rescheduled_doses VALUES('ann','plan-ann',1,'late_occurrence-ann',1,'occurrence-ann',1,1,0);
INSERT INTO rescheduled_doses VALUES('bob','plan-bob',1,'late_occurrence-bob',1,'occurrence-bob',2,2,0);
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
INSERT INTO unknown_doses VALUES('ann','plan-ann',1,'occurrence-ann','account-ann',1);
INSERT INTO unknown_doses VALUES('bob','plan-bob',1,'occurrence-bob','account-bob',2);
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
INSERT INTO answers VALUES('ann','answer-ann','plan-ann',1,'occurrence-ann','event-ann','taken',1,1,'account-ann','by_name-ann','reason-ann','amount_value-ann','amount_unit-ann',0,1,1,'administration-ann');
INSERT INTO answers VALUES('bob','answer-bob','plan-bob',1,'occurrence-bob','event-bob','taken',2,2,'account-bob','by_name-bob','reason-bob','amount_value-bob','amount_unit-bob',0,1,2,'administration-bob');
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
INSERT INTO intakes VALUES('ann','administration-ann','plan-ann',1,'occurrence-ann','medicine_name-ann','ingredients-ann',1,1,'by_name-ann','amount_value-ann','amount_unit-ann');
INSERT INTO intakes VALUES('bob','administration-bob','plan-bob',1,'occurrence-bob','medicine_name-bob','ingredients-bob',2,2,'by_name-bob','amount_value-bob','amount_unit-bob');
CREATE TABLE monthly_statistics (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  month INTEGER NOT NULL CHECK (month >= 0), -- year * 12 + month - 1 in plans.statistics_zone
  statistics BLOB NOT NULL,
  PRIMARY KEY (patient, month, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO monthly_statistics VALUES('ann','plan-ann',0,X'6d6f6e74686c795f737461746973746963732e737461746973746963732e616e6e');
INSERT INTO monthly_statistics VALUES('bob','plan-bob',0,X'6d6f6e74686c795f737461746973746963732e737461746973746963732e626f62');
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
INSERT INTO medicine_appearances VALUES('ann','plan-ann','round','white','white',0,'imprint-ann',1);
INSERT INTO medicine_appearances VALUES('bob','plan-bob','round','white','white',0,'imprint-bob',2);
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
INSERT INTO medicine_photos VALUES('ann','plan-ann',1,'photo-ann',1,1,0,X'6d65646963696e655f70686f746f732e6c617267655f7365616c65642e616e6e',X'6d65646963696e655f70686f746f732e736d616c6c5f7365616c65642e616e6e',1);
INSERT INTO medicine_photos VALUES('bob','plan-bob',1,'photo-bob',1,1,0,X'6d65646963696e655f70686f746f732e6c617267655f7365616c65642e626f62',X'6d65646963696e655f70686f746f732e736d616c6c5f7365616c65642e626f62',2);
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
INSERT INTO report_links VALUES('ann','link-ann',X'7265706f72745f6c696e6b732e7365637265745f686173682e616e6e','account-ann','2026-03-01','2026-03-01','language-ann',1,1,0,1);
INSERT INTO report_links VALUES('bob','link-bob',X'7265706f72745f6c696e6b732e7365637265745f686173682e626f62','account-bob','2026-03-02','2026-03-02','language-bob',2,2,0,2);
CREATE TABLE reminders (
  patient TEXT NOT NULL,
  subject TEXT NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind = 'doses' OR kind = 'summary' OR kind = 'test' OR kind = 'emergency' OR kind = 'review' OR
      kind = 'prescription' OR kind = 'warning' OR kind = 'wear' OR kind = 'alarm' OR kind = 'lead' OR kind = 'news'
      OR kind = 'nudge' OR kind = 'message' OR kind = 'stock' OR kind = 'clock'),
  generation INTEGER NOT NULL CHECK (generation >= 1),
  started INTEGER NOT NULL, -- the steps of the escalation count from here
  step INTEGER NOT NULL CHECK (step >= 0), -- the next step
  next_at INTEGER NOT NULL,
  due INTEGER NOT NULL, -- the earliest due time of its doses
  ends INTEGER NOT NULL, -- no step from here on
  fresh_until INTEGER NOT NULL, -- the last moment of a first delivery
  handed_over INTEGER, -- the first delivery of this generation
  -- a closed one that is woken rings again and keeps its outcome
  state TEXT NOT NULL CHECK (state IN ('ringing', 'closed')),
  outcome TEXT
    CHECK (outcome = 'answered' OR outcome = 'expired' OR outcome = 'missed' OR outcome = 'unreachable' OR
      outcome = 'cancelled'),
  opened INTEGER NOT NULL,
  closed INTEGER,
  escalation TEXT, -- the steps of this generation, one per line, once the first one has run
  PRIMARY KEY (patient, subject),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK (state <> 'closed' OR closed IS NOT NULL)
) STRICT;
INSERT INTO reminders VALUES('ann','subject-ann','doses',1,1,0,1,1,1,1,1,'ringing','answered',1,1,'escalation-ann');
INSERT INTO reminders VALUES('bob','subject-bob','doses',1,2,0,2,2,2,2,2,'ringing','answered',2,2,'escalation-bob');
CREATE TABLE deliveries (
  patient TEXT NOT NULL,
  delivery TEXT NOT NULL,
  subject TEXT NOT NULL,
  generation INTEGER NOT NULL CHECK (generation >= 1),
  step INTEGER NOT NULL CHECK (step >= 0),
  recipient TEXT NOT NULL, -- an account
  channel TEXT NOT NULL
    CHECK (channel = 'push' OR channel = 'mail' OR channel = 'ntfy' OR channel = 'webhook' OR channel = 'sms' OR
      channel = 'call'),
  address TEXT NOT NULL, -- the subscription, or 'mail'
  doses TEXT NOT NULL, -- ids, one per line, as last named
  due INTEGER NOT NULL,
  planned INTEGER NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'done')),
  next_try INTEGER NOT NULL, -- when it may be claimed; the end of the lease while it is claimed
  lease_until INTEGER,
  attempt INTEGER NOT NULL CHECK (attempt >= 0), -- fences results
  handed_over INTEGER,
  shown INTEGER,
  answered INTEGER,
  -- NULL while it waits
  outcome TEXT
    CHECK (outcome = 'planned' OR outcome = 'handedOver' OR outcome = 'retrying' OR outcome = 'gone' OR
      outcome = 'failed' OR outcome = 'stale' OR outcome = 'answered'),
  trouble TEXT,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, delivery),
  FOREIGN KEY (patient, subject) REFERENCES reminders (patient, subject) ON DELETE CASCADE,
  CHECK (lease_until IS NULL OR state = 'waiting')
) STRICT;
INSERT INTO deliveries VALUES('ann','delivery-ann','subject-ann',1,0,'recipient-ann','push','address-ann','doses-ann',1,1,'waiting',1,1,0,1,1,1,'planned','trouble-ann',1);
INSERT INTO deliveries VALUES('bob','delivery-bob','subject-bob',1,0,'recipient-bob','push','address-bob','doses-bob',2,2,'waiting',2,2,0,2,2,2,'planned','trouble-bob',2);
CREATE TABLE action_links (
  patient TEXT NOT NULL,
  link_hash BLOB NOT NULL, -- digest of its secret
  delivery TEXT NOT NULL,
  recipient TEXT NOT NULL,
  action TEXT NOT NULL,
  doses TEXT NOT NULL,
  expires INTEGER NOT NULL, -- the end of the last late window
  used INTEGER,
  PRIMARY KEY (patient, link_hash),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO action_links VALUES('ann',X'616374696f6e5f6c696e6b732e6c696e6b5f686173682e616e6e','delivery-ann','recipient-ann','action-ann','doses-ann',1,1);
INSERT INTO action_links VALUES('bob',X'616374696f6e5f6c696e6b732e6c696e6b5f686173682e626f62','delivery-bob','recipient-bob','action-bob','doses-bob',2,2);
CREATE TABLE push_subscriptions (
  subscription TEXT NOT NULL,
  account TEXT NOT NULL,
  session TEXT,
  endpoint_sealed BLOB NOT NULL,
  endpoint_index BLOB NOT NULL,
  keys_sealed BLOB NOT NULL,
  host TEXT NOT NULL,
  label TEXT,
  created INTEGER NOT NULL,
  confirmed INTEGER,
  last_shown INTEGER,
  handed_over INTEGER NOT NULL CHECK (handed_over >= 0), -- number of deliveries
  unshown INTEGER NOT NULL CHECK (unshown >= 0), -- deliveries since the device last showed one
  first_unshown INTEGER,
  gone INTEGER,
  PRIMARY KEY (subscription),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO push_subscriptions VALUES('subscription-ann','account-ann','session-ann',X'707573685f737562736372697074696f6e732e656e64706f696e745f7365616c65642e616e6e',X'707573685f737562736372697074696f6e732e656e64706f696e745f696e6465782e616e6e',X'707573685f737562736372697074696f6e732e6b6579735f7365616c65642e616e6e','host-ann','label-ann',1,1,1,0,0,1,1);
INSERT INTO push_subscriptions VALUES('subscription-bob','account-bob','session-bob',X'707573685f737562736372697074696f6e732e656e64706f696e745f7365616c65642e626f62',X'707573685f737562736372697074696f6e732e656e64706f696e745f696e6465782e626f62',X'707573685f737562736372697074696f6e732e6b6579735f7365616c65642e626f62','host-bob','label-bob',2,2,2,0,0,2,2);
CREATE TABLE mailbox_choices (
  account TEXT NOT NULL,
  link_hash BLOB, -- of the link that turns mail off
  silenced INTEGER, -- since when no reminder goes there
  PRIMARY KEY (account),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO mailbox_choices VALUES('account-ann',X'6d61696c626f785f63686f696365732e6c696e6b5f686173682e616e6e',1);
INSERT INTO mailbox_choices VALUES('account-bob',X'6d61696c626f785f63686f696365732e6c696e6b5f686173682e626f62',2);
CREATE TABLE channel_addresses (
  address TEXT NOT NULL,
  account TEXT NOT NULL,
  channel TEXT NOT NULL CHECK (channel IN ('push', 'mail', 'ntfy', 'webhook', 'sms', 'call')),
  form TEXT NOT NULL CHECK (form IN ('ntfy', 'webhook', 'home-assistant', 'home-assistant-notify', 'sms', 'call')),
  host TEXT NOT NULL,
  settings_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  proof_hash BLOB, -- of the link in the test under way
  proof_expires INTEGER,
  confirmed INTEGER, -- when the person opened it; nothing is sent before
  gone INTEGER,
  proof_tries INTEGER CHECK (proof_tries >= 0), -- wrong codes since the last test
  PRIMARY KEY (address),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO channel_addresses VALUES('address-ann','account-ann','push','ntfy','host-ann',X'6368616e6e656c5f6164647265737365732e73657474696e67735f7365616c65642e616e6e',1,X'6368616e6e656c5f6164647265737365732e70726f6f665f686173682e616e6e',1,1,1,0);
INSERT INTO channel_addresses VALUES('address-bob','account-bob','push','ntfy','host-bob',X'6368616e6e656c5f6164647265737365732e73657474696e67735f7365616c65642e626f62',2,X'6368616e6e656c5f6164647265737365732e70726f6f665f686173682e626f62',2,2,2,0);
CREATE TABLE escalation_steps (
  patient TEXT NOT NULL,
  step INTEGER NOT NULL CHECK (step >= 0),
  minutes INTEGER NOT NULL CHECK (minutes >= 0),
  channel TEXT NOT NULL CHECK (channel IN ('push', 'mail', 'ntfy', 'webhook', 'sms', 'call')),
  recipient TEXT NOT NULL, -- '' for whoever acts, else the account of a family member
  PRIMARY KEY (patient, step),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO escalation_steps VALUES('ann',0,0,'push','recipient-ann');
INSERT INTO escalation_steps VALUES('bob',0,0,'push','recipient-bob');
CREATE TABLE escalation_settings (
  patient TEXT NOT NULL,
  quiet_from INTEGER CHECK (quiet_from BETWEEN 0 AND 1439),
  quiet_until INTEGER CHECK (quiet_until BETWEEN 0 AND 1439),
  -- notifications to those who act name the medicine
  names_medicine INTEGER NOT NULL CHECK (names_medicine IN (0, 1)),
  -- the evening before the clocks change the person is told
  tells_clock INTEGER NOT NULL DEFAULT 1 CHECK (tells_clock IN (0, 1)),
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((quiet_from IS NULL) = (quiet_until IS NULL))
) STRICT;
INSERT INTO escalation_settings VALUES('ann',0,0,0,0);
INSERT INTO escalation_settings VALUES('bob',0,0,0,0);
CREATE TABLE escalation_agreements (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  offered_by TEXT NOT NULL,
  offered INTEGER NOT NULL,
  accepted INTEGER,
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO escalation_agreements VALUES('ann','account-ann','offered_by-ann',1,1);
INSERT INTO escalation_agreements VALUES('bob','account-bob','offered_by-bob',2,2);
CREATE TABLE escalation_standby (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  since INTEGER NOT NULL,
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO escalation_standby VALUES('ann','account-ann',1);
INSERT INTO escalation_standby VALUES('bob','account-bob',2);
CREATE TABLE silenced_channels (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  channels TEXT NOT NULL, -- words separated by spaces
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO silenced_channels VALUES('ann','account-ann','channels-ann');
INSERT INTO silenced_channels VALUES('bob','account-bob','channels-bob');
CREATE TABLE reminder_choices (
  patient TEXT NOT NULL,
  sound TEXT NOT NULL, -- an AlarmSound, or one of the person's own
  weekend_minute INTEGER CHECK (weekend_minute BETWEEN 0 AND 1439),
  holiday_minute INTEGER CHECK (holiday_minute BETWEEN 0 AND 1439),
  holiday_starts TEXT CHECK (holiday_starts LIKE '____-__-__'),
  holiday_ends TEXT CHECK (holiday_ends LIKE '____-__-__'),
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((holiday_minute IS NULL) = (holiday_starts IS NULL)),
  CHECK ((holiday_minute IS NULL) = (holiday_ends IS NULL)),
  CHECK (holiday_ends >= holiday_starts)
) STRICT;
INSERT INTO reminder_choices VALUES('ann','sound-ann',0,0,'2026-03-01','2026-03-01');
INSERT INTO reminder_choices VALUES('bob','sound-bob',0,0,'2026-03-02','2026-03-02');
CREATE TABLE alerts (
  patient TEXT NOT NULL,
  alert TEXT NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind = 'doses' OR kind = 'summary' OR kind = 'test' OR kind = 'emergency' OR kind = 'review' OR
      kind = 'prescription' OR kind = 'warning' OR kind = 'wear' OR kind = 'alarm' OR kind = 'lead' OR kind = 'news'
      OR kind = 'nudge' OR kind = 'message' OR kind = 'stock' OR kind = 'clock'),
  source TEXT NOT NULL, -- what it comes from, such as the alarm
  subject TEXT NOT NULL, -- its reminder
  due INTEGER NOT NULL,
  rings_from INTEGER NOT NULL, -- due, or what it was snoozed to, or when it was opened again
  ends INTEGER NOT NULL, -- nothing rings from here on
  generation INTEGER NOT NULL CHECK (generation >= 1),
  is_critical INTEGER NOT NULL CHECK (is_critical IN (0, 1)),
  state TEXT NOT NULL CHECK (state = 'open' OR state = 'done' OR state = 'declined' OR state = 'cancelled'),
  version INTEGER NOT NULL CHECK (version >= 1),
  answered INTEGER,
  answered_by TEXT,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, alert),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO alerts VALUES('ann','alert-ann','doses','source-ann','subject-ann',1,1,1,1,0,'open',1,1,'answered_by-ann',1);
INSERT INTO alerts VALUES('bob','alert-bob','doses','source-bob','subject-bob',2,2,2,1,0,'open',1,2,'answered_by-bob',2);
CREATE TABLE alert_answers (
  patient TEXT NOT NULL,
  alert TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  action TEXT NOT NULL CHECK (action IN ('done', 'declined', 'later', 'undo')),
  event TEXT,
  minutes INTEGER CHECK (minutes >= 0),
  at INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, alert, version),
  FOREIGN KEY (patient, alert) REFERENCES alerts (patient, alert) ON DELETE CASCADE
) STRICT;
INSERT INTO alert_answers VALUES('ann','alert-ann',1,'done','event-ann',0,1,'account-ann','by_name-ann');
INSERT INTO alert_answers VALUES('bob','alert-bob',1,'done','event-bob',0,2,'account-bob','by_name-bob');
CREATE TABLE alarms (
  patient TEXT NOT NULL,
  alarm TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('water', 'pulse', 'appointment', 'own')),
  label TEXT NOT NULL,
  minute INTEGER NOT NULL CHECK (minute BETWEEN 0 AND 1439),
  -- a bit for each, Monday first; 0: it rings once, on the day of starts
  weekdays INTEGER NOT NULL CHECK (weekdays BETWEEN 0 AND 127),
  starts TEXT NOT NULL CHECK (starts LIKE '____-__-__'),
  ends TEXT CHECK (ends LIKE '____-__-__'),
  sound TEXT NOT NULL, -- an AlarmSound, or one of the person's own
  snooze INTEGER NOT NULL CHECK (snooze >= 0), -- minutes
  lead INTEGER CHECK (lead >= 0), -- minutes by which it is announced
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  era INTEGER NOT NULL CHECK (era >= 1), -- grows with each change of its times
  next_due INTEGER, -- NULL while it is off, removed or past
  next_lead INTEGER,
  version INTEGER NOT NULL CHECK (version >= 1),
  created INTEGER NOT NULL,
  removed INTEGER,
  PRIMARY KEY (patient, alarm),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK (ends >= starts)
) STRICT;
INSERT INTO alarms VALUES('ann','alarm-ann','water','label-ann',0,0,'2026-03-01','2026-03-01','sound-ann',0,0,0,1,1,1,1,1,1);
INSERT INTO alarms VALUES('bob','alarm-bob','water','label-bob',0,0,'2026-03-02','2026-03-02','sound-bob',0,0,0,1,2,2,1,2,2);
CREATE TABLE sounds (
  patient TEXT NOT NULL,
  sound TEXT NOT NULL,
  name TEXT NOT NULL,
  milliseconds INTEGER NOT NULL CHECK (milliseconds >= 0),
  content BLOB NOT NULL, -- a WAV file
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, sound),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO sounds VALUES('ann','sound-ann','name-ann',0,X'736f756e64732e636f6e74656e742e616e6e',1);
INSERT INTO sounds VALUES('bob','sound-bob','name-bob',0,X'736f756e64732e636f6e74656e742e626f62',2);
CREATE TABLE calendar_feeds (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  secret_sealed BLOB NOT NULL, -- shows the address again
  names_medicine INTEGER NOT NULL CHECK (names_medicine IN (0, 1)),
  created INTEGER NOT NULL,
  fetched INTEGER, -- when a calendar last asked for it
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO calendar_feeds VALUES('ann','account-ann',X'63616c656e6461725f66656564732e7365637265745f686173682e616e6e',X'63616c656e6461725f66656564732e7365637265745f7365616c65642e616e6e',0,1,1);
INSERT INTO calendar_feeds VALUES('bob','account-bob',X'63616c656e6461725f66656564732e7365637265745f686173682e626f62',X'63616c656e6461725f66656564732e7365637265745f7365616c65642e626f62',0,2,2);
CREATE TABLE widget_addresses (
  patient TEXT NOT NULL,
  address TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  account TEXT NOT NULL,
  names_medicine INTEGER NOT NULL CHECK (names_medicine IN (0, 1)),
  created INTEGER NOT NULL,
  fetched INTEGER, -- when a widget last asked for it
  PRIMARY KEY (patient, address),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO widget_addresses VALUES('ann','address-ann',X'7769646765745f6164647265737365732e7365637265745f686173682e616e6e','account-ann',0,1,1);
INSERT INTO widget_addresses VALUES('bob','address-bob',X'7769646765745f6164647265737365732e7365637265745f686173682e626f62','account-bob',0,2,2);
CREATE TABLE travel_questions (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  zone TEXT NOT NULL, -- the one that the device reported
  put_off INTEGER NOT NULL,
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO travel_questions VALUES('ann','account-ann','zone-ann',1);
INSERT INTO travel_questions VALUES('bob','account-bob','zone-bob',2);
CREATE TABLE clock_notices (
  patient TEXT NOT NULL,
  at INTEGER NOT NULL, -- when the clocks change
  looked INTEGER NOT NULL,
  reminder TEXT, -- what tells it; NULL where it moves no dose
  PRIMARY KEY (patient, at),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO clock_notices VALUES('ann',1,1,'reminder-ann');
INSERT INTO clock_notices VALUES('bob',2,2,'reminder-bob');
CREATE TABLE message_recipients (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  offered_by TEXT NOT NULL, -- who chose it for the person
  offered INTEGER NOT NULL,
  agreed INTEGER, -- nothing is sent before
  -- 0 is told at once; others one after the other until one of them takes over
  place INTEGER NOT NULL CHECK (place >= 0),
  most INTEGER NOT NULL CHECK (most >= 0), -- notifications a day
  says INTEGER NOT NULL CHECK (says IN (0, 1)), -- a notification may carry the message
  may_nudge INTEGER NOT NULL CHECK (may_nudge IN (0, 1)),
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO message_recipients VALUES('ann','account-ann','offered_by-ann',1,1,0,0,0,0);
INSERT INTO message_recipients VALUES('bob','account-bob','offered_by-bob',2,2,0,0,0,0);
CREATE TABLE message_rules (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  topic TEXT NOT NULL
    CHECK (topic IN ('refused', 'missed', 'missed-often', 'warning', 'heart-yes', 'morning-done', 'not-recorded',
      'stock-low', 'stock-out', 'more')),
  way TEXT NOT NULL CHECK (way IN ('now', 'digest')),
  number INTEGER NOT NULL CHECK (number >= 0), -- of "so many missed in so many days"
  days INTEGER NOT NULL CHECK (days >= 0),
  minute INTEGER NOT NULL CHECK (minute BETWEEN 0 AND 1439), -- of "not recorded by"
  since INTEGER NOT NULL, -- what happened before is not told
  PRIMARY KEY (patient, account, topic),
  FOREIGN KEY (patient, account) REFERENCES message_recipients (patient, account) ON DELETE CASCADE
) STRICT;
INSERT INTO message_rules VALUES('ann','account-ann','refused','now',0,0,0,1);
INSERT INTO message_rules VALUES('bob','account-bob','refused','now',0,0,0,2);
CREATE TABLE message_checks (
  patient TEXT NOT NULL,
  next_look INTEGER NOT NULL,
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO message_checks VALUES('ann',1);
INSERT INTO message_checks VALUES('bob',2);
CREATE TABLE caregiver_messages (
  patient TEXT NOT NULL,
  notice TEXT NOT NULL,
  account TEXT NOT NULL,
  topic TEXT NOT NULL
    CHECK (topic IN ('refused', 'missed', 'missed-often', 'warning', 'heart-yes', 'morning-done', 'not-recorded',
      'stock-low', 'stock-out', 'more')),
  day TEXT NOT NULL CHECK (day LIKE '____-__-__'),
  fact TEXT NOT NULL, -- the first of what happened
  happened INTEGER NOT NULL,
  more INTEGER NOT NULL CHECK (more >= 0), -- how often it happened besides
  detail TEXT NOT NULL, -- JSON: ids, times and answers
  way TEXT NOT NULL CHECK (way IN ('now', 'digest')),
  state TEXT NOT NULL CHECK (state IN ('planned', 'told', 'settled', 'stopped', 'withdrawn')),
  tell_at INTEGER NOT NULL,
  subject TEXT, -- the reminder that brought it
  told INTEGER,
  seen INTEGER,
  acknowledged INTEGER,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, notice),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO caregiver_messages VALUES('ann','notice-ann','account-ann','refused','2026-03-01','fact-ann',1,0,'detail-ann','now','planned',1,'subject-ann',1,1,1,1);
INSERT INTO caregiver_messages VALUES('bob','notice-bob','account-bob','refused','2026-03-02','fact-bob',2,0,'detail-bob','now','planned',2,'subject-bob',2,2,2,2);
CREATE TABLE message_digests (
  account TEXT NOT NULL,
  day TEXT NOT NULL CHECK (day LIKE '____-__-__'),
  subject TEXT NOT NULL,
  PRIMARY KEY (account, day),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO message_digests VALUES('account-ann','2026-03-01','subject-ann');
INSERT INTO message_digests VALUES('account-bob','2026-03-02','subject-bob');
CREATE TABLE message_preferences (
  account TEXT NOT NULL,
  digest_minute INTEGER NOT NULL CHECK (digest_minute BETWEEN 0 AND 1439), -- on the recipient's own clock
  muted_until INTEGER,
  phone_sealed BLOB, -- the number under which those who tell them may call
  PRIMARY KEY (account),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO message_preferences VALUES('account-ann',0,1,X'6d6573736167655f707265666572656e6365732e70686f6e655f7365616c65642e616e6e');
INSERT INTO message_preferences VALUES('account-bob',0,2,X'6d6573736167655f707265666572656e6365732e70686f6e655f7365616c65642e626f62');
CREATE TABLE nudges (
  patient TEXT NOT NULL,
  day TEXT NOT NULL CHECK (day LIKE '____-__-__'),
  number INTEGER NOT NULL CHECK (number >= 1), -- in the person's day
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  plan TEXT NOT NULL,
  era INTEGER NOT NULL CHECK (era >= 1),
  occurrence TEXT NOT NULL,
  subject TEXT NOT NULL, -- the reminder
  at INTEGER NOT NULL,
  PRIMARY KEY (patient, day, number),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO nudges VALUES('ann','2026-03-01',1,'account-ann','by_name-ann','plan-ann',1,'occurrence-ann','subject-ann',1);
INSERT INTO nudges VALUES('bob','2026-03-02',1,'account-bob','by_name-bob','plan-bob',1,'occurrence-bob','subject-bob',2);
CREATE TABLE chat_conversations (
  patient TEXT NOT NULL,
  conversation TEXT NOT NULL,
  member TEXT NOT NULL, -- the account on the other side; the conversation outlives it
  member_name TEXT NOT NULL, -- as it was with the last message
  relationship TEXT NOT NULL CHECK (relationship IN ('self', 'guardian', 'family', 'practitioner', 'emergency')),
  created INTEGER NOT NULL,
  last_number INTEGER NOT NULL CHECK (last_number >= 0), -- the number of the latest message
  last_at INTEGER NOT NULL,
  PRIMARY KEY (patient, conversation),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO chat_conversations VALUES('ann','conversation-ann','member-ann','member_name-ann','self',1,0,1);
INSERT INTO chat_conversations VALUES('bob','conversation-bob','member-bob','member_name-bob','self',2,0,2);
CREATE TABLE chat_messages (
  patient TEXT NOT NULL,
  conversation TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 1),
  message TEXT NOT NULL,
  event TEXT NOT NULL,
  sender TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('patient', 'member')),
  -- what the sender was to the patient
  role TEXT NOT NULL CHECK (role IN ('self', 'guardian', 'family', 'practitioner', 'emergency')),
  sent INTEGER NOT NULL, -- when it arrived here
  written INTEGER NOT NULL,
  body_sealed BLOB, -- the text with the sender's name; NULL once it was withdrawn
  has_photo INTEGER NOT NULL CHECK (has_photo IN (0, 1)),
  link_kind TEXT NOT NULL CHECK (link_kind IN ('', 'dose', 'warning')), -- '' for none
  link TEXT NOT NULL,
  withdrawn INTEGER,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, conversation, number),
  FOREIGN KEY (patient, conversation) REFERENCES chat_conversations (patient, conversation) ON DELETE CASCADE,
  CHECK ((body_sealed IS NULL) = (withdrawn IS NOT NULL)),
  CHECK ((link_kind = '') = (link = ''))
) STRICT;
INSERT INTO chat_messages VALUES('ann','conversation-ann',1,'message-ann','event-ann','sender-ann','patient','self',1,1,X'636861745f6d657373616765732e626f64795f7365616c65642e616e6e',0,'','',NULL,1);
INSERT INTO chat_messages VALUES('bob','conversation-bob',1,'message-bob','event-bob','sender-bob','patient','self',2,2,X'636861745f6d657373616765732e626f64795f7365616c65642e626f62',0,'','',NULL,2);
CREATE TABLE chat_photos (
  patient TEXT NOT NULL,
  message TEXT NOT NULL,
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height >= 1),
  bytes_sealed BLOB NOT NULL,
  PRIMARY KEY (patient, message),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO chat_photos VALUES('ann','message-ann',1,1,X'636861745f70686f746f732e62797465735f7365616c65642e616e6e');
INSERT INTO chat_photos VALUES('bob','message-bob',1,1,X'636861745f70686f746f732e62797465735f7365616c65642e626f62');
CREATE TABLE chat_members (
  patient TEXT NOT NULL,
  conversation TEXT NOT NULL,
  account TEXT NOT NULL,
  seen_number INTEGER NOT NULL CHECK (seen_number >= 0),
  seen INTEGER,
  unread INTEGER NOT NULL CHECK (unread >= 0), -- messages of the other side after that
  notice TEXT, -- the reminder that tells of them
  PRIMARY KEY (patient, conversation, account),
  FOREIGN KEY (patient, conversation) REFERENCES chat_conversations (patient, conversation) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO chat_members VALUES('ann','conversation-ann','account-ann',0,1,0,'notice-ann');
INSERT INTO chat_members VALUES('bob','conversation-bob','account-bob',0,2,0,'notice-bob');
CREATE TABLE communications (
  patient TEXT NOT NULL,
  communication TEXT NOT NULL,
  status TEXT NOT NULL,
  sent INTEGER NOT NULL,
  created INTEGER NOT NULL,
  sent_by TEXT NOT NULL,
  body_sealed BLOB NOT NULL,
  PRIMARY KEY (patient, communication),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO communications VALUES('ann','communication-ann','status-ann',1,1,'sent_by-ann',X'636f6d6d756e69636174696f6e732e626f64795f7365616c65642e616e6e');
INSERT INTO communications VALUES('bob','communication-bob','status-bob',2,2,'sent_by-bob',X'636f6d6d756e69636174696f6e732e626f64795f7365616c65642e626f62');
CREATE TABLE emergency_cards (
  patient TEXT NOT NULL,
  card TEXT NOT NULL,
  secret_hash BLOB NOT NULL, -- finds the link that was opened
  secret_sealed BLOB NOT NULL, -- link and code are sealed, to be printed again
  code_sealed BLOB NOT NULL,
  shows_code INTEGER NOT NULL CHECK (shows_code IN (0, 1)), -- the code is printed next to the link
  account TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  refused INTEGER NOT NULL DEFAULT 0 CHECK (refused >= 0), -- wrong codes
  refused_last INTEGER,
  PRIMARY KEY (patient, card),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO emergency_cards VALUES('ann','card-ann',X'656d657267656e63795f63617264732e7365637265745f686173682e616e6e',X'656d657267656e63795f63617264732e7365637265745f7365616c65642e616e6e',X'656d657267656e63795f63617264732e636f64655f7365616c65642e616e6e',0,'account-ann',1,1,0,1);
INSERT INTO emergency_cards VALUES('bob','card-bob',X'656d657267656e63795f63617264732e7365637265745f686173682e626f62',X'656d657267656e63795f63617264732e7365637265745f7365616c65642e626f62',X'656d657267656e63795f63617264732e636f64655f7365616c65642e626f62',0,'account-bob',2,2,0,2);
CREATE TABLE emergency_card_openings (
  patient TEXT NOT NULL,
  opening TEXT NOT NULL,
  card TEXT NOT NULL,
  at INTEGER NOT NULL,
  PRIMARY KEY (patient, opening),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO emergency_card_openings VALUES('ann','opening-ann','card-ann',1);
INSERT INTO emergency_card_openings VALUES('bob','opening-bob','card-bob',2);
CREATE TABLE care_notes (
  patient TEXT NOT NULL,
  note TEXT NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  text_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, note),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO care_notes VALUES('ann','note-ann','account-ann','by_name-ann',X'636172655f6e6f7465732e746578745f7365616c65642e616e6e',1);
INSERT INTO care_notes VALUES('bob','note-bob','account-bob','by_name-bob',X'636172655f6e6f7465732e746578745f7365616c65642e626f62',2);
CREATE TABLE proposals (
  patient TEXT NOT NULL,
  proposal TEXT NOT NULL,
  source TEXT NOT NULL,
  source_key TEXT NOT NULL, -- the first identifier as system|value, else the resource's address, else its digest
  other_keys TEXT NOT NULL,
  source_updated INTEGER, -- meta.lastUpdated at the source
  kind TEXT NOT NULL CHECK (kind IN ('new', 'changed', 'stopped')),
  resource TEXT NOT NULL, -- the MedicationRequest as R4
  digest TEXT NOT NULL,
  plan TEXT, -- the plan that it concerns, or became
  state TEXT NOT NULL CHECK (state IN ('open', 'accepted', 'declined', 'outdated')),
  created INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  decided INTEGER,
  decided_by TEXT,
  seen INTEGER, -- when a stop was read by the person
  PRIMARY KEY (patient, proposal),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((decided IS NULL) = (decided_by IS NULL)),
  CHECK ((decided IS NULL) = (state = 'open'))
) STRICT;
INSERT INTO proposals VALUES('ann','proposal-ann','source-ann','source_key-ann','other_keys-ann',1,'new','resource-ann','digest-ann','plan-ann','accepted',1,'created_by-ann',1,'decided_by-ann',1);
INSERT INTO proposals VALUES('bob','proposal-bob','source-bob','source_key-bob','other_keys-bob',2,'new','resource-bob','digest-bob','plan-bob','accepted',2,'created_by-bob',2,'decided_by-bob',2);
CREATE TABLE prescription_warnings (
  patient TEXT NOT NULL,
  proposal TEXT NOT NULL,
  warning TEXT NOT NULL,
  confirmed INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, proposal, warning),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO prescription_warnings VALUES('ann','proposal-ann','warning-ann',1,'account-ann','by_name-ann');
INSERT INTO prescription_warnings VALUES('bob','proposal-bob','warning-bob',2,'account-bob','by_name-bob');
CREATE TABLE plan_sources (
  patient TEXT NOT NULL,
  source_key TEXT NOT NULL,
  plan TEXT, -- NULL: two plans share the key, so it leads to neither
  PRIMARY KEY (patient, source_key),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO plan_sources VALUES('ann','source_key-ann','plan-ann');
INSERT INTO plan_sources VALUES('bob','source_key-bob','plan-bob');
CREATE TABLE imported_administrations (
  patient TEXT NOT NULL,
  source_key TEXT NOT NULL,
  administration TEXT NOT NULL,
  digest TEXT NOT NULL,
  request_key TEXT, -- the prescription that it belongs to, as its source names it
  plan TEXT, -- once that is a plan
  PRIMARY KEY (patient, source_key),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO imported_administrations VALUES('ann','source_key-ann','administration-ann','digest-ann','request_key-ann','plan-ann');
INSERT INTO imported_administrations VALUES('bob','source_key-bob','administration-bob','digest-bob','request_key-bob','plan-bob');
CREATE TABLE import_uploads (
  patient TEXT NOT NULL,
  upload TEXT NOT NULL,
  piece INTEGER NOT NULL CHECK (piece >= 0),
  account TEXT NOT NULL,
  file_name TEXT NOT NULL,
  bytes BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, upload, piece),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO import_uploads VALUES('ann','upload-ann',0,'account-ann','file_name-ann',X'696d706f72745f75706c6f6164732e62797465732e616e6e',1);
INSERT INTO import_uploads VALUES('bob','upload-bob',0,'account-bob','file_name-bob',X'696d706f72745f75706c6f6164732e62797465732e626f62',2);
CREATE TABLE table_imports (
  patient TEXT NOT NULL,
  import TEXT NOT NULL,
  file_name TEXT NOT NULL,
  made INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  keys TEXT NOT NULL, -- what the table added, one key per line
  taken_back INTEGER,
  taken_back_account TEXT,
  PRIMARY KEY (patient, import),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((taken_back IS NULL) = (taken_back_account IS NULL))
) STRICT;
INSERT INTO table_imports VALUES('ann','import-ann','file_name-ann',1,'account-ann','by_name-ann','keys-ann',1,'taken_back_account-ann');
INSERT INTO table_imports VALUES('bob','import-bob','file_name-bob',2,'account-bob','by_name-bob','keys-bob',2,'taken_back_account-bob');
CREATE TABLE hospital_connections (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  account TEXT NOT NULL, -- who connected it
  base TEXT NOT NULL,
  label TEXT NOT NULL,
  version TEXT NOT NULL CHECK (version IN ('R4', 'DSTU2')),
  access TEXT NOT NULL CHECK (access IN ('open', 'token', 'smart')),
  credentials_sealed BLOB,
  identity TEXT NOT NULL, -- what the server says about itself
  types TEXT NOT NULL,
  person TEXT, -- who was chosen there, as JSON
  state TEXT NOT NULL CHECK (state IN ('choosing', 'working', 'expired', 'revoked', 'refused')),
  trouble TEXT, -- code of the last failure
  accepts TEXT NOT NULL CHECK (accepts IN ('ask', 'changes', 'all')), -- what is imported without asking
  writes_since INTEGER, -- since when answers are sent
  planned_until INTEGER, -- up to when they were queued
  created INTEGER NOT NULL,
  synced INTEGER,
  tried INTEGER,
  next_at INTEGER NOT NULL, -- when to fetch again; the end of the lease while it is claimed
  attempt INTEGER NOT NULL CHECK (attempt >= 0), -- fences results
  failures INTEGER NOT NULL CHECK (failures >= 0),
  forced INTEGER CHECK (forced IN (0, 1)), -- 1 where someone asked for it
  identified INTEGER,
  PRIMARY KEY (patient, connection),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO hospital_connections VALUES('ann','connection-ann','account-ann','base-ann','label-ann','R4','open',X'686f73706974616c5f636f6e6e656374696f6e732e63726564656e7469616c735f7365616c65642e616e6e','identity-ann','types-ann','person-ann','choosing','trouble-ann','ask',1,1,1,1,1,1,0,0,0,1);
INSERT INTO hospital_connections VALUES('bob','connection-bob','account-bob','base-bob','label-bob','R4','open',X'686f73706974616c5f636f6e6e656374696f6e732e63726564656e7469616c735f7365616c65642e626f62','identity-bob','types-bob','person-bob','choosing','trouble-bob','ask',2,2,2,2,2,2,0,0,0,2);
CREATE TABLE hospital_marks (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  type TEXT NOT NULL,
  since INTEGER, -- the latest lastUpdated seen
  tag TEXT, -- of the page at address
  address TEXT,
  PRIMARY KEY (patient, connection, type),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;
INSERT INTO hospital_marks VALUES('ann','connection-ann','type-ann',1,'tag-ann','address-ann');
INSERT INTO hospital_marks VALUES('bob','connection-bob','type-bob',2,'tag-bob','address-bob');
CREATE TABLE hospital_medicines (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  medicine TEXT NOT NULL,
  body TEXT NOT NULL,
  tag TEXT,
  fetched INTEGER NOT NULL,
  PRIMARY KEY (patient, connection, medicine),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;
INSERT INTO hospital_medicines VALUES('ann','connection-ann','medicine-ann','body-ann','tag-ann',1);
INSERT INTO hospital_medicines VALUES('bob','connection-bob','medicine-bob','body-bob','tag-bob',2);
CREATE TABLE hospital_visits (
  patient TEXT NOT NULL,
  state_hash BLOB NOT NULL,
  browser_hash BLOB NOT NULL,
  connection TEXT NOT NULL,
  account TEXT NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (patient, state_hash),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;
INSERT INTO hospital_visits VALUES('ann',X'686f73706974616c5f7669736974732e73746174655f686173682e616e6e',X'686f73706974616c5f7669736974732e62726f777365725f686173682e616e6e','connection-ann','account-ann',1);
INSERT INTO hospital_visits VALUES('bob',X'686f73706974616c5f7669736974732e73746174655f686173682e626f62',X'686f73706974616c5f7669736974732e62726f777365725f686173682e626f62','connection-bob','account-bob',2);
CREATE TABLE hospital_outbox (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  administration TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 0), -- of the record, as it should be there
  remote_id TEXT, -- its id there
  state TEXT NOT NULL CHECK (state IN ('waiting', 'reached', 'refused', 'none')), -- none: it is not the hospital's
  next_try INTEGER NOT NULL, -- when it may be claimed; the end of the lease while it is claimed
  attempt INTEGER NOT NULL CHECK (attempt >= 0), -- fences results
  tries INTEGER NOT NULL CHECK (tries >= 0), -- since it last changed
  trouble TEXT, -- code of the last failure
  words TEXT, -- what the hospital said about it
  reached INTEGER,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, connection, administration),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;
INSERT INTO hospital_outbox VALUES('ann','connection-ann','administration-ann',0,'remote_id-ann','waiting',1,0,0,'trouble-ann','words-ann',1,1);
INSERT INTO hospital_outbox VALUES('bob','connection-bob','administration-bob',0,'remote_id-bob','waiting',2,0,0,'trouble-bob','words-bob',2,2);
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
INSERT INTO vital_days VALUES('ann','resting-heart-rate','2026-03-01','source-ann',1,1,0,1,1,1,1,'observation-ann',X'766974616c5f646179732e73616d706c65732e616e6e',X'766974616c5f646179732e7265766973696f6e732e616e6e',X'766974616c5f646179732e77697468647261776e2e616e6e');
INSERT INTO vital_days VALUES('bob','resting-heart-rate','2026-03-02','source-bob',2,2,0,2,2,2,2,'observation-bob',X'766974616c5f646179732e73616d706c65732e626f62',X'766974616c5f646179732e7265766973696f6e732e626f62',X'766974616c5f646179732e77697468647261776e2e626f62');
CREATE TABLE vital_preferences (
  patient TEXT NOT NULL,
  metric TEXT NOT NULL
    CHECK (metric IN ('resting-heart-rate', 'heart-rate', 'walking-heart-rate', 'steps', 'weight')),
  source TEXT NOT NULL,
  PRIMARY KEY (patient, metric),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO vital_preferences VALUES('ann','resting-heart-rate','source-ann');
INSERT INTO vital_preferences VALUES('bob','resting-heart-rate','source-bob');
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
INSERT INTO vital_observations VALUES('ann','observation-ann','resting-heart-rate','2026-03-01','source-ann',1,'body-ann',1,1,1,1,1);
INSERT INTO vital_observations VALUES('bob','observation-bob','resting-heart-rate','2026-03-02','source-bob',2,'body-bob',2,1,2,2,2);
CREATE TABLE vital_observation_versions (
  patient TEXT NOT NULL,
  observation TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  body TEXT,
  changed INTEGER NOT NULL,
  PRIMARY KEY (patient, observation, version),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO vital_observation_versions VALUES('ann','observation-ann',1,'body-ann',1);
INSERT INTO vital_observation_versions VALUES('bob','observation-bob',1,'body-bob',2);
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
  tells_family INTEGER NOT NULL DEFAULT 1 CHECK (tells_family IN (0, 1)), false_days INTEGER NOT NULL DEFAULT 500
  CHECK (false_days BETWEEN 125 AND 2000),
  PRIMARY KEY (patient),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO heart_rate_monitoring VALUES('ann',0,'boundary',0,0,0,'plans-ann',0,1,1,1,1,0,125);
INSERT INTO heart_rate_monitoring VALUES('bob',0,'boundary',0,0,0,'plans-bob',0,2,2,2,2,0,125);
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
INSERT INTO heart_rate_boundaries VALUES('ann','boundary-ann','2026-03-01','provider',1,1,'on-medicine',1,0,'account-ann','by_name-ann',1);
INSERT INTO heart_rate_boundaries VALUES('bob','boundary-bob','2026-03-02','provider',2,2,'on-medicine',2,0,'account-bob','by_name-bob',2);
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
  done_at INTEGER, probability INTEGER CHECK (probability BETWEEN 0 AND 1000), illness INTEGER CHECK (illness BETWEEN 0 AND 1000), days_raised INTEGER NOT NULL DEFAULT 0
  CHECK (days_raised >= 0), is_unmoved INTEGER NOT NULL DEFAULT 0
  CHECK (is_unmoved IN (0, 1)),
  PRIMARY KEY (patient, warning),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((answer IS NULL) = (answered IS NULL)),
  CHECK ((done IS NULL) = (done_at IS NULL))
) STRICT;
INSERT INTO heart_rate_warnings VALUES('ann','warning-ann','heart','2026-03-01',1,'boundary',0,1,1,1,0,1,'yes',1,'answered_by-ann','later',1,0,0,0,0);
INSERT INTO heart_rate_warnings VALUES('bob','warning-bob','heart','2026-03-02',2,'boundary',0,2,2,2,0,2,'yes',2,'answered_by-bob','later',2,0,0,0,0);
CREATE TABLE heart_rate_messages (
  patient TEXT NOT NULL,
  message TEXT NOT NULL,
  words TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, message),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO heart_rate_messages VALUES('ann','message-ann','words-ann',1);
INSERT INTO heart_rate_messages VALUES('bob','message-bob','words-bob',2);
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
INSERT INTO heart_rate_glances VALUES('ann','glance-ann',X'68656172745f726174655f676c616e6365732e7365637265745f686173682e616e6e','account-ann',1);
INSERT INTO heart_rate_glances VALUES('bob','glance-bob',X'68656172745f726174655f676c616e6365732e7365637265745f686173682e626f62','account-bob',2);
CREATE TABLE heart_rate_questionnaires (
  patient TEXT NOT NULL,
  week TEXT NOT NULL CHECK (week LIKE '____-__-__'), -- its Monday
  response TEXT NOT NULL,
  body TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, week),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO heart_rate_questionnaires VALUES('ann','2026-03-01','response-ann','body-ann',1);
INSERT INTO heart_rate_questionnaires VALUES('bob','2026-03-02','response-bob','body-bob',2);
CREATE TABLE heart_rate_unmonitored (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  until INTEGER NOT NULL,
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO heart_rate_unmonitored VALUES('ann','plan-ann',1);
INSERT INTO heart_rate_unmonitored VALUES('bob','plan-bob',2);
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
INSERT INTO interaction_notes VALUES('ann','note-ann','warning-ann',1,'account-ann','by_name-ann',1,'taken_back_account-ann','taken_back_by-ann');
INSERT INTO interaction_notes VALUES('bob','note-bob','warning-bob',2,'account-bob','by_name-bob',2,'taken_back_account-bob','taken_back_by-bob');
CREATE TABLE stated_conditions (
  patient TEXT NOT NULL,
  condition TEXT NOT NULL, -- as the list names it: cond:asthma
  since INTEGER NOT NULL,
  account TEXT NOT NULL,
  by_name TEXT NOT NULL,
  PRIMARY KEY (patient, condition),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO stated_conditions VALUES('ann','condition-ann',1,'account-ann','by_name-ann');
INSERT INTO stated_conditions VALUES('bob','condition-bob',2,'account-bob','by_name-bob');
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
INSERT INTO ingredient_limits VALUES('ann','ingredient-ann','value-ann','unit-ann',1,1,'account-ann','by_name-ann');
INSERT INTO ingredient_limits VALUES('bob','ingredient-bob','value-bob','unit-bob',1,2,'account-bob','by_name-bob');
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
INSERT INTO stocks VALUES('ann','stock-ann','medicine_name-ann','unit-ann','unit_code-ann','strength_value-ann','strength_unit-ann','other',0,0,0,0,0,0,1,0,1,1,1,1,0);
INSERT INTO stocks VALUES('bob','stock-bob','medicine_name-bob','unit-bob','unit_code-bob','strength_value-bob','strength_unit-bob','other',0,0,0,0,0,0,2,0,2,2,2,2,0);
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
INSERT INTO stock_lots VALUES('ann','stock-ann','lot-ann',1,0,'2026-03-01','2026-03-01','label-ann',0,0,1,0);
INSERT INTO stock_lots VALUES('bob','stock-bob','lot-bob',1,0,'2026-03-02','2026-03-02','label-bob',0,0,2,0);
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
INSERT INTO stock_uses VALUES('ann','medicine-ann','ann','stock-ann',1);
INSERT INTO stock_uses VALUES('bob','medicine-bob','bob','stock-bob',2);
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
INSERT INTO stock_entries VALUES('ann','entry-ann','ann','stock-ann',0,'lot-ann','counted',1,0,1,1,'account-ann','by_name-ann','administration-ann','act-ann','dispense-ann');
INSERT INTO stock_entries VALUES('bob','entry-bob','bob','stock-bob',0,'lot-bob','counted',2,0,2,2,'account-bob','by_name-bob','administration-bob','act-bob','dispense-bob');
CREATE TABLE stock_balances (
  patient TEXT NOT NULL,
  stock TEXT NOT NULL,
  lot TEXT NOT NULL,
  amount INTEGER NOT NULL,
  PRIMARY KEY (patient, stock, lot),
  FOREIGN KEY (patient, stock) REFERENCES stocks (patient, stock) ON DELETE CASCADE
) STRICT;
INSERT INTO stock_balances VALUES('ann','stock-ann','lot-ann',1);
INSERT INTO stock_balances VALUES('bob','stock-bob','lot-bob',2);
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
INSERT INTO stock_notices VALUES('ann','stock-ann','subject-ann',1,0,1,'reminder-ann');
INSERT INTO stock_notices VALUES('bob','stock-bob','subject-bob',2,0,2,'reminder-bob');
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
INSERT INTO stock_marks VALUES('ann','stock-ann','low',1,0,1,'2026-03-01',0);
INSERT INTO stock_marks VALUES('bob','stock-bob','low',2,0,2,'2026-03-02',0);
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
INSERT INTO stock_dispenses VALUES('ann','dispense-ann','source_key-ann',0,'digest-ann','request_keys-ann','ingredients-ann','medicine_name-ann','amount_value-ann','amount_unit-ann','amount_code-ann','2026-03-01','2026-03-01','label-ann','waiting',0,1,'ann','stock-ann','act-ann',1,'account-ann','by_name-ann','decided_value-ann','decided_unit-ann','decided_code-ann');
INSERT INTO stock_dispenses VALUES('bob','dispense-bob','source_key-bob',0,'digest-bob','request_keys-bob','ingredients-bob','medicine_name-bob','amount_value-bob','amount_unit-bob','amount_code-bob','2026-03-02','2026-03-02','label-bob','waiting',0,2,'bob','stock-bob','act-bob',2,'account-bob','by_name-bob','decided_value-bob','decided_unit-bob','decided_code-bob');
CREATE TABLE record_index (
  patient TEXT NOT NULL,
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  value TEXT NOT NULL,
  detail TEXT NOT NULL,
  lower REAL NOT NULL,
  upper REAL NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (patient, type, parameter, value, detail, lower, upper, id),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO record_index VALUES('ann','type-ann','parameter-ann','value-ann','detail-ann',1.5,1.5,'id-ann');
INSERT INTO record_index VALUES('bob','type-bob','parameter-bob','value-bob','detail-bob',2.5,2.5,'id-bob');
CREATE TABLE record_index_state (
  entry INTEGER NOT NULL CHECK (entry = 1),
  version INTEGER NOT NULL CHECK (version >= 0),
  step INTEGER NOT NULL CHECK (step IN (0, 1, 2)), -- records of patients, shared resources, complete
  done_type TEXT NOT NULL, -- the last resource of this step that is in the index; '' before the first
  done_patient TEXT NOT NULL,
  done_id TEXT NOT NULL,
  PRIMARY KEY (entry)
) STRICT;
INSERT INTO record_index_state VALUES(1,0,0,'done_type-ann','done_patient-ann','done_id-ann');
CREATE TABLE shared_resources (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  last_updated INTEGER NOT NULL,
  status TEXT,
  operation TEXT NOT NULL CHECK (operation IN ('create', 'update')),
  actor TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (type, id)
) STRICT;
INSERT INTO shared_resources VALUES('type-ann','id-ann',1,1,'status-ann','create','actor-ann','body-ann');
CREATE TABLE shared_resource_versions (
  type TEXT NOT NULL,
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  last_updated INTEGER NOT NULL,
  operation TEXT NOT NULL CHECK (operation = 'create' OR operation = 'update' OR operation = 'delete'),
  actor TEXT NOT NULL,
  body TEXT,
  PRIMARY KEY (type, id, version),
  CHECK ((body IS NULL) = (operation = 'delete'))
) STRICT;
INSERT INTO shared_resource_versions VALUES('type-ann','id-ann',1,1,'create','actor-ann','body-ann');
CREATE TABLE shared_index (
  type TEXT NOT NULL,
  parameter TEXT NOT NULL,
  value TEXT NOT NULL,
  detail TEXT NOT NULL,
  lower REAL NOT NULL,
  upper REAL NOT NULL,
  id TEXT NOT NULL,
  PRIMARY KEY (type, parameter, value, detail, lower, upper, id)
) STRICT;
INSERT INTO shared_index VALUES('type-ann','parameter-ann','value-ann','detail-ann',1.5,1.5,'id-ann');
CREATE TABLE fhir_subscriptions (
  subscription TEXT NOT NULL,
  account TEXT NOT NULL,
  credential TEXT NOT NULL, -- the token whose rights it has
  topic TEXT NOT NULL CHECK (topic IN ('prescription', 'administration', 'missed-dose', 'heart-rate-warning')),
  version INTEGER NOT NULL CHECK (version >= 1),
  changed INTEGER NOT NULL, -- when the version was made
  state TEXT NOT NULL CHECK (state IN ('requested', 'active', 'error', 'off')),
  trouble TEXT, -- code of the last failure; NULL after a success
  body_sealed BLOB NOT NULL, -- the resource as it was sent, whose headers may be secret
  secret_sealed BLOB NOT NULL, -- signs the notifications
  ends INTEGER,
  heartbeat INTEGER CHECK (heartbeat >= 1), -- seconds
  events INTEGER NOT NULL CHECK (events >= 0), -- the number of the latest event
  delivered INTEGER NOT NULL CHECK (delivered >= 0), -- the number of the latest event that was sent
  looked INTEGER NOT NULL, -- up to when doses and warnings were looked for
  next_try INTEGER NOT NULL, -- when something is to be sent, or the subscription ends
  leased_until INTEGER, -- the end of the attempt that is under way
  attempt INTEGER NOT NULL CHECK (attempt >= 0), -- fences results
  failures INTEGER NOT NULL CHECK (failures >= 0), -- since the last success
  PRIMARY KEY (subscription),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO fhir_subscriptions VALUES('subscription-ann','account-ann','credential-ann','prescription',1,1,'requested','trouble-ann',X'666869725f737562736372697074696f6e732e626f64795f7365616c65642e616e6e',X'666869725f737562736372697074696f6e732e7365637265745f7365616c65642e616e6e',1,1,0,0,1,1,1,0,0);
INSERT INTO fhir_subscriptions VALUES('subscription-bob','account-bob','credential-bob','prescription',1,2,'requested','trouble-bob',X'666869725f737562736372697074696f6e732e626f64795f7365616c65642e626f62',X'666869725f737562736372697074696f6e732e7365637265745f7365616c65642e626f62',2,1,0,0,2,2,2,0,0);
CREATE TABLE fhir_events (
  patient TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('MedicationRequest', 'MedicationAdministration')),
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  happened INTEGER NOT NULL,
  PRIMARY KEY (patient, type, id, version),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO fhir_events VALUES('ann','MedicationRequest','id-ann',1,1);
INSERT INTO fhir_events VALUES('bob','MedicationRequest','id-bob',1,2);
CREATE TABLE fhir_notifications (
  patient TEXT NOT NULL,
  subscription TEXT NOT NULL,
  number INTEGER NOT NULL CHECK (number >= 1),
  type TEXT NOT NULL, -- the focus
  id TEXT NOT NULL,
  version INTEGER CHECK (version >= 1), -- NULL for the current one
  happened INTEGER NOT NULL,
  planned INTEGER NOT NULL,
  PRIMARY KEY (patient, subscription, number),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (subscription) REFERENCES fhir_subscriptions (subscription) ON DELETE CASCADE
) STRICT;
INSERT INTO fhir_notifications VALUES('ann','subscription-ann',1,'type-ann','id-ann',1,1,1);
INSERT INTO fhir_notifications VALUES('bob','subscription-bob',1,'type-bob','id-bob',1,2,2);
CREATE TABLE apps (
  app TEXT NOT NULL,
  name TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('public', 'confidential', 'backend')),
  state TEXT NOT NULL CHECK (state IN ('pending', 'enabled', 'disabled')),
  redirects TEXT NOT NULL, -- exact addresses, separated by line breaks
  scopes TEXT NOT NULL, -- the most that it may ask for
  launch_address TEXT,
  logo_address TEXT,
  policy_address TEXT,
  terms_address TEXT,
  secret_digest BLOB,
  key_set TEXT, -- public keys (JWKS)
  key_set_address TEXT,
  account TEXT, -- in whose name a backend service acts
  created INTEGER NOT NULL,
  PRIMARY KEY (app),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE,
  CHECK (kind = 'backend' OR redirects <> ''),
  CHECK (kind <> 'backend' OR account IS NOT NULL),
  CHECK (kind <> 'public' OR secret_digest IS NULL)
) STRICT;
INSERT INTO apps VALUES('app-ann','name-ann','public','pending','redirects-ann','scopes-ann','launch_address-ann','logo_address-ann','policy_address-ann','terms_address-ann',NULL,'key_set-ann','key_set_address-ann','account-ann',1);
INSERT INTO apps VALUES('app-bob','name-bob','public','pending','redirects-bob','scopes-bob','launch_address-bob','logo_address-bob','policy_address-bob','terms_address-bob',NULL,'key_set-bob','key_set_address-bob','account-bob',2);
CREATE TABLE app_grants (
  app_grant TEXT NOT NULL,
  app TEXT NOT NULL,
  account TEXT NOT NULL,
  patient TEXT, -- the person for whom the app was started
  scopes TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  ended INTEGER,
  used INTEGER, -- about when a token of it was last used
  PRIMARY KEY (app_grant),
  FOREIGN KEY (app) REFERENCES apps (app) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE,
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO app_grants VALUES('app_grant-ann','app-ann','account-ann','ann','scopes-ann',1,1,1,1);
INSERT INTO app_grants VALUES('app_grant-bob','app-bob','account-bob','bob','scopes-bob',2,2,2,2);
CREATE TABLE app_codes (
  digest BLOB NOT NULL,
  app_grant TEXT NOT NULL,
  challenge TEXT NOT NULL, -- PKCE with S256
  redirect TEXT NOT NULL,
  nonce TEXT,
  proved INTEGER NOT NULL, -- when the person last proved who they are
  expires INTEGER NOT NULL,
  used INTEGER, key_thumbprint TEXT,
  PRIMARY KEY (digest),
  FOREIGN KEY (app_grant) REFERENCES app_grants (app_grant) ON DELETE CASCADE
) STRICT;
INSERT INTO app_codes VALUES(X'6170705f636f6465732e6469676573742e616e6e','app_grant-ann','challenge-ann','redirect-ann','nonce-ann',1,1,1,'key_thumbprint-ann');
INSERT INTO app_codes VALUES(X'6170705f636f6465732e6469676573742e626f62','app_grant-bob','challenge-bob','redirect-bob','nonce-bob',2,2,2,'key_thumbprint-bob');
CREATE TABLE app_tokens (
  digest BLOB NOT NULL,
  app_grant TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  scopes TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  rotated INTEGER, key_thumbprint TEXT, -- when a refresh token was replaced by the next
  PRIMARY KEY (digest),
  FOREIGN KEY (app_grant) REFERENCES app_grants (app_grant) ON DELETE CASCADE,
  CHECK (kind = 'refresh' OR rotated IS NULL)
) STRICT;
INSERT INTO app_tokens VALUES(X'6170705f746f6b656e732e6469676573742e616e6e','app_grant-ann','access','scopes-ann',1,1,NULL,'key_thumbprint-ann');
INSERT INTO app_tokens VALUES(X'6170705f746f6b656e732e6469676573742e626f62','app_grant-bob','access','scopes-bob',2,2,NULL,'key_thumbprint-bob');
CREATE TABLE app_launches (
  digest BLOB NOT NULL,
  app TEXT NOT NULL,
  account TEXT NOT NULL,
  patient TEXT NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest),
  FOREIGN KEY (app) REFERENCES apps (app) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE,
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO app_launches VALUES(X'6170705f6c61756e636865732e6469676573742e616e6e','app-ann','account-ann','ann',1);
INSERT INTO app_launches VALUES(X'6170705f6c61756e636865732e6469676573742e626f62','app-bob','account-bob','bob',2);
CREATE TABLE app_assertions (
  app TEXT NOT NULL,
  digest BLOB NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (app, digest),
  FOREIGN KEY (app) REFERENCES apps (app) ON DELETE CASCADE
) STRICT;
INSERT INTO app_assertions VALUES('app-ann',X'6170705f617373657274696f6e732e6469676573742e616e6e',1);
INSERT INTO app_assertions VALUES('app-bob',X'6170705f617373657274696f6e732e6469676573742e626f62',2);
CREATE TABLE app_keys (
  app_key TEXT NOT NULL,
  private_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (app_key)
) STRICT;
INSERT INTO app_keys VALUES('app_key-ann',X'6170705f6b6579732e707269766174655f7365616c65642e616e6e',1);
CREATE TABLE cds_clients (
  issuer TEXT NOT NULL, -- the address by which its tokens name it
  account TEXT NOT NULL,
  key_set TEXT NOT NULL, -- its public keys (RFC 7517)
  every_patient INTEGER NOT NULL CHECK (every_patient IN (0, 1)),
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created INTEGER NOT NULL,
  used INTEGER, -- about when it last asked
  PRIMARY KEY (issuer),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO cds_clients VALUES('issuer-ann','account-ann','key_set-ann',0,0,1,1);
INSERT INTO cds_clients VALUES('issuer-bob','account-bob','key_set-bob',0,0,2,2);
CREATE TABLE cds_used_tokens (
  digest BLOB NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest)
) STRICT;
INSERT INTO cds_used_tokens VALUES(X'6364735f757365645f746f6b656e732e6469676573742e616e6e',1);
CREATE TABLE export_jobs (
  job TEXT NOT NULL,
  account TEXT NOT NULL,
  state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
  trouble TEXT, -- code of the reason why it failed
  created INTEGER NOT NULL,
  written INTEGER NOT NULL CHECK (written >= 0), -- resources so far
  content_sealed BLOB NOT NULL, -- the request, the access of its sender, the key of the files, and the files
  leased_until INTEGER, -- the end of the attempt that is under way, unless it goes on
  attempt INTEGER NOT NULL CHECK (attempt >= 0), -- fences results
  PRIMARY KEY (job),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO export_jobs VALUES('job-ann','account-ann','waiting','trouble-ann',1,0,X'6578706f72745f6a6f62732e636f6e74656e745f7365616c65642e616e6e',1,0);
INSERT INTO export_jobs VALUES('job-bob','account-bob','waiting','trouble-bob',2,0,X'6578706f72745f6a6f62732e636f6e74656e745f7365616c65642e626f62',2,0);
CREATE TABLE hospital_comparisons (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  histories TEXT NOT NULL, -- the resource types whose deletions the server lists
  watched INTEGER, -- when the deletions were last read
  tried INTEGER, -- when the whole list was last asked for
  compared INTEGER, -- when it last arrived complete
  missing INTEGER NOT NULL CHECK (missing >= 0), -- so many are gone that a person is asked first
  allowed INTEGER NOT NULL CHECK (allowed >= 0), -- the number that a person expects to be gone
  PRIMARY KEY (patient, connection),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;
INSERT INTO hospital_comparisons VALUES('ann','connection-ann','histories-ann',1,1,1,0,0);
INSERT INTO hospital_comparisons VALUES('bob','connection-bob','histories-bob',2,2,2,0,0);
CREATE TABLE hospital_renewals (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  until INTEGER NOT NULL, -- the end of the lease
  PRIMARY KEY (patient, connection),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;
INSERT INTO hospital_renewals VALUES('ann','connection-ann',1);
INSERT INTO hospital_renewals VALUES('bob','connection-bob',2);
CREATE TABLE home_devices (
  patient TEXT NOT NULL,
  device TEXT NOT NULL,
  kind TEXT NOT NULL
    CHECK (kind IN ('pill-box', 'drawer', 'button', 'dispenser', 'scale', 'camera', 'rfid-reader')),
  name TEXT NOT NULL,
  by_name TEXT NOT NULL, -- the name that is kept with its answers
  account TEXT NOT NULL, -- who added it
  token_digest BLOB, -- NULL once its token was revoked
  created INTEGER NOT NULL,
  revoked INTEGER,
  seen INTEGER, -- when it last reported anything
  battery INTEGER CHECK (battery >= 0 AND battery <= 100), -- percent
  skew INTEGER, -- milliseconds by which its clock was ahead
  skew_boot TEXT, -- the start of the device for which the skew holds
  skew_at INTEGER,
  minute INTEGER NOT NULL CHECK (minute >= 0), -- the last minute with a report, since 1970
  minute_events INTEGER NOT NULL CHECK (minute_events >= 0), -- the events in that minute
  PRIMARY KEY (patient, device),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((token_digest IS NULL) = (revoked IS NOT NULL)),
  CHECK ((skew IS NULL) = (skew_at IS NULL) AND (skew IS NULL) = (skew_boot IS NULL))
) STRICT;
INSERT INTO home_devices VALUES('ann','device-ann','pill-box','name-ann','by_name-ann','account-ann',X'686f6d655f646576696365732e746f6b656e5f6469676573742e616e6e',1,NULL,1,0,1,'skew_boot-ann',1,0,0);
INSERT INTO home_devices VALUES('bob','device-bob','pill-box','name-bob','by_name-bob','account-bob',X'686f6d655f646576696365732e746f6b656e5f6469676573742e626f62',2,NULL,2,0,2,'skew_boot-bob',2,0,0);
CREATE TABLE home_device_compartments (
  patient TEXT NOT NULL,
  device TEXT NOT NULL,
  compartment TEXT NOT NULL,
  meaning TEXT NOT NULL CHECK (meaning IN ('log', 'ask', 'note')),
  plan TEXT, -- the only medicine in it; NULL for every dose that is due
  PRIMARY KEY (patient, device, compartment),
  FOREIGN KEY (patient, device) REFERENCES home_devices (patient, device) ON DELETE CASCADE,
  -- Without its medicine it has no meaning, so that its events are only noted.
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO home_device_compartments VALUES('ann','device-ann','compartment-ann','log','plan-ann');
INSERT INTO home_device_compartments VALUES('bob','device-bob','compartment-bob','log','plan-bob');
CREATE TABLE home_device_events (
  patient TEXT NOT NULL,
  device TEXT NOT NULL,
  boot TEXT NOT NULL, -- the start of the device, whose sequence counts from there; '' where it names none
  sequence INTEGER NOT NULL CHECK (sequence >= 0),
  kind TEXT NOT NULL
    CHECK (kind = 'opened' OR kind = 'closed' OR kind = 'removed' OR kind = 'weight' OR kind = 'pressed' OR
      kind = 'heartbeat' OR kind = 'battery'),
  compartment TEXT NOT NULL,
  weight INTEGER, -- milligrams
  battery INTEGER CHECK (battery >= 0 AND battery <= 100),
  device_time INTEGER, -- by its own clock
  received INTEGER NOT NULL,
  judged INTEGER NOT NULL, -- when it happened, as far as that is known
  outcome TEXT NOT NULL
    CHECK (outcome = 'logged' OR outcome = 'asked' OR outcome = 'noted' OR outcome = 'aside' OR
      outcome = 'taken-back'),
  reason TEXT
    CHECK (reason = 'only-note' OR reason = 'unknown-compartment' OR reason = 'no-sign' OR
      reason = 'same-intake' OR reason = 'refill' OR reason = 'already-taken' OR
      reason = 'already-answered' OR reason = 'too-early' OR reason = 'window-over' OR
      reason = 'nothing-due' OR reason = 'confirm' OR reason = 'clock' OR reason = 'too-old' OR
      reason = 'no-right'),
  doses TEXT NOT NULL, -- the ids of the doses that it was about, one per line
  PRIMARY KEY (patient, device, boot, sequence),
  FOREIGN KEY (patient, device) REFERENCES home_devices (patient, device) ON DELETE CASCADE
) STRICT;
INSERT INTO home_device_events VALUES('ann','device-ann','boot-ann',0,'opened','compartment-ann',1,0,1,1,1,'logged','only-note','doses-ann');
INSERT INTO home_device_events VALUES('bob','device-bob','boot-bob',0,'opened','compartment-bob',2,0,2,2,2,'logged','only-note','doses-bob');
CREATE TABLE home_places (
  place TEXT NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (place)
) STRICT;
INSERT INTO home_places VALUES('place-ann',1);
CREATE TABLE home_links (
  patient TEXT NOT NULL,
  account TEXT NOT NULL,
  place TEXT NOT NULL,
  names_medicine INTEGER NOT NULL CHECK (names_medicine IN (0, 1)),
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, account),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO home_links VALUES('ann','account-ann','place-ann',0,1);
INSERT INTO home_links VALUES('bob','account-bob','place-bob',0,2);
CREATE TABLE home_leases (
  lease TEXT NOT NULL CHECK (lease = 'mqtt'),
  node TEXT NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (lease)
) STRICT;
INSERT INTO home_leases VALUES('mqtt','node-ann',1);
CREATE TABLE voice_questions (
  patient TEXT NOT NULL,
  question_hash BLOB NOT NULL,
  account TEXT NOT NULL,
  doses TEXT NOT NULL, -- their ids with versions, separated by line breaks
  expires INTEGER NOT NULL,
  PRIMARY KEY (patient, question_hash),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO voice_questions VALUES('ann',X'766f6963655f7175657374696f6e732e7175657374696f6e5f686173682e616e6e','account-ann','doses-ann',1);
INSERT INTO voice_questions VALUES('bob',X'766f6963655f7175657374696f6e732e7175657374696f6e5f686173682e626f62','account-bob','doses-bob',2);
CREATE TABLE stickers (
  patient TEXT NOT NULL,
  sticker TEXT NOT NULL,
  secret_hash BLOB NOT NULL,
  name TEXT NOT NULL CHECK (name <> ''),
  plan TEXT, -- NULL: a place with several medicines
  minute INTEGER CHECK (minute >= 0 AND minute < 1440), -- the local time of a place's doses; NULL: any
  created INTEGER NOT NULL,
  used INTEGER, -- when an answer last came by it
  PRIMARY KEY (patient, sticker),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE,
  CHECK (plan IS NULL OR minute IS NULL)
) STRICT;
INSERT INTO stickers VALUES('ann','sticker-ann',X'737469636b6572732e7365637265745f686173682e616e6e','name-ann','plan-ann',NULL,1,1);
INSERT INTO stickers VALUES('bob','sticker-bob',X'737469636b6572732e7365637265745f686173682e626f62','name-bob','plan-bob',NULL,2,2);
CREATE TABLE reply_senders (
  sender BLOB NOT NULL,
  address TEXT NOT NULL,
  account TEXT NOT NULL,
  stopped INTEGER, -- when it asked for no more messages
  PRIMARY KEY (sender, address),
  FOREIGN KEY (address) REFERENCES channel_addresses (address) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO reply_senders VALUES(X'7265706c795f73656e646572732e73656e6465722e616e6e','address-ann','account-ann',1);
INSERT INTO reply_senders VALUES(X'7265706c795f73656e646572732e73656e6465722e626f62','address-bob','account-bob',2);
CREATE TABLE reply_talks (
  sender BLOB NOT NULL,
  account TEXT NOT NULL,
  misread INTEGER NOT NULL CHECK (misread >= 0), -- messages in a row that said nothing
  action TEXT CHECK (action IN ('taken', 'later', 'skipped')), -- waits for the number of a reminder
  listed TEXT, -- reminders, one per line, as they were numbered
  changed INTEGER NOT NULL,
  PRIMARY KEY (sender),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE,
  CHECK ((action IS NULL) = (listed IS NULL))
) STRICT;
INSERT INTO reply_talks VALUES(X'7265706c795f74616c6b732e73656e6465722e616e6e','account-ann',0,'taken','listed-ann',1);
INSERT INTO reply_talks VALUES(X'7265706c795f74616c6b732e73656e6465722e626f62','account-bob',0,'taken','listed-bob',2);
CREATE TABLE reply_offers (
  patient TEXT NOT NULL,
  delivery TEXT NOT NULL,
  sender BLOB NOT NULL,
  account TEXT NOT NULL, -- the recipient, in whose name it is answered
  subject TEXT NOT NULL,
  doses TEXT NOT NULL, -- ids, one per line, as the message named them
  sent INTEGER NOT NULL,
  expires INTEGER NOT NULL, -- the end of the last late window
  PRIMARY KEY (patient, delivery),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO reply_offers VALUES('ann','delivery-ann',X'7265706c795f6f66666572732e73656e6465722e616e6e','account-ann','subject-ann','doses-ann',1,1);
INSERT INTO reply_offers VALUES('bob','delivery-bob',X'7265706c795f6f66666572732e73656e6465722e626f62','account-bob','subject-bob','doses-bob',2,2);
CREATE TABLE reply_messages (
  digest BLOB NOT NULL,
  received INTEGER NOT NULL,
  PRIMARY KEY (digest)
) STRICT;
INSERT INTO reply_messages VALUES(X'7265706c795f6d657373616765732e6469676573742e616e6e',1);
CREATE TABLE chat_codes (
  digest BLOB NOT NULL,
  account TEXT NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (digest),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO chat_codes VALUES(X'636861745f636f6465732e6469676573742e616e6e','account-ann',1);
INSERT INTO chat_codes VALUES(X'636861745f636f6465732e6469676573742e626f62','account-bob',2);
CREATE TABLE reply_texts (
  reply_text TEXT NOT NULL,
  account TEXT NOT NULL,
  text_sealed BLOB NOT NULL, -- with the number or the chat
  next_try INTEGER NOT NULL,
  attempt INTEGER NOT NULL CHECK (attempt >= 0),
  expires INTEGER NOT NULL,
  PRIMARY KEY (reply_text),
  FOREIGN KEY (account) REFERENCES accounts (account) ON DELETE CASCADE
) STRICT;
INSERT INTO reply_texts VALUES('reply_text-ann','account-ann',X'7265706c795f74657874732e746578745f7365616c65642e616e6e',1,0,1);
INSERT INTO reply_texts VALUES('reply_text-bob','account-bob',X'7265706c795f74657874732e746578745f7365616c65642e626f62',2,0,2);
CREATE TABLE diary_trackers (
  patient TEXT NOT NULL,
  tracker TEXT NOT NULL, -- the name of a standard tracker, or an id
  scale TEXT NOT NULL CHECK (scale IN ('standard', 'score', 'yes-no', 'number', 'text')),
  name TEXT NOT NULL, -- '' for a standard tracker
  unit TEXT NOT NULL, -- of an own tracker as typed; of a standard one the unit used last; '' for none
  created INTEGER NOT NULL,
  ended INTEGER, -- when it was put away
  PRIMARY KEY (patient, tracker),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((scale = 'standard') = (name = ''))
) STRICT;
INSERT INTO diary_trackers VALUES('ann','tracker-ann','standard','','unit-ann',1,1);
INSERT INTO diary_trackers VALUES('bob','tracker-bob','standard','','unit-bob',2,2);
CREATE TABLE diary_reminders (
  patient TEXT NOT NULL,
  alarm TEXT NOT NULL,
  tracker TEXT NOT NULL,
  PRIMARY KEY (patient, alarm),
  FOREIGN KEY (patient, alarm) REFERENCES alarms (patient, alarm) ON DELETE CASCADE
) STRICT;
INSERT INTO diary_reminders VALUES('ann','alarm-ann','tracker-ann');
INSERT INTO diary_reminders VALUES('bob','alarm-bob','tracker-bob');
CREATE TABLE diary_photos (
  patient TEXT NOT NULL,
  photo TEXT NOT NULL,
  entry TEXT NOT NULL, -- the id of the Observation
  width INTEGER NOT NULL CHECK (width >= 1),
  height INTEGER NOT NULL CHECK (height >= 1),
  bytes_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (patient, photo),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO diary_photos VALUES('ann','photo-ann','entry-ann',1,1,X'64696172795f70686f746f732e62797465735f7365616c65642e616e6e',1);
INSERT INTO diary_photos VALUES('bob','photo-bob','entry-bob',1,1,X'64696172795f70686f746f732e62797465735f7365616c65642e626f62',2);
CREATE TABLE follow_up_choices (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  is_asked INTEGER NOT NULL CHECK (is_asked IN (0, 1)),
  minutes INTEGER CHECK (minutes BETWEEN 15 AND 1440), -- after the dose; NULL for the time that the program chooses
  is_for_headache INTEGER NOT NULL CHECK (is_for_headache IN (0, 1)),
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO follow_up_choices VALUES('ann','plan-ann',0,15,0);
INSERT INTO follow_up_choices VALUES('bob','plan-bob',0,15,0);
CREATE TABLE follow_ups (
  patient TEXT NOT NULL,
  administration TEXT NOT NULL, -- the MedicationAdministration of the dose
  plan TEXT NOT NULL,
  taken INTEGER NOT NULL,
  minutes INTEGER NOT NULL CHECK (minutes >= 1),
  due INTEGER NOT NULL, -- later after "too early to say"
  ends INTEGER NOT NULL, -- not asked any more from here on
  asked INTEGER NOT NULL CHECK (asked >= 1), -- how often
  observation TEXT, -- the answer
  PRIMARY KEY (patient, administration),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO follow_ups VALUES('ann','administration-ann','plan-ann',1,1,1,1,1,'observation-ann');
INSERT INTO follow_ups VALUES('bob','administration-bob','plan-bob',2,1,2,2,1,'observation-bob');
CREATE TABLE site_choices (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  is_on INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  kind TEXT NOT NULL CHECK (kind IN ('injection', 'patch', 'insert', 'side')),
  sites TEXT NOT NULL, -- the allowed ones, separated by spaces; '' for all of the kind
  wear_minutes INTEGER CHECK (wear_minutes BETWEEN 15 AND 5256000), -- NULL if it is not taken off
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO site_choices VALUES('ann','plan-ann',0,'injection','sites-ann',15);
INSERT INTO site_choices VALUES('bob','plan-bob',0,'injection','sites-bob',15);
CREATE TABLE site_uses (
  patient TEXT NOT NULL,
  administration TEXT NOT NULL,
  plan TEXT NOT NULL,
  site TEXT NOT NULL, -- '' until it is stated
  used INTEGER NOT NULL,
  reactions TEXT NOT NULL, -- separated by spaces; '' for none
  remove_due INTEGER, -- when it should be taken off; NULL if it is not
  removed INTEGER,
  PRIMARY KEY (patient, administration),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE,
  CHECK (removed IS NULL OR remove_due IS NOT NULL),
  CHECK (removed >= used)
) STRICT;
INSERT INTO site_uses VALUES('ann','administration-ann','plan-ann','site-ann',1,'reactions-ann',1,1);
INSERT INTO site_uses VALUES('bob','administration-bob','plan-bob','site-bob',2,'reactions-bob',2,2);
CREATE TABLE questionnaire_assignments (
  patient TEXT NOT NULL,
  assignment TEXT NOT NULL,
  questionnaire TEXT NOT NULL, -- the canonical address, without a version
  schedule TEXT NOT NULL CHECK (schedule IN ('once', 'weekly', 'monthly', 'after')),
  starts TEXT NOT NULL, -- the day of the first occasion; for 'after', of the event
  weeks INTEGER NOT NULL CHECK (weeks >= 0 AND weeks <= 520), -- for 'after', the weeks since the event
  open_days INTEGER NOT NULL CHECK (open_days >= 1 AND open_days <= 28), -- then an occasion closes
  last_day TEXT, -- no occasion opens later
  origin TEXT NOT NULL CHECK (origin IN ('person', 'practitioner', 'study')),
  study TEXT, -- the study that asks
  account TEXT NOT NULL, -- who assigned it
  by_name TEXT NOT NULL,
  reminds INTEGER NOT NULL CHECK (reminds IN (0, 1)), -- Today shows it while it can be answered
  created INTEGER NOT NULL,
  ended INTEGER,
  PRIMARY KEY (patient, assignment),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  CHECK ((origin = 'study') = (study IS NOT NULL)),
  CHECK (schedule = 'after' OR weeks = 0)
) STRICT;
INSERT INTO questionnaire_assignments VALUES('ann','assignment-ann','questionnaire-ann','once','starts-ann',0,1,'last_day-ann','person',NULL,'account-ann','by_name-ann',0,1,1);
INSERT INTO questionnaire_assignments VALUES('bob','assignment-bob','questionnaire-bob','once','starts-bob',0,1,'last_day-bob','person',NULL,'account-bob','by_name-bob',0,2,2);
CREATE TABLE questionnaire_answers (
  patient TEXT NOT NULL,
  assignment TEXT NOT NULL,
  occasion INTEGER NOT NULL CHECK (occasion >= 0),
  response TEXT NOT NULL,
  answered INTEGER NOT NULL,
  PRIMARY KEY (patient, assignment, occasion),
  FOREIGN KEY (patient, assignment)
    REFERENCES questionnaire_assignments (patient, assignment) ON DELETE CASCADE
) STRICT;
INSERT INTO questionnaire_answers VALUES('ann','assignment-ann',0,'response-ann',1);
INSERT INTO questionnaire_answers VALUES('bob','assignment-bob',0,'response-bob',2);
CREATE TABLE questionnaire_drafts (
  patient TEXT NOT NULL,
  questionnaire TEXT NOT NULL,
  fields TEXT NOT NULL, -- what was typed, as a JSON object
  saved INTEGER NOT NULL,
  PRIMARY KEY (patient, questionnaire),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;
INSERT INTO questionnaire_drafts VALUES('ann','questionnaire-ann','fields-ann',1);
INSERT INTO questionnaire_drafts VALUES('bob','questionnaire-bob','fields-bob',2);
CREATE TABLE studies (
  study TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1), -- the newest
  commitment TEXT NOT NULL, -- SHA-256 of the sealed seed of its allocation
  allocated INTEGER NOT NULL CHECK (allocated >= 0), -- places of the sequence that are used
  loaded INTEGER NOT NULL,
  closed INTEGER,
  PRIMARY KEY (study)
) STRICT;
INSERT INTO studies VALUES('study',1,'commitment-ann',0,1,1);
CREATE TABLE study_versions (
  study TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  definition TEXT NOT NULL, -- the file
  loaded INTEGER NOT NULL,
  PRIMARY KEY (study, version),
  FOREIGN KEY (study) REFERENCES studies (study) ON DELETE CASCADE
) STRICT;
INSERT INTO study_versions VALUES('study',1,'definition-ann',1);
CREATE TABLE study_participants (
  patient TEXT NOT NULL,
  study TEXT NOT NULL,
  pseudonym TEXT NOT NULL, -- random
  arm TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  joined INTEGER NOT NULL,
  withdrawn INTEGER,
  is_erased INTEGER NOT NULL CHECK (is_erased IN (0, 1)), -- nothing of the person is exported any more
  changes TEXT NOT NULL, -- JSON: the settings that the arm added, to take them back
  PRIMARY KEY (patient, study),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE,
  FOREIGN KEY (study) REFERENCES studies (study) ON DELETE CASCADE,
  CHECK (is_erased = 0 OR withdrawn IS NOT NULL)
) STRICT;
INSERT INTO study_participants VALUES('ann','study','pseudonym-ann','arm-ann',1,1,1,0,'changes-ann');
INSERT INTO study_participants VALUES('bob','study','pseudonym-bob','arm-bob',1,2,2,0,'changes-bob');
CREATE TABLE study_consents (
  patient TEXT NOT NULL,
  study TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  signed INTEGER NOT NULL,
  language TEXT NOT NULL, -- in which it was read
  name TEXT NOT NULL, -- as typed
  account TEXT NOT NULL,
  PRIMARY KEY (patient, study, version),
  FOREIGN KEY (patient, study) REFERENCES study_participants (patient, study) ON DELETE CASCADE
) STRICT;
INSERT INTO study_consents VALUES('ann','study',1,1,'language-ann','name-ann','account-ann');
INSERT INTO study_consents VALUES('bob','study',1,2,'language-bob','name-bob','account-bob');
CREATE TABLE study_exports (
  study TEXT NOT NULL,
  export TEXT NOT NULL,
  made INTEGER NOT NULL,
  by_name TEXT NOT NULL,
  files TEXT NOT NULL, -- names, separated by spaces
  participants INTEGER NOT NULL CHECK (participants >= 0),
  PRIMARY KEY (study, export),
  FOREIGN KEY (study) REFERENCES studies (study) ON DELETE CASCADE
) STRICT;
INSERT INTO study_exports VALUES('study','export-ann',1,'by_name-ann','files-ann',0);
CREATE TABLE study_researchers (
  study TEXT NOT NULL,
  researcher TEXT NOT NULL,
  name TEXT NOT NULL,
  token_digest BLOB, -- NULL once it was revoked
  created INTEGER NOT NULL,
  revoked INTEGER,
  PRIMARY KEY (study, researcher),
  FOREIGN KEY (study) REFERENCES studies (study) ON DELETE CASCADE,
  CHECK ((token_digest IS NULL) = (revoked IS NOT NULL))
) STRICT;
INSERT INTO study_researchers VALUES('study','researcher-ann','name-ann',X'73747564795f72657365617263686572732e746f6b656e5f6469676573742e616e6e',1,NULL);
CREATE TABLE effect_choices (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  measure TEXT NOT NULL CHECK (length(measure) BETWEEN 1 AND 400),
  second_measure TEXT CHECK (length(second_measure) BETWEEN 1 AND 400), -- NULL for one measure only
  PRIMARY KEY (patient, plan),
  FOREIGN KEY (patient, plan) REFERENCES plans (patient, plan) ON DELETE CASCADE
) STRICT;
INSERT INTO effect_choices VALUES('ann','plan-ann','measure-ann','second_measure-ann');
INSERT INTO effect_choices VALUES('bob','plan-bob','measure-bob','second_measure-bob');
CREATE INDEX audit_by_patient ON audit (patient, at);
CREATE INDEX backups_by_end ON backups (finished);
CREATE INDEX idempotency_by_age ON idempotency (created);
CREATE UNIQUE INDEX accounts_by_email ON accounts (email_index);
CREATE INDEX accounts_by_patient ON accounts (patient);
CREATE INDEX sessions_by_account ON sessions (account);
CREATE INDEX tokens_by_account ON tokens (account);
CREATE INDEX invitations_by_account ON invitations (account);
CREATE INDEX grants_by_account ON grants (account);
CREATE UNIQUE INDEX grant_invitations_by_code ON grant_invitations (code_index);
CREATE INDEX grant_invitations_by_account ON grant_invitations (accepted_by) WHERE state = 'accepted';
CREATE INDEX grant_invitations_by_asked ON grant_invitations (asked) WHERE state = 'open';
CREATE UNIQUE INDEX passkeys_by_account ON passkeys (account, passkey);
CREATE INDEX pending_sign_ins_by_account ON pending_sign_ins (account);
CREATE INDEX device_sign_ins_by_account ON device_sign_ins (account);
CREATE UNIQUE INDEX device_sign_ins_by_claim ON device_sign_ins (claim_digest);
CREATE INDEX attempts_by_latest ON attempts (latest);
CREATE UNIQUE INDEX identities_by_subject ON identities (subject_index);
CREATE INDEX identities_by_account ON identities (account);
CREATE INDEX provider_visits_by_account ON provider_visits (account);
CREATE INDEX provider_visits_by_expires ON provider_visits (expires);
CREATE INDEX identity_offers_by_account ON identity_offers (account);
CREATE INDEX identity_offers_by_expires ON identity_offers (expires);
CREATE INDEX address_proofs_by_account ON address_proofs (account);
CREATE INDEX feedback_by_account ON feedback (account);
CREATE INDEX feedback_by_next_try ON feedback (next_try);
CREATE UNIQUE INDEX practitioner_profiles_by_code ON practitioner_profiles (code);
CREATE UNIQUE INDEX emergencies_by_id ON emergencies (emergency);
CREATE INDEX emergencies_by_account ON emergencies (account, ends);
CREATE INDEX emergencies_by_start ON emergencies (started);
CREATE INDEX emergencies_unreviewed ON emergencies (started) WHERE reviewed IS NULL;
CREATE INDEX resources_by_change ON resources (patient, type, last_updated);
CREATE INDEX plans_by_figures ON plans (statistics_next);
CREATE INDEX plans_by_horizon ON plans (planned_through) WHERE status = 'active' AND unplanned_reason IS NULL;
CREATE INDEX plan_reminders_with_lead ON plan_reminders (patient, plan) WHERE lead IS NOT NULL;
CREATE INDEX medicine_drafts_by_plan ON medicine_drafts (patient, plan);
CREATE INDEX medicine_drafts_by_account ON medicine_drafts (account, draft);
CREATE INDEX medicine_drafts_by_age ON medicine_drafts (changed);
CREATE INDEX doses_by_due ON doses (patient, due);
CREATE INDEX doses_by_plan ON doses (patient, plan, due);
CREATE INDEX doses_by_reminder ON doses (reminder) WHERE reminder IS NOT NULL;
CREATE INDEX doses_left_out ON doses (patient, due) WHERE state IN ('skipped', 'refused');
CREATE INDEX doses_not_taken ON doses (patient, due) WHERE state IN ('open', 'refused');
CREATE INDEX doses_to_ring ON doses (COALESCE(later_until, due)) WHERE state = 'open' AND reminder IS NULL;
CREATE UNIQUE INDEX answers_by_event ON answers (patient, event);
CREATE INDEX answers_beside_doses ON answers (patient, at) WHERE occurrence IS NULL;
CREATE INDEX answers_by_dose ON answers (patient, plan, era, occurrence);
CREATE INDEX answers_left_out ON answers (patient, at) WHERE occurrence IS NULL AND action = 'skipped';
CREATE INDEX answers_taken_back ON answers (patient, administration) WHERE occurrence IS NULL AND action = 'undo';
CREATE INDEX intakes_beside_doses ON intakes (patient, taken) WHERE occurrence IS NULL;
CREATE INDEX intakes_by_time ON intakes (patient, taken);
CREATE INDEX monthly_statistics_by_plan ON monthly_statistics (patient, plan);
CREATE INDEX medicine_photos_by_photo ON medicine_photos (patient, photo);
CREATE INDEX medicine_photos_by_id ON medicine_photos (photo);
CREATE UNIQUE INDEX report_links_by_hash ON report_links (secret_hash);
CREATE INDEX report_links_by_account ON report_links (account);
CREATE UNIQUE INDEX reminders_by_subject ON reminders (subject);
CREATE INDEX reminders_by_next ON reminders (next_at) WHERE state = 'ringing';
CREATE INDEX reminders_ringing ON reminders (patient) WHERE state = 'ringing';
CREATE INDEX reminders_by_opening ON reminders (opened);
CREATE UNIQUE INDEX deliveries_by_key ON deliveries (patient, subject, generation, step, recipient, address);
CREATE UNIQUE INDEX deliveries_by_id ON deliveries (delivery);
CREATE INDEX deliveries_to_send ON deliveries (next_try) WHERE state = 'waiting';
CREATE INDEX deliveries_by_due ON deliveries (patient, due);
CREATE INDEX deliveries_by_change ON deliveries (patient, changed);
CREATE INDEX deliveries_by_planning ON deliveries (planned);
CREATE INDEX deliveries_by_address ON deliveries (address, planned) WHERE channel NOT IN ('push', 'mail');
CREATE UNIQUE INDEX action_links_by_hash ON action_links (link_hash);
CREATE INDEX action_links_by_expiry ON action_links (expires);
CREATE UNIQUE INDEX push_subscriptions_by_endpoint ON push_subscriptions (endpoint_index);
CREATE INDEX push_subscriptions_by_account ON push_subscriptions (account);
CREATE UNIQUE INDEX mailbox_choices_by_hash ON mailbox_choices (link_hash);
CREATE INDEX channel_addresses_by_account ON channel_addresses (account);
CREATE UNIQUE INDEX channel_addresses_by_proof ON channel_addresses (proof_hash);
CREATE INDEX escalation_agreements_by_account ON escalation_agreements (account);
CREATE INDEX escalation_standby_by_account ON escalation_standby (account);
CREATE INDEX silenced_channels_by_account ON silenced_channels (account);
CREATE UNIQUE INDEX alerts_by_subject ON alerts (patient, subject);
CREATE INDEX alerts_by_end ON alerts (patient, ends);
CREATE INDEX alerts_by_change ON alerts (patient, changed);
CREATE UNIQUE INDEX alert_answers_by_event ON alert_answers (patient, event) WHERE event IS NOT NULL;
CREATE INDEX alarms_by_next ON alarms (next_due) WHERE next_due IS NOT NULL;
CREATE INDEX alarms_by_lead ON alarms (next_lead) WHERE next_lead IS NOT NULL;
CREATE UNIQUE INDEX calendar_feeds_by_hash ON calendar_feeds (secret_hash);
CREATE INDEX calendar_feeds_by_account ON calendar_feeds (account);
CREATE UNIQUE INDEX widget_addresses_by_hash ON widget_addresses (secret_hash);
CREATE INDEX widget_addresses_by_account ON widget_addresses (account);
CREATE INDEX travel_questions_by_account ON travel_questions (account);
CREATE INDEX message_recipients_by_account ON message_recipients (account);
CREATE INDEX message_checks_by_next ON message_checks (next_look);
CREATE UNIQUE INDEX caregiver_messages_by_key ON caregiver_messages (patient, account, topic, day);
CREATE INDEX caregiver_messages_by_account ON caregiver_messages (account, told) WHERE told IS NOT NULL;
CREATE INDEX caregiver_messages_by_change ON caregiver_messages (account, patient, changed);
CREATE INDEX caregiver_messages_by_care ON caregiver_messages (patient, acknowledged) WHERE acknowledged IS NOT NULL;
CREATE INDEX caregiver_messages_by_subject ON caregiver_messages (subject) WHERE subject IS NOT NULL;
CREATE INDEX nudges_by_subject ON nudges (subject);
CREATE INDEX chat_conversations_by_id ON chat_conversations (conversation);
CREATE INDEX chat_conversations_by_member ON chat_conversations (member, last_at);
CREATE UNIQUE INDEX chat_messages_by_event ON chat_messages (patient, conversation, sender, event);
CREATE INDEX chat_messages_by_id ON chat_messages (message);
CREATE INDEX chat_messages_by_sender ON chat_messages (sender, sent);
CREATE INDEX chat_messages_by_change ON chat_messages (patient, changed);
CREATE INDEX chat_messages_by_patient ON chat_messages (patient, sent);
CREATE INDEX chat_messages_by_time ON chat_messages (sent);
CREATE INDEX chat_members_by_account ON chat_members (account);
CREATE INDEX chat_members_unread ON chat_members (account) WHERE unread > 0;
CREATE INDEX chat_members_by_notice ON chat_members (notice) WHERE notice IS NOT NULL;
CREATE INDEX communications_by_id ON communications (communication);
CREATE INDEX communications_by_time ON communications (patient, sent);
CREATE UNIQUE INDEX emergency_cards_by_secret ON emergency_cards (secret_hash);
CREATE INDEX emergency_card_openings_by_time ON emergency_card_openings (patient, at);
CREATE INDEX care_notes_by_id ON care_notes (note);
CREATE INDEX proposals_by_key ON proposals (patient, source_key);
CREATE INDEX proposals_by_plan ON proposals (patient, plan);
CREATE INDEX proposals_open ON proposals (patient, created) WHERE state = 'open';
CREATE INDEX plan_sources_by_plan ON plan_sources (patient, plan);
CREATE INDEX imported_administrations_by_record ON imported_administrations (patient, administration);
CREATE INDEX imported_administrations_by_request ON imported_administrations (patient, request_key)
  WHERE plan IS NULL;
CREATE INDEX import_uploads_by_age ON import_uploads (created);
CREATE UNIQUE INDEX hospital_connections_by_id ON hospital_connections (connection);
CREATE INDEX hospital_connections_by_next ON hospital_connections (next_at) WHERE state = 'working';
CREATE INDEX hospital_connections_writing ON hospital_connections (patient) WHERE writes_since IS NOT NULL;
CREATE INDEX hospital_visits_by_connection ON hospital_visits (patient, connection);
CREATE INDEX hospital_visits_by_state ON hospital_visits (state_hash);
CREATE INDEX hospital_outbox_to_send ON hospital_outbox (next_try) WHERE state = 'waiting';
CREATE INDEX vital_days_by_observation ON vital_days (observation);
CREATE INDEX vital_observations_by_day ON vital_observations (patient, metric, day, source);
CREATE INDEX vital_observations_by_id ON vital_observations (observation);
CREATE INDEX vital_observation_versions_by_id ON vital_observation_versions (observation);
CREATE INDEX heart_rate_monitoring_by_check ON heart_rate_monitoring (next_check) WHERE is_on = 1;
CREATE UNIQUE INDEX heart_rate_warnings_by_day ON heart_rate_warnings (patient, kind, day);
CREATE UNIQUE INDEX heart_rate_warnings_by_id ON heart_rate_warnings (warning);
CREATE UNIQUE INDEX heart_rate_glances_by_secret ON heart_rate_glances (secret_hash);
CREATE INDEX heart_rate_glances_by_account ON heart_rate_glances (account);
CREATE INDEX interaction_notes_by_warning ON interaction_notes (patient, warning);
CREATE INDEX stocks_by_check ON stocks (next_check) WHERE ended IS NULL;
CREATE INDEX stock_uses_by_stock ON stock_uses (owner, stock);
CREATE INDEX stock_entries_by_number ON stock_entries (owner, stock, number);
CREATE INDEX stock_entries_by_administration ON stock_entries (patient, administration);
CREATE INDEX stock_notices_by_reminder ON stock_notices (patient, reminder);
CREATE INDEX stock_dispenses_by_stock ON stock_dispenses (owner, stock);
CREATE UNIQUE INDEX stock_dispenses_by_source ON stock_dispenses (patient, source_key, turn);
CREATE INDEX stock_dispenses_by_state ON stock_dispenses (patient, state);
CREATE INDEX record_index_by_identifier ON record_index (type, value, detail) WHERE parameter = 'identifier';
CREATE INDEX fhir_subscriptions_by_account ON fhir_subscriptions (account);
CREATE INDEX fhir_subscriptions_due ON fhir_subscriptions (next_try) WHERE state IN ('requested', 'active');
CREATE INDEX fhir_events_by_time ON fhir_events (happened);
CREATE INDEX fhir_notifications_by_number ON fhir_notifications (subscription, number);
CREATE INDEX fhir_notifications_by_age ON fhir_notifications (planned);
CREATE INDEX apps_by_account ON apps (account);
CREATE INDEX app_grants_by_app ON app_grants (app);
CREATE INDEX app_grants_by_account ON app_grants (account);
CREATE INDEX app_grants_by_patient ON app_grants (patient);
CREATE INDEX app_codes_by_grant ON app_codes (app_grant);
CREATE INDEX app_tokens_by_grant ON app_tokens (app_grant);
CREATE INDEX app_launches_by_app ON app_launches (app);
CREATE INDEX app_launches_by_account ON app_launches (account);
CREATE INDEX app_launches_by_patient ON app_launches (patient);
CREATE INDEX cds_clients_by_account ON cds_clients (account);
CREATE INDEX resources_by_time ON resources ((type || ''), last_updated, id, version);
CREATE INDEX resource_versions_by_time ON resource_versions ((type || ''), last_updated, id, version);
CREATE INDEX shared_resources_by_time ON shared_resources (type, last_updated, id, version);
CREATE INDEX shared_resource_versions_by_time ON shared_resource_versions (type, last_updated, id, version);
CREATE INDEX resource_versions_by_change ON resource_versions (patient, type, last_updated);
CREATE INDEX export_jobs_by_account ON export_jobs (account);
CREATE UNIQUE INDEX home_devices_by_token ON home_devices (token_digest) WHERE token_digest IS NOT NULL;
CREATE INDEX home_device_compartments_by_plan ON home_device_compartments (patient, plan);
CREATE INDEX home_device_events_by_time ON home_device_events (patient, device, judged);
CREATE INDEX home_device_events_by_receipt ON home_device_events (received);
CREATE UNIQUE INDEX home_links_by_place ON home_links (place);
CREATE INDEX home_links_by_account ON home_links (account);
CREATE INDEX voice_questions_by_account ON voice_questions (account);
CREATE INDEX voice_questions_by_expiry ON voice_questions (expires);
CREATE UNIQUE INDEX stickers_by_hash ON stickers (secret_hash);
CREATE INDEX stickers_by_plan ON stickers (patient, plan);
CREATE INDEX reply_senders_by_address ON reply_senders (address);
CREATE INDEX reply_senders_by_account ON reply_senders (account);
CREATE INDEX reply_talks_by_account ON reply_talks (account);
CREATE INDEX reply_talks_by_change ON reply_talks (changed);
CREATE INDEX reply_offers_by_sender ON reply_offers (sender, expires);
CREATE INDEX reply_offers_by_account ON reply_offers (account);
CREATE INDEX reply_offers_by_expiry ON reply_offers (expires);
CREATE INDEX reply_messages_by_time ON reply_messages (received);
CREATE INDEX chat_codes_by_account ON chat_codes (account);
CREATE INDEX chat_codes_by_expiry ON chat_codes (expires);
CREATE INDEX reply_texts_by_account ON reply_texts (account);
CREATE INDEX reply_texts_to_send ON reply_texts (next_try);
CREATE INDEX diary_photos_by_entry ON diary_photos (patient, entry);
CREATE INDEX follow_ups_by_plan ON follow_ups (patient, plan);
CREATE INDEX follow_ups_by_taken ON follow_ups (patient, taken);
CREATE INDEX site_uses_by_plan ON site_uses (patient, plan, used);
CREATE UNIQUE INDEX study_participants_by_pseudonym ON study_participants (study, pseudonym);
CREATE INDEX study_exports_by_time ON study_exports (study, made);
CREATE UNIQUE INDEX study_researchers_by_token ON study_researchers (token_digest) WHERE token_digest IS NOT NULL;
COMMIT;
