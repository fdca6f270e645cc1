// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The sounds that people uploaded, decoded and re-encoded.
///
/// The caller has decided that access is allowed.
package enum OwnSounds {
  /// The maximum number of sounds of a patient.
  package static let most = 5
  /// The maximum length of a sound's name, in characters.
  package static let longestName = 40

  /// A sound of a patient, without its file.
  package struct Stored: Sendable, Hashable {
    /// The identifier of the sound.
    package let id: String
    /// The name that the person gave to the sound.
    package let name: String
    /// The length in milliseconds.
    package let milliseconds: Int

    /// Creates the description of a sound.
    package init(id: String, name: String, milliseconds: Int) {
      self.id = id
      self.name = name
      self.milliseconds = milliseconds
    }
  }

  /// Returns a patient's sounds without their files, the oldest first.
  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [Stored]
  {
    var found: [Stored] = []
    for row in try reader.query(allStatement, [.text(patient)]) {
      let row = row.read(SoundRow.self)
      found.append(
        Stored(
          id: try row.text(.sound), name: try row.text(.name),
          milliseconds: Int(clamping: try row.integer(.milliseconds))))
    }
    return found
  }

  private static let allStatement = SQLStatement(
    "SELECT \(SoundRow.columns) FROM sounds WHERE patient = $1 ORDER BY created, sound")

  /// Returns the names of a patient's sounds, by id.
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

  /// Returns the WAV file of a sound; nil if there is none.
  package static func content(of sound: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [UInt8]?
  {
    try reader.first(
      "SELECT content FROM sounds WHERE patient = $1 AND sound = $2",
      [.text(patient), .text(sound)])?.value(as: [UInt8].self)
  }

  /// Saves a sound; returns false if the patient has ``most`` sounds already.
  package static func keep(
    _ sound: Stored, content: [UInt8], of patient: PatientID, by account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard try all(of: patient, in: writer).count < most else { return false }
    let row = NewSoundRow(patient: patient, sound: sound, content: content, created: now)
    try writer.execute(insertStatement, row.values)
    audit(.create, sound.id, patient, account, now, in: writer)
    return true
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO sounds (\(NewSoundRow.columns)) VALUES (\(NewSoundRow.placeholders))")

  /// Removes a sound; alarms and reminders that used it use the standard one.
  package static func remove(
    _ sound: String, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let removed = try writer.execute(
      "DELETE FROM sounds WHERE patient = $1 AND sound = $2", [.text(patient), .text(sound)])
    guard removed > 0 else { return }
    let usual = AlarmSound.standard.rawValue
    try AlarmStore.replace(sound: sound, with: usual, of: patient, in: writer)
    try ReminderChoiceStore.replace(sound: sound, with: usual, of: patient, in: writer)
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

/// The columns of a sound without its file.
enum SoundRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case sound, name, milliseconds
  }

  static let columns = SQLColumns<Column>()
}

/// A new row of `sounds`.
struct NewSoundRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, sound, name, milliseconds, content, created
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let sound: OwnSounds.Stored
  let content: [UInt8]
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .sound: .text(sound.id)
    case .name: .text(sound.name)
    case .milliseconds: SQLValue(sound.milliseconds)
    case .content: .blob(content)
    case .created: SQLValue(created)
    }
  }
}
