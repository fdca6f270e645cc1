// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Scheduling
import Storage

/// A prescription from elsewhere that waits for the person, or did.
package struct Proposal: Sendable, Hashable {
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A medicine that no plan here is of.
    case new
    /// Another version or a replacement of a plan here.
    case changed
    /// The source says that it ended, or pauses, and somebody else than the source would have to say so.
    case stopped
  }

  package enum State: String, Sendable, Hashable, CaseIterable {
    case open, accepted, declined, outdated
  }

  package let id: ProposalID
  package let patient: PatientID
  /// Where it came from, such as the name of a file.
  package let source: String
  package let keys: [String]
  package let kind: Kind
  package let digest: String
  /// Milliseconds since 1970 of the source's own last change.
  package let sourceUpdated: Int64?
  /// The running plan that it concerns; once accepted, the plan that it became.
  package let plan: PlanID?
  package let state: State
  package let request: MedicationRequestView
  package let created: Timestamp

  /// Who asks for it, by name.
  package var requester: String? { request.json["requester"]?["display"]?.string }
}

/// The rows of `proposals`.
enum ProposalRows {
  static func load(_ proposal: ProposalID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Proposal?
  {
    let row = try reader.first(
      """
      SELECT proposal, patient, source, source_key, other_keys, kind, digest, source_updated, plan,
        state, resource, created
      FROM proposals WHERE patient = $1 AND proposal = $2
      """, [.text(patient), .text(proposal)])
    guard let row else { return nil }
    return try read(row)
  }

  /// All of a key, the newest first.
  static func all(key: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [Proposal]
  {
    try read(
      reader.query(
        """
        SELECT proposal, patient, source, source_key, other_keys, kind, digest, source_updated,
          plan, state, resource, created
        FROM proposals WHERE patient = $1 AND source_key = $2 ORDER BY created DESC, proposal DESC
        """, [.text(patient), .text(key)]))
  }

  /// Those that wait, in the order in which they came.
  static func open(patient: PatientID, in reader: any SQLReader) throws(StorageError) -> [Proposal]
  {
    try read(
      reader.query(
        """
        SELECT proposal, patient, source, source_key, other_keys, kind, digest, source_updated,
          plan, state, resource, created
        FROM proposals WHERE patient = $1 AND state = 'open' ORDER BY created, proposal
        """, [.text(patient)]))
  }

  /// Those that wait, and stops that acted at once and that the person has not read, in the order in which they came.
  static func waiting(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Proposal] {
    try read(
      reader.query(
        """
        SELECT proposal, patient, source, source_key, other_keys, kind, digest, source_updated,
          plan, state, resource, created
        FROM proposals WHERE patient = $1 AND state = 'open'
        UNION ALL
        SELECT proposal, patient, source, source_key, other_keys, kind, digest, source_updated,
          plan, state, resource, created
        FROM proposals
        WHERE patient = $1 AND kind = 'stopped' AND state = 'accepted' AND seen IS NULL
          AND plan IS NOT NULL
        ORDER BY created, proposal
        """, [.text(patient)]))
  }

  static func insert(
    _ proposal: Proposal, by account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO proposals (patient, proposal, source, source_key, other_keys, source_updated,
        kind, resource, digest, plan, state, created, created_by)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      """,
      [
        .text(proposal.patient), .text(proposal.id), .text(proposal.source),
        SQLValue(proposal.keys.first), .text(proposal.keys.dropFirst().joined(separator: "\n")),
        SQLValue(proposal.sourceUpdated), .text(proposal.kind.rawValue),
        .text(proposal.request.json.text), .text(proposal.digest), SQLValue(proposal.plan),
        .text(proposal.state.rawValue), SQLValue(proposal.created), .text(account),
      ])
  }

  /// Decides one that is open; the plan that it became, where it became one.
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

  private static func read(_ rows: [SQLRow]) throws(StorageError) -> [Proposal] {
    var found: [Proposal] = []
    for row in rows { found.append(try read(row)) }
    return found
  }

  private static func read(_ row: SQLRow) throws(StorageError) -> Proposal {
    guard let kind = Proposal.Kind(rawValue: try row.text(5)) else {
      throw .unexpectedValue(column: 5, expected: .text)
    }
    guard let state = Proposal.State(rawValue: try row.text(9)) else {
      throw .unexpectedValue(column: 9, expected: .text)
    }
    guard let json = try? JSONValue(parsing: Array(try row.text(10).utf8)) else {
      throw .corrupt(code: 0)
    }
    let others = try row.text(4).split(separator: "\n").map(String.init)
    return Proposal(
      id: try row.id(0), patient: try row.id(1), source: try row.text(2),
      keys: [try row.text(3)] + others, kind: kind, digest: try row.text(6),
      sourceUpdated: try row.optionalInteger(7), plan: try row.optionalID(8), state: state,
      request: MedicationRequestView(json), created: try row.timestamp(11))
  }
}
