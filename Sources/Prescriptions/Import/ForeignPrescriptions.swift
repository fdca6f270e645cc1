// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// A prescription from another server that counts here: its plan has not ended, or it waits for the person.
package struct ForeignPrescription: Sendable, Hashable {
  /// The key by which it is recognised.
  let first: String
  /// All keys under which the server knows it.
  package let keys: Set<String>
  /// Its plan; nil if it waits for the person without one.
  let plan: PlanID?
  /// True if the person was already asked if it ends, because the server no longer had it.
  package let isAsked: Bool
}

/// Reads the prescriptions that came from another server.
package enum ForeignPrescriptions {
  /// Returns the prescriptions from a source that have a plan which has not ended, or that wait for the
  /// person.
  package static func known(
    from source: String, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [ForeignPrescription] {
    let rows: [ForeignProposalRow] = try reader.query(
      ofSource, [.text(patient), .text(source)]
    ).decode()
    var order: [String] = []
    var byKey: [String: [ForeignProposalRow]] = [:]
    for row in rows {
      if byKey[row.first] == nil { order.append(row.first) }
      byKey[row.first, default: []].append(row)
    }
    return order.compactMap { key in byKey[key].flatMap { prescription(key, $0) } }
  }

  /// Returns the prescription of one key; nil if it does not count.
  ///
  /// - Parameter rows: its proposals, the oldest first.
  private static func prescription(
    _ key: String, _ rows: [ForeignProposalRow]
  ) -> ForeignPrescription? {
    let accepted = rows.last { $0.state == .accepted }
    let plan = PlanCommands.hasEnded(accepted?.planStatus ?? "stopped") ? nil : accepted?.plan
    if plan == nil, !rows.contains(where: { $0.state == .open && $0.kind != .stopped }) {
      return nil
    }
    return ForeignPrescription(
      first: key, keys: Set(rows.flatMap(\.keys)), plan: plan,
      isAsked: rows.last?.isGone == true)
  }

  private static let ofSource = SQLStatement(
    """
    SELECT \(ForeignProposalRow.columns) FROM proposals p
    LEFT JOIN plans q ON q.patient = p.patient AND q.plan = p.plan
    WHERE p.patient = $1 AND p.source = $2 AND p.state <> 'outdated'
    ORDER BY p.created, p.proposal
    """)
}

/// A proposal from another server, without its content.
struct ForeignProposalRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case sourceKey, otherKeys, kind, digest, plan, state, planStatus
  }

  static let columns = SQLColumns<Column>(of: "p", [.planStatus: "q.status"])

  let first: String
  let keys: [String]
  let kind: Proposal.Kind
  let isGone: Bool
  let plan: PlanID?
  let state: Proposal.State
  let planStatus: String?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    first = try row.text(.sourceKey)
    keys = [first] + (try row.text(.otherKeys).split(separator: "\n").map(String.init))
    kind = try row.named(.kind)
    isGone = try row.text(.digest) == Proposal.goneDigest
    plan = try row.optionalID(.plan)
    state = try row.named(.state)
    planStatus = try row.optionalText(.planStatus)
  }
}
