// SPDX-License-Identifier: Apache-2.0

import Access
import Dosing
import FHIR
import HTTPTypes
import Identifiers
import Prescriptions
import Storage
import Web

/// Writes MedicationAdministrations: doses given elsewhere, recorded once under their identifier.
struct AdministrationHandler: ImportedResourceHandler {
  let type = ResourceType.medicationAdministration

  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource {
    let (patient, administration) = try read(resource, .create, write, in: writer) { file in
      file.administrations.first
    }
    let taken = try refusing { () throws(ImportError) in
      try ImportedAdministrations.take(
        administration, patient: patient, context: write.context, in: writer)
    }
    guard let id = taken.administration else { throw withdrawn }
    return try written(id, taken, patient, write, in: writer)
  }

  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource {
    let owner = try ResourceOwner.patient(ofStored: id, type: type, in: writer)
    _ = try write.authorize(.update, type, of: owner)
    let (patient, administration) = try read(resource, .update, write, in: writer) { file in
      file.administrations.first
    }
    guard patient == owner else { throw ResourceOwner.mustNotChange(type) }
    try requireVersion(ifVersion, of: id, write, in: writer)
    // An answer given here is corrected here: only data from elsewhere follows its source.
    let taken = try refusing { () throws(ImportError) in
      try ImportedAdministrations.correct(
        AdministrationID(id), to: administration, patient: patient, context: write.context,
        in: writer)
    }
    guard let taken else { throw otherIdentifier }
    return try written(AdministrationID(id), taken, patient, write, in: writer)
  }

  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64? {
    let owner = try ResourceOwner.patient(ofStored: id, type: type, in: writer)
    // The answer in the record is read and taken back.
    for action in [Action.delete, .read, .update] {
      _ = try write.authorize(action, type, of: owner)
    }
    do throws(AnswerError) {
      return try AdministrationRemoval.delete(
        AdministrationID(id), patient: owner, ifVersion: ifVersion, context: write.context,
        in: writer)
    } catch {
      guard case .cancelled = error else { throw error }
      throw Failure.element(
        .conflict, .conflict, "MedicationAdministration",
        """
        The dose of this record was cancelled, so that its answer cannot be taken back. PUT the record \
        with status entered-in-error instead.
        """)
    }
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

  private func written(
    _ id: AdministrationID, _ taken: ImportedAdministrations.Result, _ patient: PatientID,
    _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> WrittenResource {
    let isNew = taken.outcome == .recorded
    // A record that was just written need not be read again.
    if let record = taken.record { return WrittenResource(record, type: type, created: isNew) }
    return try stored(id.text, of: patient, created: isNew, write, in: reader)
  }
}
