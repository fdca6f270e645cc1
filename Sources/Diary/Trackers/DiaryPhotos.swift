// SPDX-License-Identifier: Apache-2.0

import Access
import Foundation
import Identifiers
import Storage

/// The photos of diary entries, encrypted at rest; the caller has decided access.
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

  /// Returns the identifiers of all photos of a patient, each with that of its entry.
  package static func all(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [(id: String, entry: String)] {
    var found: [(id: String, entry: String)] = []
    for row in try reader.query(allStatement, [.text(patient)]) {
      let row = row.read(DiaryPhotoRow.self)
      found.append((try row.text(.photo), try row.text(.entry)))
    }
    return found
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(DiaryPhotoRow.columns) FROM diary_photos WHERE patient = $1 ORDER BY created, photo
    """)

  /// Returns a photo, decrypted; nil if the patient has none of that id.
  package static func photo(
    _ id: String, _ patient: PatientID, cipher: FieldCipher, in reader: any SQLReader
  ) throws(StorageError) -> [UInt8]? {
    let row = try reader.first(photoStatement, [.text(patient), .text(id)])?
      .read(SealedDiaryPhotoRow.self)
    guard let row else { return nil }
    let text = try cipher.open(try row.blob(.bytesSealed), context: context(id))
    return Data(base64Encoded: text).map { Array($0) }
  }

  private static let photoStatement = SQLStatement(
    """
    SELECT \(SealedDiaryPhotoRow.columns) FROM diary_photos WHERE patient = $1 AND photo = $2
    """)

  private static func context(_ photo: String) -> String { "diary_photos:\(photo):bytes" }

  /// Adds a photo to an entry.
  ///
  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  /// - Throws: ``DiaryError/tooMany`` if the entry has four.
  package static func add(
    _ bytes: [UInt8], width: Int, height: Int, toEntry entry: String, id: String,
    authorization: Authorization, cipher: FieldCipher, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    let patient = authorization.patient
    guard try list(ofEntry: entry, patient, in: writer).count < mostOfEntry else {
      throw DiaryError.tooMany
    }
    // Fields are encrypted as text.
    let sealed = try cipher.seal(
      Data(bytes).base64EncodedString(), context: context(id))
    try writer.execute(
      insertStatement,
      NewDiaryPhotoRow(
        patient: patient, photo: id, entry: entry, width: width, height: height, sealed: sealed,
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

/// The identifiers in a row of `diary_photos`.
enum DiaryPhotoRow: SQLRowType {
  enum Column: Int, SQLColumn { case photo, entry }

  static let columns = SQLColumns<Column>()
}

/// The encrypted photo in a row of `diary_photos`.
enum SealedDiaryPhotoRow: SQLRowType {
  enum Column: Int, SQLColumn { case bytesSealed }

  static let columns = SQLColumns<Column>()
}

/// A row of `diary_photos` as it is written.
struct NewDiaryPhotoRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, photo, entry, width, height, bytesSealed, created }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let photo: String
  let entry: String
  let width: Int
  let height: Int
  let sealed: [UInt8]
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .photo: .text(photo)
    case .entry: .text(entry)
    case .width: SQLValue(width)
    case .height: SQLValue(height)
    case .bytesSealed: .blob(sealed)
    case .created: SQLValue(created)
    }
  }
}
