// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import People
import Prescriptions
import Storage

/// A practitioner's note about a patient, which is stored encrypted.
package struct CareNote: Sendable, Hashable {
  /// The identifier of the note.
  package let id: String
  /// The author's name when the note was added.
  package let byName: String
  /// The text, with at most ``CareNotes/longest`` characters.
  package let text: String
  /// The time when the note was added.
  package let created: Timestamp
}

/// The notes of practitioners.
///
/// Only their author sees them while the care lasts, and the patient gets them with their copy of everything.
package enum CareNotes {
  /// The maximum length of a note, in characters.
  package static let longest = 2_000
  /// The maximum number of notes of one practitioner about one patient.
  package static let most = 500
  static let resource = "CareNote"

  /// Returns the notes of one author, the latest first; the caller has decided that they may be
  /// read.
  package static func all(
    of patient: PatientID, by account: AccountID, cipher: FieldCipher, in reader: any SQLReader
  ) throws(StorageError) -> [CareNote] {
    try reader.query(ownStatement, [.text(patient), .text(account)])
      .map { row throws(StorageError) in try note(row.decode(), cipher) }
  }

  private static let ownStatement = SQLStatement(
    """
    SELECT \(CareNoteRow.columns) FROM care_notes
    WHERE patient = $1 AND account = $2 ORDER BY created DESC, note
    """)

  /// Returns the notes of all authors, the earliest first, for the patient's copy of everything.
  package static func all(
    of patient: PatientID, cipher: FieldCipher, in reader: any SQLReader
  ) throws(StorageError) -> [CareNote] {
    try reader.query(allStatement, [.text(patient)])
      .map { row throws(StorageError) in try note(row.decode(), cipher) }
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(CareNoteRow.columns) FROM care_notes
    WHERE patient = $1 ORDER BY created, note
    """)

  /// Adds a note by the practitioner of the context.
  ///
  /// - Throws: ``CareTeamError/note`` for an empty or too long text, ``CareTeamError/tooManyNotes``
  ///   at the limit, and ``CareTeamError/notFound`` if the account has no right to add one.
  package static func add(
    _ text: String, of patient: PatientID, accounts: AccountStore, context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    let context = try authorized(patient, accounts, context, in: writer)
    let words = DraftText.trimmed(text)
    guard (1...longest).contains(words.count) else { throw CareTeamError.note }
    let account = context.actor.accountID
    let count: Int? = try writer.first(
      "SELECT COUNT(*) FROM care_notes WHERE patient = $1 AND account = $2",
      [.text(patient), .text(account)])?.value()
    guard count ?? 0 < most else { throw CareTeamError.tooManyNotes }
    let id = context.newIdentifier()
    let row = NewCareNoteRow(
      patient: patient, note: id, account: account, byName: context.byName,
      textSealed: try accounts.cipher.seal(words, context: sealing(id)), created: context.now)
    try writer.execute(insertStatement, row.values)
    audit(.create, id, patient, context, in: writer)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO care_notes (\(NewCareNoteRow.columns)) VALUES (\(NewCareNoteRow.placeholders))
    """)

  /// Removes a note of the practitioner of the context.
  ///
  /// - Throws: ``CareTeamError/notFound`` if that author has no such note.
  package static func remove(
    _ id: String, of patient: PatientID, accounts: AccountStore, context: CommandContext,
    in writer: any SQLWriter
  ) throws {
    let context = try authorized(patient, accounts, context, in: writer)
    let count = try writer.execute(
      "DELETE FROM care_notes WHERE patient = $1 AND note = $2 AND account = $3",
      [.text(patient), .text(id), .text(context.actor.accountID)])
    guard count == 1 else { throw CareTeamError.notFound }
    audit(.delete, id, patient, context, in: writer)
  }

  private static func authorized(
    _ patient: PatientID, _ accounts: AccountStore, _ context: CommandContext,
    in reader: any SQLReader
  ) throws -> CommandContext {
    let own = try CareContext.looking(context, patient: patient, accounts: accounts, in: reader)
    guard
      case .allow = decide(
        actor: own.actor, action: .create, patient: patient, resource: resource,
        purpose: own.purpose)
    else { throw CareTeamError.notFound }
    return own
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ id: String, _ patient: PatientID, _ context: CommandContext,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: kind, patient: patient,
        resource: resource, resourceID: id, purpose: context.purpose.rawValue))
  }

  private static func sealing(_ id: String) -> String { "care_notes:\(id):text" }

  private static func note(
    _ row: CareNoteRow, _ cipher: FieldCipher
  ) throws(StorageError) -> CareNote {
    CareNote(
      id: row.note, byName: row.byName,
      text: try cipher.open(row.textSealed, context: sealing(row.note)), created: row.created)
  }
}

/// A row of `care_notes` as it is read.
struct CareNoteRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case note, byName, textSealed, created }

  static let columns = SQLColumns<Column>()

  let note: String
  let byName: String
  let textSealed: [UInt8]
  let created: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    note = try row.text(.note)
    byName = try row.text(.byName)
    textSealed = try row.blob(.textSealed)
    created = try row.timestamp(.created)
  }
}

/// A row of `care_notes` as it is written.
struct NewCareNoteRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, note, account, byName, textSealed, created }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let note: String
  let account: AccountID
  let byName: String
  let textSealed: [UInt8]
  let created: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .note: .text(note)
    case .account: .text(account)
    case .byName: .text(byName)
    case .textSealed: .blob(textSealed)
    case .created: SQLValue(created)
    }
  }
}
