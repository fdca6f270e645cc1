-- Devices in the home: pill boxes, drawers, buttons, scales. What they report, and what became of it.

-- A device that reports. It acts with the rights of the account that added it, and only adds events.
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

-- A report is found by its token before the patient is known.
CREATE UNIQUE INDEX home_devices_by_token ON home_devices (token_digest) WHERE token_digest IS NOT NULL;

-- The meaning of an event in one compartment; '' is the device as a whole.
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

CREATE INDEX home_device_compartments_by_plan ON home_device_compartments (patient, plan);

-- An event as the device sent it, and what became of it. Heartbeats are only counted in home_devices.
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

CREATE INDEX home_device_events_by_time ON home_device_events (patient, device, judged);
CREATE INDEX home_device_events_by_receipt ON home_device_events (received);
