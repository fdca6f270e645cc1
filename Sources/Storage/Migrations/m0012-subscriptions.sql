-- Subscriptions: programs that are notified of events over FHIR.

-- A Subscription of an account. Its state is changed by the server, too.
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

CREATE INDEX fhir_subscriptions_by_account ON fhir_subscriptions (account);
CREATE INDEX fhir_subscriptions_due ON fhir_subscriptions (next_try) WHERE state IN ('requested', 'active');

-- A change of a resource that subscriptions may wait for, written with the change itself.
CREATE TABLE fhir_events (
  patient TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('MedicationRequest', 'MedicationAdministration')),
  id TEXT NOT NULL,
  version INTEGER NOT NULL CHECK (version >= 1),
  happened INTEGER NOT NULL,
  PRIMARY KEY (patient, type, id, version),
  FOREIGN KEY (patient) REFERENCES people (patient) ON DELETE CASCADE
) STRICT;

CREATE INDEX fhir_events_by_time ON fhir_events (happened);

-- An event of a subscription, kept for a week.
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

CREATE INDEX fhir_notifications_by_number ON fhir_notifications (subscription, number);
CREATE INDEX fhir_notifications_by_age ON fhir_notifications (planned);
