-- Hospitals: prescriptions that a hospital no longer has, and tokens that are renewed by one node at a time.

-- The comparison of a connection's prescriptions with those that the hospital still has.
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

-- A token that is being renewed. Servers accept each refresh token only once.
CREATE TABLE hospital_renewals (
  patient TEXT NOT NULL,
  connection TEXT NOT NULL,
  until INTEGER NOT NULL, -- the end of the lease
  PRIMARY KEY (patient, connection),
  FOREIGN KEY (patient, connection) REFERENCES hospital_connections (patient, connection) ON DELETE CASCADE
) STRICT;
