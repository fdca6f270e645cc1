// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Storage

/// Questions about looks; the caller has decided that the medicines may be seen.
package enum LookQueries {
  /// What is known, by plan; plans of which nothing is said are not there.
  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [PlanID: KnownLook]
  {
    var found: [PlanID: KnownLook] = [:]
    for row in try reader.query(
      """
      SELECT plan, NULL AS photo, 0 AS place, 0 AS width, 0 AS height, shape, color, second_color,
        is_scored, imprint
      FROM medicine_looks WHERE patient = $1
      UNION ALL
      SELECT plan, photo, place, width, height, NULL, NULL, NULL, 0, NULL
      FROM medicine_photos WHERE patient = $1
      ORDER BY plan, place
      """, [.text(patient)])
    {
      let plan: PlanID = try row.id(0)
      if try row.optionalText(1) != nil {
        found[plan, default: KnownLook()].photos.append(try photo(row))
      } else {
        found[plan, default: KnownLook()].look = try look(row, from: 5)
      }
    }
    return found.filter { !$0.value.isEmpty }
  }

  package static func one(
    ofPlan plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> KnownLook {
    var found = KnownLook()
    let row = try reader.first(
      """
      SELECT plan, shape, color, second_color, is_scored, imprint
      FROM medicine_looks WHERE patient = $1 AND plan = $2
      """, [.text(patient), .text(plan)])
    if let row { found.look = try look(row, from: 1) }
    for row in try reader.query(
      """
      SELECT plan, photo, place, width, height FROM medicine_photos
      WHERE patient = $1 AND plan = $2 ORDER BY place
      """, [.text(patient), .text(plan)])
    {
      found.photos.append(try photo(row))
    }
    return found
  }

  /// Every photo with its plan, for copies of everything.
  package static func photos(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [(plan: PlanID, photo: MedicinePhoto)]
  {
    var found: [(plan: PlanID, photo: MedicinePhoto)] = []
    for row in try reader.query(
      """
      SELECT plan, photo, place, width, height FROM medicine_photos
      WHERE patient = $1 ORDER BY plan, place
      """, [.text(patient)])
    {
      found.append((try row.id(0), try photo(row)))
    }
    return found
  }

  /// The picture of a photo; nil where the patient has none of that id.
  package static func picture(
    _ photo: String, _ size: MedicinePhoto.Size, patient: PatientID, cipher: FieldCipher,
    in reader: any SQLReader
  ) throws(StorageError) -> [UInt8]? {
    let row = try reader.first(
      """
      SELECT large_sealed, small_sealed FROM medicine_photos WHERE patient = $1 AND photo = $2
      """, [.text(patient), .text(photo)])
    guard let row else { return nil }
    let text = try cipher.open(
      try row.blob(size == .large ? 0 : 1), context: LookRows.context(photo, size))
    return Data(base64Encoded: text).map { Array($0) }
  }

  /// What a later version wrote, and this one does not know, is not shown in part.
  private static func look(
    _ row: SQLRow, from first: Int
  ) throws(StorageError) -> MedicineLook? {
    guard let shape = MedicineShape(rawValue: try row.text(first)) else { return nil }
    let (color, second) = (try row.optionalText(first + 1), try row.optionalText(first + 2))
    let (scored, imprint) = (try row.integer(first + 3) == 1, try row.optionalText(first + 4))
    do {
      return try MedicineLook(
        shape: shape, color: color.flatMap(MedicineColor.init(rawValue:)),
        secondColor: second.flatMap(MedicineColor.init(rawValue:)), isScored: scored,
        imprint: imprint)
    } catch {
      return nil
    }
  }

  private static func photo(_ row: SQLRow) throws(StorageError) -> MedicinePhoto {
    MedicinePhoto(
      id: try row.text(1), place: Int(clamping: try row.integer(2)),
      width: Int(clamping: try row.integer(3)), height: Int(clamping: try row.integer(4)))
  }
}

/// Writes looks and photos; ``LookCommands`` has decided that they may be.
enum LookRows {
  static func context(_ photo: String, _ size: MedicinePhoto.Size) -> String {
    "medicine_photos:\(photo):\(size.rawValue)"
  }

  static func keep(
    _ look: MedicineLook, ofPlan plan: PlanID, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO medicine_looks (patient, plan, shape, color, second_color, is_scored, imprint,
        changed)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
      ON CONFLICT (patient, plan) DO UPDATE SET shape = excluded.shape, color = excluded.color,
        second_color = excluded.second_color, is_scored = excluded.is_scored,
        imprint = excluded.imprint, changed = excluded.changed
      """,
      [
        .text(patient), .text(plan), .text(look.shape.rawValue),
        look.color.map { .text($0.rawValue) } ?? .null,
        look.secondColor.map { .text($0.rawValue) } ?? .null, SQLValue(look.isScored),
        look.imprint.map { .text($0) } ?? .null, SQLValue(now),
      ])
  }

  static func keep(
    _ pictures: MedicinePictures, as photo: MedicinePhoto, ofPlan plan: PlanID, patient: PatientID,
    cipher: FieldCipher, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    // Fields are sealed as text.
    let large = Data(pictures.large).base64EncodedString()
    let small = Data(pictures.small).base64EncodedString()
    try writer.execute(
      """
      INSERT INTO medicine_photos (patient, plan, place, photo, width, height, byte_count,
        large_sealed, small_sealed, created)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      ON CONFLICT (patient, plan, place) DO UPDATE SET photo = excluded.photo,
        width = excluded.width, height = excluded.height, byte_count = excluded.byte_count,
        large_sealed = excluded.large_sealed, small_sealed = excluded.small_sealed,
        created = excluded.created
      """,
      [
        .text(patient), .text(plan), SQLValue(photo.place), .text(photo.id),
        SQLValue(photo.width), SQLValue(photo.height), SQLValue(pictures.byteCount),
        .blob(try cipher.seal(large, context: context(photo.id, .large))),
        .blob(try cipher.seal(small, context: context(photo.id, .small))), SQLValue(now),
      ])
  }

  /// The bytes of a patient's pictures, without those at one place.
  static func bytes(
    of patient: PatientID, without place: (plan: PlanID, place: Int), in reader: any SQLReader
  ) throws(StorageError) -> Int64 {
    let row = try reader.first(
      """
      SELECT CAST(SUM(byte_count) AS BIGINT) FROM medicine_photos
      WHERE patient = $1 AND NOT (plan = $2 AND place = $3)
      """, [.text(patient), .text(place.plan), SQLValue(place.place)])
    return try row?.optionalInteger(0) ?? 0
  }
}
