// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Storage

/// Queries about appearances; the caller has checked that the actor may see the medicines.
package enum AppearanceQueries {
  /// Returns the known appearances by plan; plans without one are left out.
  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [PlanID: KnownAppearance]
  {
    var found: [PlanID: KnownAppearance] = [:]
    for row in try reader.query(allStatement, [.text(patient)]) {
      let row = row.read(MedicineAppearanceRow.self)
      let plan: PlanID = try row.id(.plan)
      if try row.optionalText(.photo) != nil {
        found[plan, default: KnownAppearance()].photos.append(try MedicinePhoto(row))
      } else {
        found[plan, default: KnownAppearance()].look = try look(row)
      }
    }
    return found.filter { !$0.value.isEmpty }
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(MedicineAppearanceRow.columns) FROM medicine_appearances WHERE patient = $1
    UNION ALL
    SELECT \(MedicinePhotoRow.columns) FROM medicine_photos WHERE patient = $1
    ORDER BY plan, place
    """)

  /// Returns the appearance of one plan's medicine; empty if nothing is known of it.
  package static func one(
    ofPlan plan: PlanID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> KnownAppearance {
    var found = KnownAppearance()
    let row = try reader.first(lookStatement, [.text(patient), .text(plan)])
    if let row { found.look = try look(row.read(MedicineAppearanceRow.self)) }
    for row in try reader.query(planPhotosStatement, [.text(patient), .text(plan)]) {
      found.photos.append(try MedicinePhoto(row.read(MedicinePhotoRow.self)))
    }
    return found
  }

  private static let lookStatement = SQLStatement(
    "SELECT \(MedicineAppearanceRow.columns) FROM medicine_appearances WHERE patient = $1 AND plan = $2"
  )

  private static let planPhotosStatement = SQLStatement(
    """
    SELECT \(MedicinePhotoRow.columns) FROM medicine_photos
    WHERE patient = $1 AND plan = $2 ORDER BY place
    """)

  /// Returns every photo with its plan, for full exports.
  package static func photos(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [(plan: PlanID, photo: MedicinePhoto)]
  {
    var found: [(plan: PlanID, photo: MedicinePhoto)] = []
    for row in try reader.query(photosStatement, [.text(patient)]) {
      let row = row.read(MedicinePhotoRow.self)
      found.append((try row.id(.plan), try MedicinePhoto(row)))
    }
    return found
  }

  private static let photosStatement = SQLStatement(
    """
    SELECT \(MedicinePhotoRow.columns) FROM medicine_photos
    WHERE patient = $1 ORDER BY plan, place
    """)

  /// Returns a picture, decrypted; nil if the patient has no photo with that identifier.
  package static func picture(
    _ photo: String, _ size: MedicinePhoto.Size, patient: PatientID, cipher: FieldCipher,
    in reader: any SQLReader
  ) throws(StorageError) -> [UInt8]? {
    let row = try reader.first(pictureStatement, [.text(patient), .text(photo)])
    guard let row else { return nil }
    let sealed = try row.read(SealedPictureRow.self)
      .blob(size == .large ? .largeSealed : .smallSealed)
    let text = try cipher.open(sealed, context: AppearanceStore.context(photo, size))
    return Data(base64Encoded: text).map { Array($0) }
  }

  private static let pictureStatement = SQLStatement(
    """
    SELECT \(SealedPictureRow.columns) FROM medicine_photos WHERE patient = $1 AND photo = $2
    """)

  /// Reads an appearance; one with parts from a later version is not shown at all.
  private static func look(
    _ row: ColumnReader<MedicineAppearanceRow.Column>
  ) throws(StorageError) -> MedicineAppearance? {
    guard let shape = MedicineShape(rawValue: try row.text(.shape)) else { return nil }
    let (color, second) = (try row.optionalText(.color), try row.optionalText(.secondColor))
    let (scored, imprint) = (try row.integer(.isScored) == 1, try row.optionalText(.imprint))
    do {
      return try MedicineAppearance(
        shape: shape, color: color.flatMap(MedicineColor.init(rawValue:)),
        secondColor: second.flatMap(MedicineColor.init(rawValue:)), isScored: scored,
        imprint: imprint)
    } catch {
      return nil
    }
  }
}

/// The columns of an appearance.
///
/// They are null or 0 for a photo, so that one list holds drawings and photos.
enum MedicineAppearanceRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, photo, place, width, height, shape, color, secondColor, isScored, imprint
  }

  static let columns = SQLColumns<Column>([
    .photo: "NULL AS photo", .place: "0 AS place", .width: "0 AS width", .height: "0 AS height",
  ])
}

/// The columns of a ``MedicinePhoto``, in the same list, without those of an appearance.
enum MedicinePhotoRow: SQLRowType {
  typealias Column = MedicineAppearanceRow.Column

  static let columns = SQLColumns<Column>([
    .shape: "NULL", .color: "NULL", .secondColor: "NULL", .isScored: "0", .imprint: "NULL",
  ])
}

extension MedicinePhoto {
  init(_ row: ColumnReader<MedicinePhotoRow.Column>) throws(StorageError) {
    self.init(
      id: try row.text(.photo), place: Int(clamping: try row.integer(.place)),
      width: Int(clamping: try row.integer(.width)),
      height: Int(clamping: try row.integer(.height)))
  }
}

/// The encrypted pictures of a photo.
enum SealedPictureRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case largeSealed, smallSealed
  }

  static let columns = SQLColumns<Column>()
}
