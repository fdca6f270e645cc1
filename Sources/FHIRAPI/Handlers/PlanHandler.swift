// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Localization
import People
import Plans
import Prescriptions
import Presentation
import Records
import Storage
import Web

/// Writes MedicationRequests; each gives doses like a plan made on a page.
struct PlanHandler: ResourceHandler {
  let type = ResourceType.medicationRequest
  let takesID = true

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    try GenericHandler(type: type).current(id, for: action, write, in: reader)
  }

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    try receive(resource, id: id, ifVersion: nil, write, in: writer)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    try receive(resource, id: id, ifVersion: ifVersion, write, in: writer)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    do {
      // Decides access, and finds out if it was deleted before.
      _ = try current(id, for: .delete, write, in: writer)
    } catch RecordsError.gone {
      return nil
    }
    return try PlanCommands.delete(
      PlanID(id), ifVersion: ifVersion, context: write.context, in: writer
    ).version
  }

  private func receive(
    _ resource: JSONValue, id: String?, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    if let stated = ResourceOwner.named(in: resource, type: type) {
      // A request that was made for someone else is refused before anything is looked up.
      try MadeFor.check(stated, of: write.call)
    }
    let sent = GeneratedFindings.removed(
      from: GeneratedDosageText.removed(from: named(resource, id)))
    let resource = try NamedMedication.completed(sent, type, write, in: writer)
    let result = try PlanCommands.receive(
      resource, id: id.map(PlanID.init), ifVersion: ifVersion, context: write.context, in: writer)
    var written = WrittenResource(result.record, type: type, created: result.created)
    if write.preference != .minimal { try annotate(&written, result.record, write, in: writer) }
    return written
  }

  private static let typesInFindings: [FHIRType] = [
    .medicationRequest, .medicationStatement, .allergyIntolerance, .condition,
  ]

  /// Adds the findings about the stored resource, as far as the client may see them.
  private func annotate(
    _ written: inout WrittenResource, _ record: StoredRecord, _ write: FHIRWriteContext,
    in reader: any SQLReader
  ) throws {
    let json = try record.json()
    let request = MedicationRequestView(json)
    // The findings name other medicines, allergies and diagnoses, which an app may not know.
    let isKnown = Self.typesInFindings.allSatisfy {
      write.actor.limits(on: $0.rawValue, .read, isShared: false) == nil
    }
    let found = isKnown ? try findings(record, request, write, in: reader) : nil
    let amounts = try AmountFinding.unconfirmed(
      request, subjects: [record.id], patient: record.patient, in: reader)
    written.warnings =
      amounts.map { $0.issue(.warning) } + (try ended(record, in: reader))
      + (try endless(record, request, write, in: reader))
    written.findings = found?.issues ?? []
    if let found, !found.check.isQuiet || !amounts.isEmpty {
      written.body = found.annotated(json, amounts: amounts, patient: record.patient).bytes
    }
  }

  /// Returns the warning about a prescription whose period had ended when it arrived.
  private func ended(_ record: StoredRecord, in reader: any SQLReader) throws -> [FHIRIssue] {
    let plan = try PlanQueries.plan(PlanID(record.id), patient: record.patient, in: reader)
    guard let reason = plan?.unplanned, case .ended = reason else { return [] }
    return [
      FHIRIssue(
        severity: .warning, code: .businessRule,
        expression: "MedicationRequest.dosageInstruction.timing.repeat",
        diagnostics: reason.text(Localizer.of(.en)))
    ]
  }

  /// Returns the warning about a prescription without an end whose supply has one: it rings, and a person
  /// should know.
  private func endless(
    _ record: StoredRecord, _ request: MedicationRequestView, _ write: FHIRWriteContext,
    in reader: any SQLReader
  ) throws -> [FHIRIssue] {
    let question = try PlanCommands.supplyQuestion(
      request, patient: record.patient, write.context, in: reader)
    let note = "It gives doses until someone stops it."
    return [question?.issue(.warning, note: note)].compactMap(\.self)
  }

  /// Returns the findings about a prescription; nil if it has ended.
  private func findings(
    _ record: StoredRecord, _ request: MedicationRequestView, _ write: FHIRWriteContext,
    in reader: any SQLReader
  ) throws -> MedicineFindings? {
    let patient = record.patient
    guard let incoming = IncomingMedicine(id: record.id, request: request, isChange: false) else {
      return nil
    }
    let zone = try PeopleQueries.zone(patient, zones: write.context.zones, in: reader)
    let checker = write.call.medicineChecker(patient: patient, actor: write.actor, zone: zone)
    return MedicineFindings(
      try checker.check(incoming, in: reader), list: checker.list,
      words: DoseFormatter(localizer: write.call.localizer, zone: zone, now: write.now))
  }
}
