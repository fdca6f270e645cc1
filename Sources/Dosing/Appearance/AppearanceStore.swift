// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Storage

/// The tables `medicine_appearances` and `medicine_photos`; ``AppearanceCommands`` has decided that they may be
/// changed.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum AppearanceStore {
  static func keep(
    _ look: MedicineAppearance, ofPlan plan: PlanID, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let row = NewMedicineAppearanceRow(patient: patient, plan: plan, look: look, changed: now)
    try writer.execute(keepLook, row.values)
  }

  private static let keepLook = SQLStatement(
    """
    INSERT INTO medicine_appearances (\(NewMedicineAppearanceRow.columns)) VALUES (\(NewMedicineAppearanceRow.placeholders))
    ON CONFLICT (patient, plan) DO UPDATE SET shape = excluded.shape, color = excluded.color,
      second_color = excluded.second_color, is_scored = excluded.is_scored,
      imprint = excluded.imprint, changed = excluded.changed
    """)

  static func remove(
    lookOfPlan plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM medicine_appearances WHERE patient = $1 AND plan = $2",
      [.text(patient), .text(plan)])
  }

  // MARK: Photos

  /// Encrypts the pictures of a photo and stores them at its position.
  static func keep(
    _ pictures: MedicinePictures, as photo: MedicinePhoto, ofPlan plan: PlanID, patient: PatientID,
    cipher: FieldCipher, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    // Fields are encrypted as text.
    let large = Data(pictures.large).base64EncodedString()
    let small = Data(pictures.small).base64EncodedString()
    let row = NewMedicinePhotoRow(
      patient: patient, plan: plan, photo: photo, byteCount: pictures.byteCount,
      large: try cipher.seal(large, context: context(photo.id, .large)),
      small: try cipher.seal(small, context: context(photo.id, .small)), created: now)
    try writer.execute(keepPhoto, row.values)
  }

  private static let keepPhoto = SQLStatement(
    """
    INSERT INTO medicine_photos (\(NewMedicinePhotoRow.columns)) VALUES (\(NewMedicinePhotoRow.placeholders))
    ON CONFLICT (patient, plan, place) DO UPDATE SET photo = excluded.photo,
      width = excluded.width, height = excluded.height, byte_count = excluded.byte_count,
      large_sealed = excluded.large_sealed, small_sealed = excluded.small_sealed,
      created = excluded.created
    """)

  /// Removes the photo at a position; returns false if there is none.
  static func remove(
    photoAt place: Int, ofPlan plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "DELETE FROM medicine_photos WHERE patient = $1 AND plan = $2 AND place = $3",
      [.text(patient), .text(plan), SQLValue(place)]) > 0
  }

  /// Returns the context in which a picture is encrypted.
  static func context(_ photo: String, _ size: MedicinePhoto.Size) -> String {
    "medicine_photos:\(photo):\(size.rawValue)"
  }

  /// Returns the number of bytes of a patient's pictures, without those at one position.
  static func bytes(
    of patient: PatientID, without place: (plan: PlanID, place: Int), in reader: any SQLReader
  ) throws(StorageError) -> Int64 {
    let sum: Int64? = try reader.first(
      """
      SELECT CAST(SUM(byte_count) AS BIGINT) FROM medicine_photos
      WHERE patient = $1 AND NOT (plan = $2 AND place = $3)
      """, [.text(patient), .text(place.plan), SQLValue(place.place)])?
      .value(as: Int64?.self)
    return sum ?? 0
  }
}

/// A row of `medicine_appearances`.
struct NewMedicineAppearanceRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, shape, color, secondColor, isScored, imprint, changed
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let look: MedicineAppearance
  let changed: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .shape: .text(look.shape.rawValue)
    case .color: SQLValue(look.color?.rawValue)
    case .secondColor: SQLValue(look.secondColor?.rawValue)
    case .isScored: SQLValue(look.isScored)
    case .imprint: SQLValue(look.imprint)
    case .changed: SQLValue(changed)
    }
  }
}

/// A row of `medicine_photos`.
struct NewMedicinePhotoRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, place, photo, width, height, byteCount, largeSealed, smallSealed, created
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let photo: MedicinePhoto
  let byteCount: Int
  let large: [UInt8]
  let small: [UInt8]
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .place: SQLValue(photo.place)
    case .photo: .text(photo.id)
    case .width: SQLValue(photo.width)
    case .height: SQLValue(photo.height)
    case .byteCount: SQLValue(byteCount)
    case .largeSealed: .blob(large)
    case .smallSealed: .blob(small)
    case .created: SQLValue(created)
    }
  }
}
