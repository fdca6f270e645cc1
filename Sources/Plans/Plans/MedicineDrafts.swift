// SPDX-License-Identifier: Apache-2.0
import Identifiers
import People
import Storage

/// A medicine that an account is adding, changing or prescribing step by step and that isn't saved yet.
package struct MedicineDraft: Sendable, Hashable {
  /// The result of saving a draft.
  package enum Purpose: String, Sendable, Hashable, CaseIterable {
    /// A medicine of the patient.
    case new
    /// Another version of a medicine that the patient has.
    case change
    /// A prescription that is proposed to the patient.
    case prescription
  }

  /// The identifier that the plan or proposal will have, so that saving twice makes one.
  package let id: PlanID
  /// The patient who will take it.
  package let patient: PatientID
  /// The result of saving it.
  package let purpose: Purpose
  /// The plan that it changes; nil for other purposes.
  package let plan: PlanID?
  /// The version that this plan had when the change was begun; nil for other purposes.
  package let planVersion: Int64?
  /// The name as typed.
  package let name: String
  /// The fields of the form, URL-encoded.
  package let fields: String
  /// The number of times that it was stored; a page that shows an older one must not save it.
  package let version: Int64

  /// Creates a draft; version 0 for one that isn't stored yet.
  package init(
    id: PlanID, patient: PatientID, purpose: Purpose = .new, plan: PlanID? = nil,
    planVersion: Int64? = nil, name: String, fields: String, version: Int64 = 0
  ) {
    self.id = id
    self.patient = patient
    self.purpose = purpose
    self.plan = plan
    self.planVersion = planVersion
    self.name = name
    self.fields = fields
    self.version = version
  }
}

/// The unsaved medicines of accounts; no account can read those of another.
package enum MedicineDrafts {
  /// The number of days for which an untouched draft is kept.
  package static let days = 30
  /// The maximum number of drafts of an account for one patient and purpose; a new one replaces the oldest.
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

  /// Returns the draft in which an account changes a plan; nil if there is none.
  package static func change(
    of plan: PlanID, by account: AccountID, for patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> MedicineDraft? {
    try reader.query(changeStatement, [.text(patient), .text(plan), .text(account)])
      .decode(as: MedicineDraftRow.self).first?.draft
  }

  private static let changeStatement = SQLStatement(
    """
    SELECT \(MedicineDraftRow.columns) FROM medicine_drafts
    WHERE patient = $1 AND plan = $2 AND account = $3 ORDER BY changed DESC, draft LIMIT 1
    """)

  /// Returns the draft that an account touched last for a patient and purpose; nil if there is none.
  package static func latest(
    _ purpose: MedicineDraft.Purpose = .new, of account: AccountID, for patient: PatientID,
    in reader: any SQLReader
  ) throws(StorageError) -> MedicineDraft? {
    try reader.query(latestStatement, [.text(account), .text(patient), .text(purpose.rawValue)])
      .decode(as: MedicineDraftRow.self).first?.draft
  }

  private static let latestStatement = SQLStatement(
    """
    SELECT \(MedicineDraftRow.columns) FROM medicine_drafts
    WHERE account = $1 AND patient = $2 AND purpose = $3 ORDER BY changed DESC, draft LIMIT 1
    """)

  /// Stores a new draft in place of the account's draft of the same name for this patient and purpose.
  package static func start(
    _ id: PlanID, name: String, fields: String, of account: AccountID, for patient: PatientID,
    as purpose: MedicineDraft.Purpose = .new, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let draft = MedicineDraft(
      id: id, patient: patient, purpose: purpose, name: name, fields: fields)
    try writer.execute(
      """
      DELETE FROM medicine_drafts
      WHERE account = $1 AND patient = $2 AND purpose = $3 AND name = $4
      """, [.text(account), .text(patient), .text(purpose.rawValue), .text(name)])
    try insert(draft, of: account, at: now, in: writer)
  }

  /// Stores the first step of a change in place of the account's earlier change of the same plan.
  package static func start(
    change draft: MedicineDraft, name: String, fields: String, of account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    guard let plan = draft.plan else { return }
    try writer.execute(
      "DELETE FROM medicine_drafts WHERE account = $1 AND patient = $2 AND plan = $3",
      [.text(account), .text(draft.patient), .text(plan)])
    let stored = MedicineDraft(
      id: draft.id, patient: draft.patient, purpose: .change, plan: plan,
      planVersion: draft.planVersion, name: name, fields: fields)
    try insert(stored, of: account, at: now, in: writer)
  }

  private static func insert(
    _ draft: MedicineDraft, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = NewMedicineDraftRow(draft: draft, account: account, version: 1, changed: now)
    try writer.execute(insertStatement, row.values)
    try writer.execute(
      """
      DELETE FROM medicine_drafts WHERE account = $1 AND patient = $2 AND purpose = $3
        AND draft NOT IN (
        SELECT draft FROM medicine_drafts WHERE account = $1 AND patient = $2 AND purpose = $3
        ORDER BY changed DESC, draft LIMIT $4)
      """,
      [
        .text(account), .text(draft.patient), .text(draft.purpose.rawValue), SQLValue(most),
      ])
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
  enum Column: Int, SQLColumn {
    case draft, patient, purpose, plan, planVersion, name, fields, version
  }

  static let columns = SQLColumns<Column>()

  let draft: MedicineDraft

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    draft = MedicineDraft(
      id: try row.id(.draft), patient: try row.id(.patient), purpose: try row.named(.purpose),
      plan: try row.optionalID(.plan), planVersion: try row.optionalInteger(.planVersion),
      name: try row.text(.name), fields: try row.text(.fields), version: try row.integer(.version))
  }
}

/// A row of `medicine_drafts` as it is written.
struct NewMedicineDraftRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, draft, account, purpose, plan, planVersion, name, fields, version, changed
  }

  static let columns = SQLColumns<Column>()

  let draft: MedicineDraft
  let account: AccountID
  let version: Int64
  let changed: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(draft.patient)
    case .draft: .text(draft.id)
    case .account: .text(account)
    case .purpose: .text(draft.purpose.rawValue)
    case .plan: draft.plan.map { SQLValue.text($0) } ?? .null
    case .planVersion: draft.planVersion.map { SQLValue.integer($0) } ?? .null
    case .name: .text(draft.name)
    case .fields: .text(draft.fields)
    case .version: .integer(version)
    case .changed: SQLValue(changed)
    }
  }
}
