// SPDX-License-Identifier: Apache-2.0
import Dosing
import FHIR
import Identifiers
import Plans
import Storage

/// Reads proposals; the caller has checked the access to the patient.
package enum ProposalQueries {
  /// Returns the proposals that wait for the person, in order of arrival.
  package static func open(patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [Proposal]
  {
    try ProposalRows.open(patient: patient, in: reader)
  }

  /// Returns a proposal of a patient in any state; nil if there is none.
  package static func proposal(_ id: ProposalID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Proposal?
  {
    try ProposalRows.load(id, patient: patient, in: reader)
  }

  /// Returns the proposals that wait for the person, and stops not yet read, in order of arrival.
  package static func waiting(
    patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> (open: [Proposal], stops: [Proposal]) {
    let found = try ProposalRows.waiting(patient: patient, in: reader)
    return (found.filter { $0.state == .open }, found.filter { $0.state != .open })
  }

  /// Returns the plans to review from the open proposals of one patient, like
  /// ``plansForReview(patient:in:)``.
  package static func plansForReview(_ open: [Proposal]) -> Set<PlanID> {
    let stopped = Set(open.filter { $0.kind == .stopped }.compactMap(\.plan))
    return Set(
      open.filter { $0.kind == .changed }.compactMap { proposal in
        proposal.plan.flatMap { stopped.contains($0) || proposal.isPrescribed ? $0 : nil }
      })
  }

  /// Returns the plans with a change that waits for an answer: their source stopped them and sent a
  /// replacement, or their practitioner changed them.
  ///
  /// Their doses stay at the old times, with the note to check the prescription before taking them.
  package static func plansForReview(patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Set<PlanID>
  {
    try plansForReview(patients: [patient], in: reader)[patient] ?? []
  }

  /// Returns the plans with a change that waits for an answer, by patient; patients without such a plan are
  /// left out.
  package static func plansForReview(patients: some Collection<PatientID>, in reader: any SQLReader)
    throws(StorageError) -> [PatientID: Set<PlanID>]
  {
    let rows: [PlanForReview] = try reader.query(
      """
      SELECT \(PlanForReview.columns) FROM proposals c
      LEFT JOIN proposals s ON s.patient = c.patient AND s.plan = c.plan
        AND s.state = 'open' AND s.kind = 'stopped'
      WHERE c.state = 'open' AND c.kind = 'changed'
        AND (s.proposal IS NOT NULL OR c.source_key LIKE 'urn:regimen:prescription|%')
        AND c.patient IN (
      """, [], in: patients.map { .text($0) }
    ).decode()
    var found: [PatientID: Set<PlanID>] = [:]
    for row in rows { found[row.patient, default: []].insert(row.plan) }
    return found
  }

  /// Returns the proposals that arrived, were decided or were read since a cursor, in their current state;
  /// at most the latest 200.
  package static func changed(
    since cursor: ChangeCursor, patient: PatientID, in reader: any SQLReader
  )
    throws(StorageError) -> [Proposal]
  {
    let ids: [ProposalID] = try reader.query(
      """
      SELECT resource_id FROM audit
      WHERE patient = $1 AND at >= $2 AND sequence > $3 AND outcome = 'success'
        AND kind NOT IN ('read', 'search') AND resource = 'Proposal'
      GROUP BY resource_id ORDER BY MAX(sequence) DESC LIMIT 200
      """,
      [
        .text(patient), SQLValue(cursor.at.adding(milliseconds: -DoseQueries.longestWait)),
        .integer(cursor.sequence),
      ]
    ).values()
    var found: [Proposal] = []
    for id in ids.reversed() {
      if let proposal = try ProposalRows.load(id, patient: patient, in: reader) {
        found.append(proposal)
      }
    }
    return found
  }

  /// Returns the proposal that a prescription of a file already is, in any state; nil if its content is
  /// new.
  package static func known(
    _ prescription: ImportPrescription, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Proposal? {
    try ProposalRows.all(key: prescription.keys.first, patient: patient, in: reader)
      .first { $0.digest == prescription.digest }
  }

  /// Returns the plan to which a prescription of a file belongs, or which it replaces; nil if there is
  /// none.
  package static func plan(
    of prescription: ImportPrescription, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> PlanID? {
    try PlanSources.plan(
      prescription.keys.all + prescription.priorKeys, patient: patient, in: reader)
  }
}

/// A plan to review because of a proposal.
struct PlanForReview: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, plan
  }

  static let columns = SQLColumns<Column>(of: "c")

  let patient: PatientID
  let plan: PlanID

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    plan = try row.id(.plan)
  }
}
