// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Prescriptions
import Records
import Storage
import Web

/// Writes MedicationAdministrations: doses given elsewhere, recorded once under their identifier.
struct AdministrationHandler: ResourceHandler {
  let type = ResourceType.medicationAdministration
  /// The server chooses the id, because an administration may answer a dose that is already open.
  let takesID = false

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    try GenericHandler(type: type).current(id, for: action, write, in: reader)
  }

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    let (patient, administration) = try read(resource, .create, write)
    let taken = try refusing { () throws(ImportError) in
      try ImportedAdministrations.take(
        administration, patient: patient, context: write.context, in: writer)
    }
    guard let id = taken.administration else {
      throw Failure.element(
        .unprocessableContent, .invalid, "MedicationAdministration.status",
        "Send no resource with status entered-in-error: none is stored.")
    }
    return try written(
      id.text, taken.record, patient, created: taken.outcome == .recorded, write, in: writer)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    let owner = try ResourceOwner.patient(ofStored: id, type: type, in: writer)
    _ = try write.authorize(.update, type, of: owner)
    let (patient, administration) = try read(resource, .update, write)
    guard patient == owner else { throw ResourceOwner.mustNotChange(type) }
    try requireVersion(ifVersion, of: id, write, in: writer)
    // An answer given here is corrected here: only data from elsewhere follows its source.
    let taken = try refusing { () throws(ImportError) in
      try ImportedAdministrations.correct(
        AdministrationID(id), to: administration, patient: patient, context: write.context,
        in: writer)
    }
    guard let taken else {
      throw Failure.element(
        .unprocessableContent, .invalid, "MedicationAdministration.identifier",
        "The stored resource has another identifier. Send that one, or use another id.")
    }
    return try written(id, taken.record, patient, created: false, write, in: writer)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    let owner = try ResourceOwner.patient(ofStored: id, type: type, in: writer)
    _ = try write.authorize(.delete, type, of: owner)
    throw Failure.element(
      .unprocessableContent, .businessRule, "MedicationAdministration",
      """
      The history of doses refers to this resource. PUT it with status entered-in-error instead: it is \
      then no longer counted.
      """)
  }

  /// Runs an import and reports mistakes in the resource as issues.
  private func refusing<Value>(
    _ work: () throws(ImportError) -> Value
  ) throws -> Value {
    do throws(ImportError) {
      return try work()
    } catch {
      guard case .problem(let reason) = error else { throw error }
      throw Failure.element(
        .unprocessableContent, .invalid, type.rawValue,
        reason.detail ?? "Refused: \(reason.code).")
    }
  }

  /// - Parameter record: The record, if it was just written; else it is read.
  private func written(
    _ id: String, _ record: StoredRecord?, _ patient: PatientID, created: Bool,
    _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> WrittenResource {
    if let record { return WrittenResource(record, type: type, created: created) }
    let authorization = try write.authorize(.read, type, of: patient)
    let stored = try RecordStore().read(
      type.rawValue, id, authorization: authorization, in: reader)
    return WrittenResource(stored, type: type, created: created)
  }

  /// Returns the patient and the administration that a resource states.
  private func read(
    _ sent: JSONValue, _ action: Action, _ write: FHIRWriteContext
  ) throws -> (PatientID, ImportAdministration) {
    let patient = try ResourceOwner.patient(named: sent, type: type)
    _ = try write.authorize(action, type, of: patient)
    // The server chooses the id of what is created.
    let resource = withoutID(sent)
    try validate(resource)
    var reading = ImportReading()
    reading.add(StreamedEntry(number: 1, resource: .success(resource)))
    let file = reading.result(hasFurtherPages: false)
    guard let administration = file.administrations.first else {
      let problem = file.problems.first?.reason
      throw Failure.element(
        .unprocessableContent, .invalid, type.rawValue,
        problem?.detail ?? "This is not an R4 MedicationAdministration.")
    }
    return (patient, administration)
  }
}
