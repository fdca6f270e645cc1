// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// The photos of persons, one each; the caller has decided that they may be seen or changed.
package enum PersonPhotos {
  /// A photo as it was re-encoded.
  package struct Stored: Sendable, Hashable {
    /// Names this photo, for caches and addresses.
    package let id: String
    package let bytes: [UInt8]
  }

  package static func photo(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Stored? {
    let row = try reader.first(
      "SELECT photo, bytes FROM person_photos WHERE patient = $1", [.text(patient)])
    guard let row else { return nil }
    return Stored(id: try row.text(0), bytes: try row.blob(1))
  }

  /// Keeps a photo in place of the one before.
  package static func save(
    _ bytes: [UInt8], width: Int, height: Int, of patient: PatientID,
    authorization: Authorization, id: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO person_photos (patient, photo, width, height, bytes, created)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (patient) DO UPDATE SET photo = excluded.photo, width = excluded.width,
        height = excluded.height, bytes = excluded.bytes, created = excluded.created
      """,
      [
        .text(patient), .text(id), SQLValue(width), SQLValue(height), .blob(bytes), SQLValue(now),
      ])
    audit(.update, authorization, id, at: now, in: writer)
  }

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
