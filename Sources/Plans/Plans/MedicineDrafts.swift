// SPDX-License-Identifier: Apache-2.0
import Identifiers
import People
import Storage

/// A medicine that an account is adding step by step and that isn't saved yet.
package struct MedicineDraft: Sendable, Hashable {
  /// The identifier that the plan will have, so that saving twice makes one plan.
  package let id: PlanID
  /// The patient who will take it.
  package let patient: PatientID
  /// The name as typed.
  package let name: String
  /// The fields of the form, URL-encoded.
  package let fields: String
  /// The number of times that it was stored; a page that shows an older one must not save it.
  package let version: Int64
}

/// The unsaved medicines of accounts; no account can read those of another.
package enum MedicineDrafts {
  /// The number of days for which an untouched draft is kept.
  package static let days = 30
  /// The maximum number of drafts of an account for one patient; a new one replaces the oldest.
  package static let most = 5

  /// Returns a draft of an account; nil if the account has none with this identifier.
  package static func draft(_ id: PlanID, of account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> MedicineDraft?
  {
    try reader.query(oneStatement, [.text(account), .text(id)])
      .decode(as: MedicineDraftRow.self).first?.draft
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(MedicineDraftRow.columns) FROM medicine_drafts WHERE account = $1 AND draft = $2
    """)

  /// Returns the draft that an account touched last for a patient; nil if there is none.
  package static func latest(
    of account: AccountID, for patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> MedicineDraft? {
    try reader.query(latestStatement, [.text(account), .text(patient)])
      .decode(as: MedicineDraftRow.self).first?.draft
  }

  private static let latestStatement = SQLStatement(
    """
    SELECT \(MedicineDraftRow.columns) FROM medicine_drafts WHERE account = $1 AND patient = $2
    ORDER BY changed DESC, draft LIMIT 1
    """)

  /// Stores a new draft in place of the account's draft of the same name for this patient.
  package static func start(
    _ id: PlanID, name: String, fields: String, of account: AccountID, for patient: PatientID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM medicine_drafts WHERE account = $1 AND patient = $2 AND name = $3",
      [.text(account), .text(patient), .text(name)])
    let row = NewMedicineDraftRow(
      patient: patient, draft: id, account: account, name: name, fields: fields, version: 1,
      changed: now)
    try writer.execute(insertStatement, row.values)
    try writer.execute(
      """
      DELETE FROM medicine_drafts WHERE account = $1 AND patient = $2 AND draft NOT IN (
        SELECT draft FROM medicine_drafts WHERE account = $1 AND patient = $2
        ORDER BY changed DESC, draft LIMIT $3)
      """, [.text(account), .text(patient), SQLValue(most)])
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO medicine_drafts (\(NewMedicineDraftRow.columns))
    VALUES (\(NewMedicineDraftRow.placeholders))
    """)

  /// Stores what was typed since, unless the draft was saved or discarded meanwhile.
  package static func update(
    _ draft: MedicineDraft, name: String, fields: String, of account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE medicine_drafts SET name = $1, fields = $2, version = version + 1, changed = $3
      WHERE patient = $4 AND draft = $5 AND account = $6
      """,
      [
        .text(name), .text(fields), SQLValue(now), .text(draft.patient), .text(draft.id),
        .text(account),
      ])
  }

  /// Deletes a draft of an account, such as one that became a plan.
  package static func remove(_ id: PlanID, of account: AccountID, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "DELETE FROM medicine_drafts WHERE account = $1 AND draft = $2", [.text(account), .text(id)])
  }

  /// Deletes up to `limit` drafts that nobody has touched since an instant.
  ///
  /// - Returns: the number of drafts.
  package static func forget(before: Timestamp, limit: Int, in writer: any SQLWriter)
    throws(StorageError) -> Int
  {
    try writer.execute(
      """
      DELETE FROM medicine_drafts WHERE (patient, draft) IN (
        SELECT patient, draft FROM medicine_drafts WHERE changed < $1 LIMIT $2)
      """, [SQLValue(before), SQLValue(limit)])
  }
}

/// A row of `medicine_drafts` as it is read.
struct MedicineDraftRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case draft, patient, name, fields, version }

  static let columns = SQLColumns<Column>()

  let draft: MedicineDraft

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    draft = MedicineDraft(
      id: try row.id(.draft), patient: try row.id(.patient), name: try row.text(.name),
      fields: try row.text(.fields), version: try row.integer(.version))
  }
}

/// A row of `medicine_drafts` as it is written.
struct NewMedicineDraftRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, draft, account, name, fields, version, changed }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let draft: PlanID
  let account: AccountID
  let name: String
  let fields: String
  let version: Int64
  let changed: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .draft: .text(draft)
    case .account: .text(account)
    case .name: .text(name)
    case .fields: .text(fields)
    case .version: .integer(version)
    case .changed: SQLValue(changed)
    }
  }
}
