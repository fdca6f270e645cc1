// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The photos of diary entries; the caller has decided access.
package enum DiaryPhotos {
  /// The maximum number of photos of one entry.
  package static let mostOfEntry = 4

  /// Returns the identifiers of an entry's photos, in the order in which they were added.
  package static func list(
    ofEntry entry: String, _ patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      "SELECT photo FROM diary_photos WHERE patient = $1 AND entry = $2 ORDER BY created, photo",
      [.text(patient), .text(entry)]
    ).values()
  }

  /// Returns the identifiers of all photos of a patient.
  package static func all(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      "SELECT photo FROM diary_photos WHERE patient = $1 ORDER BY created, photo",
      [.text(patient)]
    ).values()
  }

  /// Returns a photo; nil if the patient has none of that id.
  package static func photo(
    _ id: String, _ patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [UInt8]? {
    try reader.first(
      "SELECT bytes FROM diary_photos WHERE patient = $1 AND photo = $2",
      [.text(patient), .text(id)]
    )?.value()
  }

  /// Adds a photo to an entry.
  ///
  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  /// - Throws: ``DiaryError/tooMany`` if the entry has four.
  package static func add(
    _ bytes: [UInt8], width: Int, height: Int, toEntry entry: String, id: String,
    authorization: Authorization, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    let patient = authorization.patient
    guard try list(ofEntry: entry, patient, in: writer).count < mostOfEntry else {
      throw DiaryError.tooMany
    }
    try writer.execute(
      insertStatement,
      NewDiaryPhotoRow(
        patient: patient, photo: id, entry: entry, width: width, height: height, bytes: bytes,
        created: now
      ).values)
    writer.audit(
      AuditEntry(
        at: now, actor: authorization.actor.accountID, kind: .create, patient: patient,
        resource: "Photo", resourceID: id, purpose: authorization.purpose.rawValue))
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO diary_photos (\(NewDiaryPhotoRow.columns))
    VALUES (\(NewDiaryPhotoRow.placeholders))
    """)

  static func remove(
    ofEntry entry: String, _ patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM diary_photos WHERE patient = $1 AND entry = $2", [.text(patient), .text(entry)])
  }
}

/// A row of `diary_photos`.
struct NewDiaryPhotoRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, photo, entry, width, height, bytes, created }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let photo: String
  let entry: String
  let width: Int
  let height: Int
  let bytes: [UInt8]
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .photo: .text(photo)
    case .entry: .text(entry)
    case .width: SQLValue(width)
    case .height: SQLValue(height)
    case .bytes: .blob(bytes)
    case .created: SQLValue(created)
    }
  }
}
