// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Records
import Storage
import Web

/// `/fhir/Consent`, `/fhir/CareTeam` and `/fhir/RelatedPerson`: who may do what with a patient's
/// data, for the patient and those who act for the patient; read-only.
enum GrantMirrorRoutes {
  static let all: [Route] = FHIRType.mirrored.flatMap { type -> [Route] in
    [
      .fhir(.get, "/fhir/\(type.rawValue)") { call, signedIn in
        try await search(type, call, signedIn)
      },
      .fhir(.get, "/fhir/\(type.rawValue)/:id") { call, _ in try await read(type, call) },
    ]
  }

  private static func read(_ type: FHIRType, _ call: Call) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    guard let patient = GrantMirror.patient(of: id, type) else { throw Failure.notFound }
    let authorization = try call.authorize(.read, type.rawValue, of: patient)
    let found = try await mirror(patient, call).resources(type).first { $0.id == id }
    guard let found else { throw Failure.notFound }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    return JSONResponse.make(found.resource, mediaType: FHIRMedia.type)
  }

  private static func search(
    _ type: FHIRType, _ call: Call, _ signedIn: SignedIn
  ) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    var named: PatientID?
    var ids: [String]?
    var used: [(String, String)] = []
    let raw = SearchQueryParser.pairs(query: call.request.uri.query ?? "")
    for (parameter, pair) in zip(call.query, raw) {
      switch (parameter.name, parameter.modifier) {
      case ("patient", nil), ("patient", "Patient"):
        guard parameter.values.count == 1, named == nil, let value = parameter.values.first else {
          throw Failure.badRequest("not-supported", "Name one patient in the search.")
        }
        named = FHIRParameters.patientID(value, call)
        used.append(pair)
      case ("_id", nil):
        ids = ids.map { $0.filter(parameter.values.contains) } ?? parameter.values
        used.append(pair)
      case ("_format", _): break
      case (_, let modifier?):
        throw Failure.badRequest(
          "not-supported", "The modifier :\(modifier) is not supported. Leave it out.")
      default:
        if call.request.headers[.prefer]?.contains("handling=strict") ?? false {
          throw Failure.badRequest(
            "not-supported", "The parameter \(parameter.name) is not supported. Leave it out.")
        }
      }
    }
    var found: [(id: String, resource: JSONValue)] = []
    for patient in try await patients(type, named, call, signedIn) {
      found += try await mirror(PatientID(patient), call).resources(type)
    }
    if let ids { found.removeAll { !ids.contains($0.id) } }
    var bundle = SearchBundle(
      base: "\(call.baseURL)/fhir/\(type.rawValue)", used: used, total: found.count)
    for one in found { bundle.append(id: one.id, body: one.resource.bytes) }
    return bundle.response(signedIn)
  }

  /// Returns the patients that the search covers, and audits each read.
  private static func patients(
    _ type: FHIRType, _ named: PatientID?, _ call: Call, _ signedIn: SignedIn
  ) async throws -> [String] {
    let decision = decideSearch(
      actor: signedIn.actor, resource: type.rawValue, patient: named, purpose: .care)
    switch decision {
    case .deny(let reason):
      // A patient outside the account's reach appears not to exist.
      guard reason.concealsExistence else { throw reason }
      return []
    case .allow(let authorization):
      guard case .only(let patients) = authorization.patients else {
        throw Failure.badRequest("required", "Name the patient in the search.")
      }
      guard !patients.isEmpty else { return [] }
      try await call.environment.readAudit.note(
        authorization, patients: Set(patients), count: patients.count, at: call.now,
        in: call.environment.database)
      return patients.map(\.text)
    }
  }

  private static func mirror(_ patient: PatientID, _ call: Call) async throws -> GrantMirror {
    let (accounts, now) = (call.environment.accounts, call.now)
    let grants = try await call.environment.database.read { reader in
      try accounts.grants(of: patient, at: now, in: reader)
    }
    return GrantMirror(patient: patient, grants: grants)
  }
}
