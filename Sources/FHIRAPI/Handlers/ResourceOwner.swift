// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import Identifiers
import Records
import Storage
import Web

/// Finds the patient to whom a resource belongs.
enum ResourceOwner {
  /// Returns the patient that a resource names in `subject`; nil for none, or one elsewhere.
  static func named(in resource: JSONValue, type: ResourceType) -> PatientID? {
    guard let reference = resource["subject"]?["reference"]?.string else { return nil }
    let parts = reference.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0] == "Patient",
      FHIRIdentifierText.isValidResourceID(String(parts[1]))
    else { return nil }
    return PatientID(String(parts[1]))
  }

  /// Returns the patient that a resource names in `subject`; throws the failure 422 with the element.
  static func patient(named resource: JSONValue, type: ResourceType) throws -> PatientID {
    guard let patient = named(in: resource, type: type) else {
      throw Failure.element(
        .unprocessableContent, .value, "\(type.rawValue).subject",
        "The subject must be a Patient of this server, written as Patient/id.")
    }
    return patient
  }

  /// Returns the patient of a resource that was stored, even if it was deleted since.
  static func patient(
    ofStored id: String, type: ResourceType, in reader: any SQLReader
  ) throws -> PatientID {
    guard let patient = try RecordStore().patient(of: type.rawValue, id: id, in: reader) else {
      throw Failure.notFound
    }
    return patient
  }

  /// Returns the patient of a resource by the rule of its type, which may follow references to
  /// resources of this server; throws the failure 422 with the element.
  static func patient(
    of resource: JSONValue, type: ResourceType, id: String, in reader: any SQLReader
  ) throws -> PatientID {
    let found = try RecordSubject.patient(of: resource, type: type, id: id) {
      (type, id) throws(RecordsError) in
      try RecordStore().patient(of: type, id: id, in: reader)
    }
    guard let found else {
      throw Failure.element(
        .unprocessableContent, .value, RecordSubject.expression(of: type),
        "Name a patient of this server, or a resource of one.")
    }
    return found
  }

  /// Returns the failure 404 for a resource of a patient who does not exist.
  static func unknown(_ type: ResourceType) -> Failure {
    .element(
      .notFound, .notFound, RecordSubject.expression(of: type),
      "The patient does not exist, or you do not have access to them.")
  }

  /// Returns the failure 422 for a resource that would move to another patient.
  static func mustNotChange(_ type: ResourceType) -> Failure {
    .element(
      .unprocessableContent, .businessRule, RecordSubject.expression(of: type),
      "The patient must not change. Create a new resource instead.")
  }
}
