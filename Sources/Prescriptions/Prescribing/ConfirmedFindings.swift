// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Knowledge
import People
import Storage

/// Severe findings that practitioners confirmed having seen before they sent a prescription.
package enum ConfirmedFindings {
  /// A practitioner's confirmation of one finding.
  package struct Confirmation: Sendable, Hashable {
    /// The practitioner's name at the time of the confirmation.
    package let byName: String
    /// The time of the confirmation.
    package let at: Timestamp
  }

  /// Returns the confirmations of a proposal, by the key of the finding.
  package static func all(
    of proposal: ProposalID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [String: Confirmation] {
    try all(of: [proposal], patient: patient, in: reader)[proposal] ?? [:]
  }

  /// Returns the confirmations of several proposals in one statement; proposals without any are left out.
  package static func all(
    of proposals: [ProposalID], patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [ProposalID: [String: Confirmation]] {
    let rows = try reader.query(
      """
      SELECT \(ConfirmedFindingRow.columns) FROM prescription_warnings
      WHERE patient = $1 AND proposal IN (
      """, [.text(patient)], in: proposals.map { .text($0) })
    var found: [ProposalID: [String: Confirmation]] = [:]
    for row in rows {
      let row = row.read(ConfirmedFindingRow.self)
      found[try row.id(.proposal), default: [:]][try row.text(.warning)] = Confirmation(
        byName: try row.text(.byName), at: try row.timestamp(.confirmed))
    }
    return found
  }

  /// Stores and audits that the practitioner saw the findings of a prescription.
  static func keep(
    _ findings: [InteractionWarning], of proposal: Proposal, _ context: CommandContext,
    in writer: any SQLWriter
  ) throws(StorageError) {
    if findings.isEmpty { return }
    for finding in findings {
      let row = NewConfirmedFindingRow(
        patient: proposal.patient, proposal: proposal.id, warning: finding.key,
        confirmed: context.now, account: context.actor.accountID, byName: context.byName)
      try writer.execute(insertStatement, row.values)
    }
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .create, patient: proposal.patient,
        resource: "DetectedIssue", resourceID: proposal.id.text, purpose: context.purpose.rawValue))
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO prescription_warnings (\(NewConfirmedFindingRow.columns))
    VALUES (\(NewConfirmedFindingRow.placeholders))
    """)
}

/// A row of `prescription_warnings` as it is read.
enum ConfirmedFindingRow: SQLRowType {
  enum Column: Int, SQLColumn { case proposal, warning, byName, confirmed }

  static let columns = SQLColumns<Column>()
}

/// A row of `prescription_warnings` as it is written.
struct NewConfirmedFindingRow: SQLWritableRow {
  enum Column: Int, SQLColumn { case patient, proposal, warning, confirmed, account, byName }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let proposal: ProposalID
  let warning: String
  let confirmed: Timestamp
  let account: AccountID
  let byName: String

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .proposal: .text(proposal)
    case .warning: .text(warning)
    case .confirmed: SQLValue(confirmed)
    case .account: .text(account)
    case .byName: .text(byName)
    }
  }
}
