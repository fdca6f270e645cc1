// SPDX-License-Identifier: Apache-2.0
import Access
import FHIR
import Foundation
import Identifiers
import People
import Records
import Scheduling
import Storage

extension PlanCommands {
  /// Stores a MedicationRequest posted (`id` nil) or put over FHIR.
  ///
  /// It is stored whole and planned at once as far as its status and timing allow; a put that stops
  /// a plan takes effect at once.
  ///
  /// - Throws: `invalidResource` (422) for a resource that breaks FHIR's rules, and for an active
  ///   one whose dose is zero or that can never fire; `foreignSubject`, `versionConflict`,
  ///   `notFound`.
  package static func receive(
    _ resource: JSONValue, id: PlanID?, ifVersion: Int64?, context: CommandContext,
    in writer: any SQLWriter
  ) throws(PlanError) -> (record: StoredRecord, created: Bool) {
    try planning {
      let issues =
        ResourceValidator.issues(in: resource, expecting: .medicationRequest)
        .filter { $0.severity == .error || $0.severity == .fatal }
      if !issues.isEmpty { throw PlanError.invalidResource(issues) }
      let request = MedicationRequestView(resource)
      let wrongDoses = doseIssues(request)
      if !wrongDoses.isEmpty { throw PlanError.invalidResource(wrongDoses) }
      let patient = try subject(of: request, context, in: writer)
      if let id {
        guard FHIRIdentifierText.isValidResourceID(id.text),
          request.id == nil || request.id == id.text
        else { throw PlanError.invalidResource([idIssue]) }
        let owner = try RecordStore().patient(of: "MedicationRequest", id: id.text, in: writer)
        if let owner {
          return (
            try replace(
              resource, id: id, owner: owner, patient: patient, ifVersion: ifVersion, context,
              in: writer), false
          )
        }
        if ifVersion != nil { throw PlanError.notFound }
      }
      let authorization = try authorize(.create, patient: patient, context)
      let person = try person(patient, in: writer)
      try refuseTooOften(resource, plan: nil, patient: patient, person: person, context, writer)
      let record = try RecordStore().create(
        resource, type: "MedicationRequest", id: id?.text ?? context.newIdentifier(),
        authorization: authorization, at: context.now, in: writer)
      let plan = try change(context, writer).begin(record, person: person, policy: nil)
      try refuseNeverFiring(plan)
      try refuseClash(plan, person: person, context)
      return (record, true)
    }
  }

  private static func replace(
    _ resource: JSONValue, id: PlanID, owner: PatientID, patient: PatientID, ifVersion: Int64?,
    _ context: CommandContext, in writer: any SQLWriter
  ) throws -> StoredRecord {
    // Check the owner first: nothing is revealed of another patient's plan, not even that it exists.
    let authorization = try authorize(.update, patient: owner, context)
    guard owner == patient else { throw PlanError.invalidResource([subjectIssue]) }
    let person = try person(patient, in: writer)
    try refuseTooOften(resource, plan: id, patient: owner, person: person, context, writer)
    let change = change(context, writer)
    var before = try PlanSnapshot.load(id, patient: owner, in: writer)
    if var settled = before {
      try change.settle(&settled, rhythm: person.rhythm)
      before = settled
    }
    let record = try RecordStore().update(
      resource, type: "MedicationRequest", id: id.text, ifVersion: ifVersion,
      authorization: authorization, at: context.now, in: writer)
    let after =
      if let before {
        try change.take(
          record, into: before, person: person, policy: nil, named: [:], pairsInOrder: true)
      } else {
        try change.begin(record, person: person, policy: nil)
      }
    try refuseNeverFiring(after)
    try refuseClash(after, person: person, context)
    return record
  }

  /// Refuses a schedule that is too frequent, since a program cannot confirm it; a safe plan stays as it is.
  private static func refuseTooOften(
    _ resource: JSONValue, plan: PlanID?, patient: PatientID, person: Person,
    _ context: CommandContext, _ reader: any SQLReader
  ) throws {
    do {
      try checkFrequency(
        resource, subjects: [plan?.text].compactMap(\.self), patient: patient, person: person,
        context, in: reader)
    } catch PlanError.tooOften(let breach) {
      throw PlanError.invalidResource([breach.issue])
    }
  }

  private static func subject(
    of request: MedicationRequestView, _ context: CommandContext, in reader: any SQLReader
  ) throws -> PatientID {
    guard let reference = request.subjectReference, reference.hasPrefix("Patient/") else {
      throw PlanError.foreignSubject
    }
    let patient = String(reference.dropFirst("Patient/".count))
    guard FHIRIdentifierText.isValidResourceID(patient),
      try PeopleRows.load(PatientID(patient), in: reader) != nil
    else { throw PlanError.foreignSubject }
    do {
      _ = try authorize(.create, patient: PatientID(patient), context)
    } catch PlanError.notFound {
      throw PlanError.foreignSubject
    }
    return PatientID(patient)
  }

  private static func refuseNeverFiring(_ plan: PlanSnapshot) throws(PlanError) {
    guard plan.row.unplanned == .neverFires else { return }
    throw .invalidResource([
      FHIRIssue(
        code: .businessRule, expression: "MedicationRequest.dosageInstruction.timing",
        diagnostics:
          "No dose ever falls within these bounds. Correct the bounds or the pattern.")
    ])
  }

  /// Refuses an active plan whose doses exceed its own maximum, naming the two lines.
  private static func refuseClash(
    _ plan: PlanSnapshot, person: Person, _ context: CommandContext
  ) throws {
    guard plan.row.status == "active" else { return }
    let limits = PlanLimits(plan.request)
    let rule = MissedDoseAdvice(plan.request)
    let states = plan.request.dosages.contains { PlanClash.statesPattern($0) }
    if limits.amounts.isEmpty && rule == nil && !states { return }
    let timeline = try plan.timeline(zones: context.zones, rhythm: person.rhythm).timeline
    let clash =
      PlanClash.ofMaximum(
        limits, timeline: timeline, from: Instant(max(context.now, plan.row.anchor)))
      ?? PlanClash.ofMiss(rule, timeline: timeline)
      ?? PlanClash.ofPattern(plan.request, timeline: timeline)
    guard let clash else { return }
    throw PlanError.invalidResource(
      [(clash.one, clash.other), (clash.other, clash.one)].map { line, against in
        FHIRIssue(
          code: .businessRule, expression: line.expression,
          diagnostics:
            "This plan contradicts itself: \(line.expression) and \(against.expression) "
            + "cannot both hold. Correct one of them.")
      })
  }

  private static func doseIssues(_ request: MedicationRequestView) -> [FHIRIssue] {
    request.dosages.enumerated().compactMap { index, dosage in
      guard let quantity = dosage.doseQuantity, quantity.valueText != nil else { return nil }
      if let value = quantity.value, value > 0, value <= Amount.largest { return nil }
      return FHIRIssue(
        code: .businessRule,
        expression: "MedicationRequest.dosageInstruction[\(index)].doseAndRate.doseQuantity.value",
        diagnostics: "The dose must be above 0 and at most 1000000000.")
    }
  }

  private static let idIssue = FHIRIssue(
    code: .value, expression: "MedicationRequest.id",
    diagnostics: "The id must be a FHIR id and match the id in the address.")

  private static let subjectIssue = FHIRIssue(
    code: .businessRule, expression: "MedicationRequest.subject",
    diagnostics: "The subject must not change. Create a new MedicationRequest for another patient.")
}
