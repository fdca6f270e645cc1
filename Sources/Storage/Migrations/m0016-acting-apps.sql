-- The app that acted in the name of an account, in the access log and for tokens that are bound to a key.

-- The client id of the app; NULL for everything that the account did itself. Part of the row's hash.
ALTER TABLE audit ADD COLUMN app TEXT;

-- The key that must sign each use of the token (RFC 9449): its thumbprint (RFC 7638); NULL for a bearer token.
ALTER TABLE app_tokens ADD COLUMN key_thumbprint TEXT;

-- The key with which alone the code can be exchanged, if the app named one.
ALTER TABLE app_codes ADD COLUMN key_thumbprint TEXT;
