// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Prescriptions
import Records
import Storage
import Web

/// A handler of resources that are read as an import reads them, and stored once under their identifier.
protocol ImportedResourceHandler: ResourceHandler {}

extension ImportedResourceHandler {
  /// The server chooses the id, because the resource may be a version of one that came another way.
  var takesID: Bool { false }

  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource {
    try GenericHandler(type: type).current(id, for: action, write, in: reader)
  }

  /// Returns the patient and the content that a resource states.
  ///
  /// - Parameter content: Takes the content out of what an import reads.
  func read<Content>(
    _ sent: JSONValue, _ action: Action, _ write: FHIRWriteContext, in reader: any SQLReader,
    _ content: (ImportFile) -> Content?
  ) throws -> (PatientID, Content) {
    let patient = try ResourceOwner.patient(named: sent, type: type)
    _ = try write.authorize(action, type, of: patient)
    // The server chooses the id of what is created.
    let resource = withoutID(sent)
    try validate(resource)
    let named = try NamedMedication.completed(resource, type, write, in: reader)
    var reading = ImportReading()
    reading.add(StreamedEntry(number: 1, resource: .success(named)))
    let file = reading.result(hasFurtherPages: false)
    guard let content = content(file) else {
      throw Failure.element(
        .unprocessableContent, .invalid, type.rawValue,
        file.problems.first?.reason.detail ?? "This is not an R4 \(type.rawValue).")
    }
    return (patient, content)
  }

  /// Returns a resource as it is stored.
  ///
  /// - Throws: The failure 409 for a resource that was deleted here: its source cannot bring it back.
  func stored(
    _ id: String, of patient: PatientID, created: Bool, _ write: FHIRWriteContext,
    in reader: any SQLReader
  ) throws -> WrittenResource {
    let authorization = try write.authorize(.read, type, of: patient)
    do throws(RecordsError) {
      return WrittenResource(
        try RecordStore().read(type.rawValue, id, authorization: authorization, in: reader),
        type: type, created: created)
    } catch {
      guard error == .gone else { throw error }
      throw Failure.element(
        .conflict, .deleted, "\(type.rawValue).identifier",
        "The resource with this identifier was deleted. Send it under another identifier.")
    }
  }

  /// Returns the failure 422 for a resource that is stored under another identifier.
  var otherIdentifier: Failure {
    .element(
      .unprocessableContent, .invalid, "\(type.rawValue).identifier",
      "The stored resource has another identifier. Send that one, or use another id.")
  }

  /// Returns the failure 422 for a new resource that withdraws itself.
  var withdrawn: Failure {
    .element(
      .unprocessableContent, .invalid, "\(type.rawValue).status",
      "Send no resource with status entered-in-error: none is stored.")
  }
}
