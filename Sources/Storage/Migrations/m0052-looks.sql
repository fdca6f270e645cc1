-- What a medicine looks like, as its person says: beside the prescription, which stays as it was written.

-- shape, color, second_color: Adherence.MedicineShape and MedicineColor; NULL where nothing is said. is_scored: it has
-- a line to break it at. imprint: the letters and numbers on it.
CREATE TABLE medicine_looks (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  shape TEXT NOT NULL,
  color TEXT,
  second_color TEXT,
  is_scored BIGINT NOT NULL,
  imprint TEXT,
  changed BIGINT NOT NULL,
  PRIMARY KEY (patient, plan)
);

-- Photos of a medicine, re-encoded by this program in two sizes. place: 1, 2, 3. photo: an id of its own, new with each
-- photo. width, height: of the large one. byte_count: of both together, before they were sealed.
CREATE TABLE medicine_photos (
  patient TEXT NOT NULL,
  plan TEXT NOT NULL,
  place BIGINT NOT NULL,
  photo TEXT NOT NULL,
  width BIGINT NOT NULL,
  height BIGINT NOT NULL,
  byte_count BIGINT NOT NULL,
  large_sealed BLOB NOT NULL,
  small_sealed BLOB NOT NULL,
  created BIGINT NOT NULL,
  PRIMARY KEY (patient, plan, place)
);

CREATE INDEX medicine_photos_by_photo ON medicine_photos (patient, photo);
CREATE INDEX medicine_photos_by_id ON medicine_photos (photo);
