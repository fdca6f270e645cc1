// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// The table `proposals`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum ProposalStore {
  static func insert(
    _ proposal: Proposal, by account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      insertStatement, NewProposalRow(proposal: proposal, createdBy: account).values)
  }

  private static let insertStatement = SQLStatement(
    "INSERT INTO proposals (\(NewProposalRow.columns)) VALUES (\(NewProposalRow.placeholders))")

  /// Decides an open proposal and stores the plan that it became, if any.
  static func decide(
    _ proposal: Proposal, _ state: Proposal.State, plan: PlanID?, seen: Timestamp?,
    by account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE proposals SET state = $1, plan = COALESCE($2, plan), decided = $3, decided_by = $4,
        seen = $5
      WHERE patient = $6 AND proposal = $7
      """,
      [
        .text(state.rawValue), SQLValue(plan), SQLValue(now), .text(account), SQLValue(seen),
        .text(proposal.patient), .text(proposal.id),
      ])
  }

  /// Marks a stop as read; returns false if it already was.
  static func markSeen(
    _ proposal: ProposalID, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE proposals SET seen = $1 WHERE patient = $2 AND proposal = $3 AND seen IS NULL",
      [SQLValue(now), .text(patient), .text(proposal)]) > 0
  }
}

/// A new row of `proposals`.
struct NewProposalRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, proposal, source, sourceKey, otherKeys, sourceUpdated, kind, resource, digest
    case plan, state, created, createdBy
  }

  static let columns = SQLColumns<Column>()

  let proposal: Proposal
  let createdBy: AccountID

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(proposal.patient)
    case .proposal: .text(proposal.id)
    case .source: .text(proposal.source)
    case .sourceKey: SQLValue(proposal.keys.first)
    case .otherKeys: .text(proposal.keys.dropFirst().joined(separator: "\n"))
    case .sourceUpdated: SQLValue(proposal.sourceUpdated)
    case .kind: .text(proposal.kind.rawValue)
    case .resource: .text(proposal.request.json.text)
    case .digest: .text(proposal.digest)
    case .plan: SQLValue(proposal.plan)
    case .state: .text(proposal.state.rawValue)
    case .created: SQLValue(proposal.created)
    case .createdBy: .text(createdBy)
    }
  }
}
