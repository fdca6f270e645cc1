// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Knowledge
import Storage

/// Severe findings that practitioners confirmed having seen before they sent a prescription.
package enum ConfirmedFindings {
  package struct Confirmation: Sendable, Hashable {
    package let byName: String
    package let at: Timestamp
  }

  /// Returns the confirmations of a proposal, keyed by finding.
  package static func all(
    of proposal: ProposalID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [String: Confirmation] {
    try all(of: [proposal], patient: patient, in: reader)[proposal] ?? [:]
  }

  /// The same of some proposals, in one statement.
  package static func all(
    of proposals: [ProposalID], patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [ProposalID: [String: Confirmation]] {
    let rows = try reader.query(
      """
      SELECT proposal, warning, by_name, confirmed FROM prescription_warnings
      WHERE patient = $1 AND proposal IN (
      """, [.text(patient)], in: proposals.map { .text($0) })
    var found: [ProposalID: [String: Confirmation]] = [:]
    for row in rows {
      found[try row.id(0), default: [:]][try row.text(1)] = Confirmation(
        byName: try row.text(2), at: try row.timestamp(3))
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
      try writer.execute(
        """
        INSERT INTO prescription_warnings (patient, proposal, warning, confirmed, account, by_name)
        VALUES ($1, $2, $3, $4, $5, $6)
        """,
        [
          .text(proposal.patient), .text(proposal.id), .text(finding.key), SQLValue(context.now),
          .text(context.actor.accountID), .text(context.byName),
        ])
    }
    writer.audit(
      AuditEntry(
        at: context.now, actor: context.actor.accountID, kind: .create, patient: proposal.patient,
        resource: "DetectedIssue", resourceID: proposal.id.text, purpose: context.purpose.rawValue))
  }
}
