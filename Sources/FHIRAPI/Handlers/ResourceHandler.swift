// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import HTTPTypes
import Identifiers
import Records
import Storage
import Web

/// Writes the resources of one type, each within the caller's transaction.
///
/// A handler decides access itself, and reveals nothing of a resource before that. If it throws, the
/// caller must roll the transaction back.
protocol ResourceHandler: Sendable {
  /// The type of the resources.
  var type: ResourceType { get }
  /// True if a resource can be created under an id that the caller chooses.
  var takesID: Bool { get }

  /// Returns the current version of a resource.
  ///
  /// - Parameter action: The access that is decided: to read the resource, or to change it.
  /// - Throws: ``RecordsError/gone`` for a deleted resource, and "not found" for one that the actor
  ///   may not know of.
  func current(
    _ id: String, for action: Action, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws -> CurrentResource

  /// Stores a new resource.
  ///
  /// - Parameter id: The logical id; nil for a new one of the server.
  func create(
    _ resource: JSONValue, id: String?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> WrittenResource

  /// Stores a new version of a resource; if there is none of that id, creates it, as far as the type
  /// allows.
  ///
  /// - Parameter ifVersion: The version that the client saw; nil to skip the check.
  func update(
    _ resource: JSONValue, id: String, ifVersion: Int64?, _ write: FHIRWriteContext,
    in writer: any SQLWriter
  ) throws -> WrittenResource

  /// Deletes a resource.
  ///
  /// - Parameter ifVersion: The version that the client saw; nil to skip the check.
  /// - Returns: The version of the deletion; nil if the resource was deleted before.
  func delete(
    _ id: String, ifVersion: Int64?, _ write: FHIRWriteContext, in writer: any SQLWriter
  ) throws -> Int64?
}

/// A resource as it was written.
struct WrittenResource: Sendable {
  let type: ResourceType
  let id: String
  let version: Int64
  let lastUpdated: Timestamp
  /// The resource as JSON.
  var body: [UInt8]
  /// True if it did not exist before.
  let created: Bool
  /// The patient to whom it belongs; nil for a shared resource.
  var patient: PatientID?
  /// The problems that do not prevent the write.
  var warnings: [FHIRIssue] = []
  /// Further problems, already as entries of an OperationOutcome.
  var findings: [JSONValue] = []

  init(
    type: ResourceType, id: String, version: Int64, lastUpdated: Timestamp, body: [UInt8],
    created: Bool, patient: PatientID?
  ) {
    self.type = type
    self.id = id
    self.version = version
    self.lastUpdated = lastUpdated
    self.body = body
    self.created = created
    self.patient = patient
  }

  /// Creates the result of writing a record.
  init(_ record: StoredRecord, type: ResourceType, created: Bool) {
    self.init(
      type: type, id: record.id, version: record.version, lastUpdated: record.lastUpdated,
      body: Array(record.body.utf8), created: created,
      patient: record.patient.text.isEmpty ? nil : record.patient)
  }
}

/// The current version of a resource.
struct CurrentResource: Sendable {
  let version: Int64
  let lastUpdated: Timestamp
  /// The resource as JSON.
  let body: [UInt8]
  /// The patient to whom it belongs; nil for a shared resource.
  let patient: PatientID?

  init(version: Int64, lastUpdated: Timestamp, body: [UInt8], patient: PatientID?) {
    self.version = version
    self.lastUpdated = lastUpdated
    self.body = body
    self.patient = patient
  }

  init(_ record: StoredRecord) {
    self.init(
      version: record.version, lastUpdated: record.lastUpdated, body: Array(record.body.utf8),
      patient: record.patient.text.isEmpty ? nil : record.patient)
  }
}

/// The handlers of all types that can be written.
enum ResourceHandlers {
  /// The types that can be created.
  static let types: [ResourceType] = ResourceType.allCases.filter { handler(of: $0) != nil }

  /// Returns the handler of a type; nil for a type that is read-only or not served.
  static func handler(of type: ResourceType) -> (any ResourceHandler)? {
    switch type {
    case .patient: PatientHandler()
    case .medicationRequest: PlanHandler()
    case .medicationAdministration: AdministrationHandler()
    case .medicationDispense: DispenseHandler()
    case .observation: ObservationHandler()
    case .communication: CommunicationHandler()
    case .allergyIntolerance, .condition, .medicationStatement, .questionnaireResponse,
      .provenance, .device, .deviceMetric, .binary, .composition, .bundle:
      GenericHandler(type: type)
    case .practitioner, .practitionerRole, .organization, .medication, .questionnaire, .group:
      SharedHandler(type: type)
    case .relatedPerson, .careTeam, .consent, .auditEvent, .subscription, .operationOutcome,
      .parameters:
      nil
    }
  }
}

extension Failure {
  /// Returns a failure about one element of a resource.
  static func element(
    _ status: HTTPResponse.Status, _ code: FHIRIssueCode, _ expression: String,
    _ diagnostics: String
  ) -> Failure {
    Failure(
      status, code: code.rawValue, detail: diagnostics,
      issues: [FHIRIssue(code: code, expression: expression, diagnostics: diagnostics)])
  }

  /// Returns the failure 405 of a type that cannot be changed in this way.
  ///
  /// - Parameter allowed: The methods that the address accepts.
  static func notSupported(_ detail: String, allowed: String) -> Failure {
    Failure(
      .methodNotAllowed, code: FHIRIssueCode.notSupported.rawValue, detail: detail,
      headers: [.allow: allowed])
  }
}

extension ResourceHandler {
  /// Throws the failure 412 if a resource no longer has the version that the client saw.
  func requireVersion(
    _ version: Int64?, of id: String, _ write: FHIRWriteContext, in reader: any SQLReader
  ) throws {
    guard let version else { return }
    let current = try current(id, for: .update, write, in: reader).version
    guard current == version else { throw RecordsError.versionConflict(current: current) }
  }

  /// Throws the failure 422 with every rule of R4 that a resource breaks.
  func validate(_ resource: JSONValue) throws {
    let issues = ResourceValidator.issues(in: resource, expecting: type)
    if issues.contains(where: { $0.severity == .error || $0.severity == .fatal }) {
      throw RecordsError.invalid(issues)
    }
  }

  /// Returns a resource without its id, which the server chooses.
  func withoutID(_ resource: JSONValue) -> JSONValue {
    var resource = resource
    resource["id"] = nil
    return resource
  }

  /// Returns a resource with the id under which it is stored; without one, unchanged.
  func named(_ resource: JSONValue, _ id: String?) -> JSONValue {
    guard let id, resource["id"] != nil else { return withoutID(resource) }
    var resource = resource
    resource["id"] = .string(id)
    return resource
  }
}
