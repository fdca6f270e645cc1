-- Apps that people connect: SMART App Launch with OAuth 2.0.

-- A registered app. Its client id is not secret.
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

CREATE INDEX apps_by_account ON apps (account);

-- The access that a person gave to an app. Its tokens are one family and end together.
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

CREATE INDEX app_grants_by_app ON app_grants (app);
CREATE INDEX app_grants_by_account ON app_grants (account);
CREATE INDEX app_grants_by_patient ON app_grants (patient);

-- A one-time code that an app exchanges for tokens. It stays until its grant is deleted, so that a second use is seen.
CREATE TABLE app_codes (
  digest BLOB NOT NULL,
  app_grant TEXT NOT NULL,
  challenge TEXT NOT NULL, -- PKCE with S256
  redirect TEXT NOT NULL,
  nonce TEXT,
  proved INTEGER NOT NULL, -- when the person last proved who they are
  expires INTEGER NOT NULL,
  used INTEGER,
  PRIMARY KEY (digest),
  FOREIGN KEY (app_grant) REFERENCES app_grants (app_grant) ON DELETE CASCADE
) STRICT;

CREATE INDEX app_codes_by_grant ON app_codes (app_grant);

-- A token of an app. Only its digest is kept.
CREATE TABLE app_tokens (
  digest BLOB NOT NULL,
  app_grant TEXT NOT NULL,
  kind TEXT NOT NULL CHECK (kind IN ('access', 'refresh')),
  scopes TEXT NOT NULL,
  created INTEGER NOT NULL,
  expires INTEGER NOT NULL,
  rotated INTEGER, -- when a refresh token was replaced by the next
  PRIMARY KEY (digest),
  FOREIGN KEY (app_grant) REFERENCES app_grants (app_grant) ON DELETE CASCADE,
  CHECK (kind = 'refresh' OR rotated IS NULL)
) STRICT;

CREATE INDEX app_tokens_by_grant ON app_tokens (app_grant);

-- The person for whom an app is started from a page of this server.
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

CREATE INDEX app_launches_by_app ON app_launches (app);
CREATE INDEX app_launches_by_account ON app_launches (account);
CREATE INDEX app_launches_by_patient ON app_launches (patient);

-- The signed assertions with which apps proved who they are, so that none works twice.
CREATE TABLE app_assertions (
  app TEXT NOT NULL,
  digest BLOB NOT NULL,
  expires INTEGER NOT NULL,
  PRIMARY KEY (app, digest),
  FOREIGN KEY (app) REFERENCES apps (app) ON DELETE CASCADE
) STRICT;

-- The keys that sign ID tokens.
CREATE TABLE app_keys (
  app_key TEXT NOT NULL,
  private_sealed BLOB NOT NULL,
  created INTEGER NOT NULL,
  PRIMARY KEY (app_key)
) STRICT;
