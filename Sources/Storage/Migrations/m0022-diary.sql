-- The diary. Its values are Observations; here is only what belongs to them.

-- A tracker of a person: an own one, or a standard one that the person uses.
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

-- The alarm that reminds of a tracker. It ends when someone enters a value.
CREATE TABLE diary_reminders (
  patient TEXT NOT NULL,
  alarm TEXT NOT NULL,
  tracker TEXT NOT NULL,
  PRIMARY KEY (patient, alarm),
  FOREIGN KEY (patient, alarm) REFERENCES alarms (patient, alarm) ON DELETE CASCADE
) STRICT;

-- The photo of an entry, re-encoded by this program. It is deleted with the entry.
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

CREATE INDEX diary_photos_by_entry ON diary_photos (patient, entry);
