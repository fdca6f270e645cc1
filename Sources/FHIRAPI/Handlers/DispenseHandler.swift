// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Plans
import Prescriptions
import Storage
import Supply
import Web

/// Writes MedicationDispenses: each is stored once under its identifier, and offered for the supply.
struct DispenseHandler: ImportedResourceHandler {
  let type = ResourceType.medicationDispense

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    try checkRequests(of: resource)
    let (patient, dispense) = try read(resource, .create, write, in: writer) { file in
      file.dispenses.first
    }
    return try take(dispense, of: patient, as: nil, write, in: writer)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    let owner = try ResourceOwner.patient(ofStored: id, type: type, in: writer)
    _ = try write.authorize(.update, type, of: owner)
    try checkRequests(of: resource)
    let (patient, dispense) = try read(resource, .update, write, in: writer) { file in
      file.dispenses.first
    }
    guard patient == owner else { throw ResourceOwner.mustNotChange(type) }
    try requireVersion(ifVersion, of: id, write, in: writer)
    return try take(dispense, of: patient, as: DispenseID(id), write, in: writer)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    let owner = try ResourceOwner.patient(ofStored: id, type: type, in: writer)
    // A pack that the dispense became leaves its supply.
    for action in [Action.delete, .update] { _ = try write.authorize(action, type, of: owner) }
    return try DispenseRemoval.delete(
      DispenseID(id), patient: owner, ifVersion: ifVersion, context: write.context, in: writer)
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
    guard id == nil || known == id else { throw otherIdentifier }
    _ = try refusing { () throws(DispenseError) in
      try commands.take(dispense, patient: patient, as: id, context: write.context, in: writer)
    }
    guard let taken = try record() else { throw withdrawn }
    return try stored(taken.text, of: patient, created: known == nil, write, in: writer)
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

  /// Throws the failure 422 for a dispense that names more prescriptions than are looked up.
  private func checkRequests(of resource: JSONValue) throws {
    let requests = (resource["authorizingPrescription"]?.array ?? [])
      .compactMap { $0["reference"]?.string }
    guard Set(requests).count <= ImportDispense.mostRequests else {
      throw Failure.element(
        .unprocessableContent, .invalid, "MedicationDispense.authorizingPrescription",
        "Name at most \(ImportDispense.mostRequests) different prescriptions.")
    }
  }
}

extension DispenseRemovalError: FailureConvertible {
  /// The response to a deletion whose pack must stay in its supply.
  package var failure: Failure {
    let detail =
      switch self {
      case .counted:
        """
        The supply was counted after this pack was added, so that the pack is part of the count. Count the \
        supply again instead, and PUT the dispense with status entered-in-error.
        """
      case .elsewhere:
        """
        The pack is in another person's supply. Ask someone who acts for that person to remove it there, and \
        PUT the dispense with status entered-in-error.
        """
      }
    return .element(.unprocessableContent, .businessRule, "MedicationDispense", detail)
  }
}
