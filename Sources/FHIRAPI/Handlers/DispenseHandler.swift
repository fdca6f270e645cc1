// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Plans
import Prescriptions
import Records
import Storage
import Supply
import Web

/// Writes MedicationDispenses: each is stored once under its identifier, and offered for the supply.
struct DispenseHandler: ResourceHandler {
  let type = ResourceType.medicationDispense
  /// The server chooses the id, because a dispense may be a version of one that came another way.
  let takesID = false

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    try GenericHandler(type: type).current(id, for: action, write, in: reader)
  }

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    let (patient, dispense) = try read(resource, .create, write)
    return try take(dispense, of: patient, as: nil, write, in: writer)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    let owner = try ResourceOwner.patient(ofStored: id, type: type, in: writer)
    _ = try write.authorize(.update, type, of: owner)
    let (patient, dispense) = try read(resource, .update, write)
    guard patient == owner else { throw ResourceOwner.mustNotChange(type) }
    try requireVersion(ifVersion, of: id, write, in: writer)
    return try take(dispense, of: patient, as: DispenseID(id), write, in: writer)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    let owner = try ResourceOwner.patient(ofStored: id, type: type, in: writer)
    _ = try write.authorize(.delete, type, of: owner)
    throw Failure.element(
      .unprocessableContent, .businessRule, "MedicationDispense",
      """
      The supply refers to this resource. PUT it with status entered-in-error instead: the person is \
      then asked about the pack.
      """)
  }

  private func take(
    _ dispense: ImportDispense, of patient: PatientID, as id: DispenseID?,
    _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    let commands = DispenseCommands()
    func record() throws -> DispenseID? {
      try refusing { () throws(DispenseError) in
        try commands.record(
          dispense, patient: patient, as: id, context: write.context, in: writer)
      }
    }
    let known = try record()
    guard id == nil || known == id else {
      throw Failure.element(
        .unprocessableContent, .invalid, "MedicationDispense.identifier",
        "The stored resource has another identifier. Send that one, or use another id.")
    }
    _ = try refusing { () throws(DispenseError) in
      try commands.take(dispense, patient: patient, as: id, context: write.context, in: writer)
    }
    guard let taken = try record() else {
      throw Failure.element(
        .unprocessableContent, .invalid, "MedicationDispense.status",
        "Send no resource with status entered-in-error: none is stored.")
    }
    let authorization = try write.authorize(.read, type, of: patient)
    let stored = try RecordStore().read(
      type.rawValue, taken.text, authorization: authorization, in: writer)
    return WrittenResource(stored, type: type, created: known == nil)
  }

  /// Runs a command and reports the element of refused content.
  private func refusing<Value>(
    _ work: () throws(DispenseError) -> Value
  ) throws -> Value {
    do throws(DispenseError) {
      return try work()
    } catch {
      switch error {
      case .unreadable(let problem):
        throw Failure.element(
          .unprocessableContent, .invalid, type.rawValue, problem.description)
      case .plan(let error): throw error
      }
    }
  }

  /// Returns the patient and the dispense that a resource states.
  private func read(
    _ sent: JSONValue, _ action: Action, _ write: FHIRWriteContext
  ) throws -> (PatientID, ImportDispense) {
    let patient = try ResourceOwner.patient(named: sent, type: type)
    _ = try write.authorize(action, type, of: patient)
    let requests = (sent["authorizingPrescription"]?.array ?? [])
      .compactMap { $0["reference"]?.string }
    guard Set(requests).count <= ImportDispense.mostRequests else {
      throw Failure.element(
        .unprocessableContent, .invalid, "MedicationDispense.authorizingPrescription",
        "Name at most \(ImportDispense.mostRequests) different prescriptions.")
    }
    // The server chooses the id of what is created.
    let resource = withoutID(sent)
    try validate(resource)
    var reading = ImportReading()
    reading.add(StreamedEntry(number: 1, resource: .success(resource)))
    let file = reading.result(hasFurtherPages: false)
    guard let dispense = file.dispenses.first else {
      let problem = file.problems.first?.reason
      throw Failure.element(
        .unprocessableContent, .invalid, type.rawValue,
        problem?.detail ?? "This is not an R4 MedicationDispense.")
    }
    return (patient, dispense)
  }
}
