// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The photos of people, one each; the caller has decided access.
package enum PersonPhotos {
  /// A stored photo, re-encoded by the server.
  package struct Stored: Sendable, Hashable {
    /// The identifier of this photo, for caches and addresses; a new photo gets another.
    package let id: String
    /// The encoded image.
    package let bytes: [UInt8]
  }

  /// Returns the photo of a person; nil if there is none.
  package static func photo(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Stored? {
    let row = try reader.first(photoStatement, [.text(patient)])?.read(PersonPhotoRow.self)
    guard let row else { return nil }
    return Stored(id: try row.text(.photo), bytes: try row.blob(.bytes))
  }

  private static let photoStatement = SQLStatement(
    "SELECT \(PersonPhotoRow.columns) FROM person_photos WHERE patient = $1")

  /// Stores a photo, replacing an earlier one.
  ///
  /// - Parameters:
  ///   - width: in pixels.
  ///   - height: in pixels.
  package static func save(
    _ bytes: [UInt8], width: Int, height: Int, of patient: PatientID,
    authorization: Authorization, id: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = WrittenPersonPhotoRow(
      patient: patient, photo: id, width: width, height: height, bytes: bytes, created: now)
    try writer.execute(saveStatement, row.values)
    audit(.update, authorization, id, at: now, in: writer)
  }

  private static let saveStatement = SQLStatement(
    """
    INSERT INTO person_photos (\(WrittenPersonPhotoRow.columns))
    VALUES (\(WrittenPersonPhotoRow.placeholders))
    ON CONFLICT (patient) DO UPDATE SET photo = excluded.photo, width = excluded.width,
      height = excluded.height, bytes = excluded.bytes, created = excluded.created
    """)

  /// Deletes the photo of a person; without one, nothing happens.
  package static func remove(
    of patient: PatientID, authorization: Authorization, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let removed = try writer.execute(
      "DELETE FROM person_photos WHERE patient = $1", [.text(patient)])
    if removed > 0 { audit(.delete, authorization, nil, at: now, in: writer) }
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ authorization: Authorization, _ id: String?, at now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: authorization.actor.accountID, kind: kind, patient: authorization.patient,
        resource: "Photo", resourceID: id, purpose: authorization.purpose.rawValue))
  }
}

/// The columns of a stored photo.
enum PersonPhotoRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case photo, bytes
  }

  static let columns = SQLColumns<Column>()
}

/// A row of `person_photos`.
struct WrittenPersonPhotoRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, photo, width, height, bytes, created
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let photo: String
  let width: Int
  let height: Int
  let bytes: [UInt8]
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .photo: .text(photo)
    case .width: SQLValue(width)
    case .height: SQLValue(height)
    case .bytes: .blob(bytes)
    case .created: SQLValue(created)
    }
  }
}
