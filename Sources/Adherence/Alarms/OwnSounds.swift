// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Sounds that people brought; their files were made anew before they come here.
///
/// The caller has decided that they may be heard or changed.
package enum OwnSounds {
  package static let most = 5
  package static let longestName = 40

  /// A sound of somebody's own.
  package struct Stored: Sendable, Hashable {
    package let id: String
    package let name: String
    package let milliseconds: Int

    package init(id: String, name: String, milliseconds: Int) {
      self.id = id
      self.name = name
      self.milliseconds = milliseconds
    }
  }

  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [Stored]
  {
    let rows = try reader.query(
      "SELECT sound, name, milliseconds FROM sounds WHERE patient = $1 ORDER BY created, sound",
      [.text(patient)])
    var found: [Stored] = []
    for row in rows {
      found.append(
        Stored(
          id: try row.text(0), name: try row.text(1),
          milliseconds: Int(clamping: try row.integer(2))))
    }
    return found
  }

  /// The names of a patient's sounds, by id.
  package static func names(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [String: String]
  {
    Dictionary(try all(of: patient, in: reader).map { ($0.id, $0.name) }) { first, _ in first }
  }

  static func identifiers(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> Set<String>
  {
    Set(try all(of: patient, in: reader).map(\.id))
  }

  /// The file of a sound.
  package static func content(of sound: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [UInt8]?
  {
    try reader.first(
      "SELECT content FROM sounds WHERE patient = $1 AND sound = $2",
      [.text(patient), .text(sound)])?.blob(0)
  }

  /// Keeps a sound; false where there are as many as there may be.
  package static func keep(
    _ sound: Stored, content: [UInt8], of patient: PatientID, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard try all(of: patient, in: writer).count < most else { return false }
    try writer.execute(
      """
      INSERT INTO sounds (patient, sound, name, milliseconds, content, created)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .text(patient), .text(sound.id), .text(sound.name), SQLValue(sound.milliseconds),
        .blob(content), SQLValue(now),
      ])
    audit(.create, sound.id, patient, account, now, in: writer)
    return true
  }

  /// Removes a sound; what rang with it rings with the usual one.
  package static func remove(
    _ sound: String, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let removed = try writer.execute(
      "DELETE FROM sounds WHERE patient = $1 AND sound = $2", [.text(patient), .text(sound)])
    guard removed > 0 else { return }
    let usual = SQLValue.text(AlarmSound.standard.rawValue)
    try writer.execute(
      "UPDATE alarms SET sound = $1 WHERE patient = $2 AND sound = $3",
      [usual, .text(patient), .text(sound)])
    try writer.execute(
      "UPDATE reminder_choices SET sound = $1 WHERE patient = $2 AND sound = $3",
      [usual, .text(patient), .text(sound)])
    audit(.delete, sound, patient, account, now, in: writer)
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ sound: String, _ patient: PatientID, _ account: AccountID,
    _ now: Timestamp, in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: patient, resource: "Sound",
        resourceID: sound, version: nil, purpose: "care", outcome: .success))
  }
}
