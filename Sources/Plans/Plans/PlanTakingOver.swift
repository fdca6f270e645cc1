// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Identifiers
import People
import Records
import Storage

extension PlanCommands {
  /// Makes a request from elsewhere a new plan (`plan` nil), or the new content of a plan here.
  ///
  /// A plan that is replaced keeps its id, and its doses keep theirs. A request that gives no doses
  /// is stored with the reason; a schedule more frequent than its medicine's rule must have been
  /// confirmed.
  ///
  /// - Parameters:
  ///   - proposal: the proposal that it comes from, with its prescriber's confirmations.
  ///   - confirmed: the warnings that the person has just confirmed.
  package static func takeOver(
    _ resource: JSONValue, patient: PatientID, replacing plan: PlanID?,
    from proposal: ProposalID? = nil,
    confirmed: [PlanConfirmation] = [], context: CommandContext, in writer: any SQLWriter
  ) throws -> PlanID {
    let person = try person(patient, in: writer)
    try checkFrequency(
      resource, subjects: [plan?.text, proposal?.text].compactMap(\.self), confirmed: confirmed,
      patient: patient,
      person: person, context, in: writer)
    /// Stores the confirmations with the plan before its doses are planned.
    func keep(_ plan: PlanID, _ right: Authorization) throws {
      if let proposal {
        try PlanConfirmations.carry(from: proposal, to: plan, patient: patient, in: writer)
      }
      try PlanConfirmations.save(confirmed, of: plan.text, right, context, in: writer)
    }
    let change = change(context, writer)
    var resource = resource
    resource["id"] = nil
    guard let plan, var before = try PlanSnapshot.load(plan, patient: patient, in: writer) else {
      let authorization = try authorize(.create, patient: patient, context)
      let record = try RecordStore().create(
        resource, type: "MedicationRequest", id: context.newIdentifier(),
        authorization: authorization, at: context.now, in: writer)
      try keep(PlanID(record.id), authorization)
      return try change.begin(record, person: person, policy: PrescribedPolicy.of(resource)).row
        .plan
    }
    let authorization = try authorize(.update, patient: patient, context)
    try keep(plan, authorization)
    try change.settle(&before, rhythm: person.rhythm)
    let record = try RecordStore().update(
      resource, type: "MedicationRequest", id: plan.text, ifVersion: nil,
      authorization: authorization, at: context.now, in: writer)
    return try change.take(
      record, into: before, person: person, policy: PrescribedPolicy.of(resource), named: [:],
      pairsInOrder: true
    ).row.plan
  }
}
