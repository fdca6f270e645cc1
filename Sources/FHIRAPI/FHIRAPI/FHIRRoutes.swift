// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Localization
import Records
import Storage
import Web

/// `/fhir`: the FHIR R4 API, as described by `/fhir/metadata`.
package enum FHIRRoutes {
  /// All routes below `/fhir`; only the metadata can be read without signing in.
  package static let all: [Route] =
    [.open(.get, "/fhir/metadata", as: .fhir, metadata)]
    + FHIRType.stored.flatMap { type -> [Route] in
      [
        .fhir(.get, "/fhir/\(type.rawValue)") { call, signedIn in
          try await FHIRSearch(type: type, call: call, signedIn: signedIn).response()
        },
        .fhir(.get, "/fhir/\(type.rawValue)/:id") { call, _ in
          try await read(type, call)
        },
        .fhir(.get, "/fhir/\(type.rawValue)/:id/_history/:version") { call, _ in
          // A version that is not a number does not exist.
          guard let version = Int64(try call.parameter("version")) else { throw Failure.notFound }
          return try await read(type, call, version: version)
        },
      ]
    } + FHIRWrite.routes + FHIRAdministrationWrite.routes + FHIRDispenseWrite.routes
    + FHIRAuditRoutes.all
    + GrantMirrorRoutes.all
    + FHIRObservationRoutes.all
    + FHIRCommunicationRoutes.all

  private static func metadata(_ call: Call) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    return JSONResponse.make(
      CapabilityStatement.json(baseURL: call.baseURL), mediaType: FHIRMedia.type)
  }

  /// Reads the current resource, or one version of it.
  private static func read(
    _ type: FHIRType, _ call: Call, version: Int64? = nil
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else { throw Failure.notFound }
    let environment = call.environment
    let found = try await environment.database.read { reader in
      guard let patient = try environment.records.patient(of: type.rawValue, id: id, in: reader)
      else { throw Failure.notFound }
      let authorization = try call.authorize(.read, type.rawValue, of: patient)
      let records = environment.records
      let record =
        if let version {
          try records.read(
            type.rawValue, id, version: version, authorization: authorization, in: reader)
        } else {
          try records.read(type.rawValue, id, authorization: authorization, in: reader)
        }
      return (authorization, record)
    }
    try await environment.audit(found.0, count: 1, at: call.now)
    let answer = FHIRAnswer(record: found.1, baseURL: call.baseURL)
    if FHIRMedia.names(found.1.version, in: call.request.headers[.ifNoneMatch]) {
      var headers = HTTPFields()
      headers[.eTag] = answer.etag
      headers[.lastModified] = answer.lastModified
      headers[.cacheControl] = "no-store"
      return Response(status: .notModified, headers: headers)
    }
    var written = answer.written(status: 200)
    // A version that is requested by its number is returned unchanged.
    if type == .medicationRequest, version == nil,
      let language = SentenceLanguage.negotiate(
        acceptLanguage: call.request.headers[.acceptLanguage]),
      let body = GeneratedDosageText.added(to: found.1.body, in: language)
    {
      written.body = body
    }
    return written.response
  }
}

/// The resource types that are served.
enum FHIRType: String, Sendable, CaseIterable {
  case patient = "Patient"
  case medicationRequest = "MedicationRequest"
  case medicationAdministration = "MedicationAdministration"
  /// A pharmacy's dispense, offered as a pack for the supply.
  case medicationDispense = "MedicationDispense"
  /// Heart rate, steps and weight: as they were sent, and calculated from each day's values.
  case observation = "Observation"
  case allergyIntolerance = "AllergyIntolerance"
  /// Created from the messages of conversations, or stored as sent.
  case communication = "Communication"
  /// Created from the audit trail on request.
  case auditEvent = "AuditEvent"
  /// Created from the grants on request.
  case consent = "Consent"
  case careTeam = "CareTeam"
  case relatedPerson = "RelatedPerson"

  /// The types that are stored as resources, with their versions.
  static let stored = allCases.filter {
    ![.auditEvent, .observation, .communication].contains($0) && !mirrored.contains($0)
  }
  static let mirrored: [FHIRType] = [.consent, .careTeam, .relatedPerson]

  /// The search parameters besides those of every type.
  var ownParameters: [(name: String, kind: String)] {
    switch self {
    case .patient: []
    case .medicationRequest, .medicationAdministration, .medicationDispense:
      [("patient", "reference"), ("subject", "reference"), ("status", "token")]
    case .allergyIntolerance: [("patient", "reference")]
    case .consent, .careTeam, .relatedPerson: [("_id", "token"), ("patient", "reference")]
    case .auditEvent: [("patient", "reference"), ("date", "date"), ("agent", "reference")]
    case .communication:
      [
        ("_id", "token"), ("patient", "reference"), ("subject", "reference"), ("sent", "date"),
        ("status", "token"),
      ]
    case .observation:
      [("patient", "reference"), ("subject", "reference"), ("code", "token"), ("date", "date")]
    }
  }

  /// The code system of `status`.
  var statusSystem: String? {
    switch self {
    case .patient, .auditEvent, .allergyIntolerance, .observation: nil
    case .communication: "http://hl7.org/fhir/event-status"
    case .consent, .careTeam, .relatedPerson: nil
    case .medicationRequest: "http://hl7.org/fhir/CodeSystem/medicationrequest-status"
    case .medicationDispense:
      "http://terminology.hl7.org/CodeSystem/medicationdispense-status"
    case .medicationAdministration: "http://terminology.hl7.org/CodeSystem/medication-admin-status"
    }
  }
}
