// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Localization
import Plans
import Scheduling
import Storage

/// A prescription from elsewhere that a person decides about, or has decided about.
package struct Proposal: Sendable, Hashable {
  /// The effect of the proposal on the patient's plans.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A medicine without a plan here.
    case new
    /// Another version of a plan here, or its replacement.
    case changed
    /// A stop or pause by the source, which takes effect once it is accepted.
    case stopped
  }

  /// The decision about a proposal; `outdated` if a later event made it void.
  package enum State: String, Sendable, Hashable, CaseIterable {
    case open, accepted, declined, outdated
  }

  /// The identifier of the proposal.
  package let id: ProposalID
  /// The patient to whom it was sent.
  package let patient: PatientID
  /// The origin, such as the name of a file or of the practitioner.
  package let source: String
  /// The keys under which its source knows the prescription; the first identifies it.
  package let keys: [String]
  /// The effect on the patient's plans.
  package let kind: Kind
  /// A digest of the content, with which an unchanged prescription is recognised.
  package let digest: String
  /// The last change at the source, in milliseconds since 1970; nil if unknown.
  package let sourceUpdated: Int64?
  /// The plan that it would change or stop; nil for a new medicine that was not accepted.
  ///
  /// Once accepted, it is the plan that the proposal became.
  package let plan: PlanID?
  /// The decision, or `open` while it waits.
  package let state: State
  /// The prescription itself, in FHIR R4.
  package let request: MedicationRequestView
  /// The time at which it arrived.
  package let created: Timestamp

  /// The name of the person who asks for it; nil if the prescription gives none.
  package var requester: String? { request.json["requester"]?["display"]?.string }

  /// True if a practitioner of this server sent it; `source` is then the practitioner's name.
  package var isPrescribed: Bool {
    keys.first?.hasPrefix("\(Prescriber.prescriptionSystem)|") ?? false
  }

  /// The digest of a stop that was proposed because the source no longer has the prescription; no content
  /// has it.
  static let goneDigest = "gone"

  /// True if it asks for a decision because the source no longer has the prescription.
  package var isGone: Bool { digest == Self.goneDigest }

  /// Returns the shown name of its medicine; empty if it has none.
  package func shownName(in language: Language) -> String { ShownName.of(request, in: language) }
}

/// Reads the rows of `proposals`.
enum ProposalRows {
  static func load(_ proposal: ProposalID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Proposal?
  {
    try read(reader.query(oneStatement, [.text(patient), .text(proposal)])).first
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(ProposalRow.columns) FROM proposals WHERE patient = $1 AND proposal = $2")

  /// Returns all proposals of a key, the newest first.
  static func all(key: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [Proposal]
  {
    try read(reader.query(keyStatement, [.text(patient), .text(key)]))
  }

  private static let keyStatement = SQLStatement(
    """
    SELECT \(ProposalRow.columns) FROM proposals
    WHERE patient = $1 AND source_key = $2 ORDER BY created DESC, proposal DESC
    """)

  /// Returns the open proposals, in order of arrival.
  static func open(patient: PatientID, in reader: any SQLReader) throws(StorageError) -> [Proposal]
  {
    try read(reader.query(openStatement, [.text(patient)]))
  }

  private static let openStatement = SQLStatement(
    """
    SELECT \(ProposalRow.columns) FROM proposals
    WHERE patient = $1 AND state = 'open' ORDER BY created, proposal
    """)

  /// Returns the open proposals and the stops that took effect at once and are unread, in order of arrival.
  static func waiting(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Proposal] {
    try read(reader.query(waitingStatement, [.text(patient)]))
  }

  private static let waitingStatement = SQLStatement(
    """
    SELECT \(ProposalRow.columns) FROM proposals WHERE patient = $1 AND state = 'open'
    UNION ALL
    SELECT \(ProposalRow.columns) FROM proposals
    WHERE patient = $1 AND kind = 'stopped' AND state = 'accepted' AND seen IS NULL
      AND plan IS NOT NULL
    ORDER BY created, proposal
    """)

  private static func read(_ rows: [SQLRow]) throws(StorageError) -> [Proposal] {
    var found: [Proposal] = []
    for row in rows { found.append(try Proposal(row.read(ProposalRow.self))) }
    return found
  }
}

/// The columns of a ``Proposal``.
enum ProposalRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case proposal, patient, source, sourceKey, otherKeys, kind, digest, sourceUpdated, plan, state
    case resource, created
  }

  static let columns = SQLColumns<Column>()
}

extension Proposal {
  init(_ row: ColumnReader<ProposalRow.Column>) throws(StorageError) {
    guard let json = try? JSONValue(parsing: Array(try row.text(.resource).utf8)) else {
      throw .corrupt(code: 0)
    }
    let others = try row.text(.otherKeys).split(separator: "\n").map(String.init)
    self.init(
      id: try row.id(.proposal), patient: try row.id(.patient), source: try row.text(.source),
      keys: [try row.text(.sourceKey)] + others, kind: try row.named(.kind),
      digest: try row.text(.digest), sourceUpdated: try row.optionalInteger(.sourceUpdated),
      plan: try row.optionalID(.plan), state: try row.named(.state),
      request: MedicationRequestView(json), created: try row.timestamp(.created))
  }
}
