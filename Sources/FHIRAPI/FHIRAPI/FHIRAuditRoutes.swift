// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import Hummingbird
import Identifiers
import Presentation
import Records
import Storage
import Web

/// `/fhir/AuditEvent`: who viewed a patient's data and who changed them; read-only, for the patient
/// and those who act for the patient.
enum FHIRAuditRoutes {
  static let all: [Route] = [
    .fhir(.get, "/fhir/AuditEvent", search),
    .fhir(.get, "/fhir/AuditEvent/:id", read),
  ]

  private static let type = FHIRType.auditEvent.rawValue
  private static let standardCount = 50
  private static let largestCount = 500
  private static let mostDates = 10

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    guard let place = AuditEvent.line(of: try call.parameter("id")) else {
      throw Failure.notFound
    }
    let environment = call.environment
    let (authorization, event, names) = try await environment.database.read { reader in
      guard
        let event = try AuditHistory.event(
          node: place.node, sequence: place.sequence, in: reader),
        let patient = event.entry.patient
      else { throw Failure.notFound }
      let authorization = try call.authorize(.read, type, of: patient)
      let names = try environment.accounts.displayNames(of: [event.entry.actor], in: reader)
      return (authorization, event, names)
    }
    try await environment.audit(authorization, count: 1, at: call.now)
    let resource = FHIRAuditEvent(
      event: event, name: names[event.entry.actor], baseURL: call.baseURL)
    var response = JSONResponse.make(resource.json, mediaType: FHIRMedia.type)
    response.headers[.eTag] = "W/\"1\""
    response.headers[.lastModified] = HTTPDate.text(milliseconds: event.entry.at.milliseconds)
    return response
  }

  private struct Parameters {
    var patient: PatientID?
    var stretches: [AuditQuery.Stretch] = []
    var actor: AccountID?
    var count = standardCount
    var after: AuditEvent.Place?
    /// The parameters that were applied, for the links.
    var used: [(String, String)] = []
  }

  private static func search(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let parameters = try parameters(of: call, signedIn)
    let patient = try PatientChoice.patient(named: parameters.patient?.text, signedIn)
    let decision = decideSearch(
      actor: signedIn.actor, resource: type, patient: patient, purpose: .care)
    let authorization: SearchAuthorization
    switch decision {
    case .allow(let allowed): authorization = allowed
    case .deny(let reason):
      guard reason.concealsExistence else { throw reason }
      return bundle(nil, total: 0, parameters, call, signedIn)
    }
    var query = AuditQuery(patient: patient)
    query.stretches = parameters.stretches
    query.actor = parameters.actor
    let counted = query
    query.after = parameters.after
    let (wanted, count) = (query, parameters.count)
    let environment = call.environment
    let (part, total) = try await environment.database.read { reader in
      (
        try AccessLogPart.read(wanted, limit: count, accounts: environment.accounts, in: reader),
        try AuditHistory.count(counted, in: reader)
      )
    }
    try await environment.readAudit.note(
      authorization, patients: [patient], count: max(1, part.events.count), at: call.now,
      in: environment.database)
    return bundle(part, total: total, parameters, call, signedIn)
  }

  private static func parameters(of call: Call, _ signedIn: SignedIn) throws -> Parameters {
    var result = Parameters()
    result.used = try FHIRParameters.take(of: call, naming: ["patient"]) { parameter in
      try apply(parameter, to: &result, call, signedIn)
    }
    return result
  }

  /// Takes one parameter; false for one that is not supported.
  private static func apply(
    _ parameter: SearchParameter, to result: inout Parameters, _ call: Call, _ signedIn: SignedIn
  ) throws -> Bool {
    let value = parameter.values.first ?? ""
    switch parameter.name {
    case "patient":
      guard parameter.values.count == 1, result.patient == nil else {
        throw Failure.badRequest("not-supported", "Name one patient in the search.")
      }
      result.patient = FHIRParameters.patientID(value, call)
    case "date":
      guard parameter.values.count == 1, result.stretches.count < mostDates,
        let date = DateSearchValue(value)
      else {
        throw Failure.badRequest(
          "value", "date must be a date or time, at most \(mostDates) times.")
      }
      let bounds = date.instantBounds
      result.stretches.append(
        AuditQuery.Stretch(
          atLeast: bounds.atLeast, before: bounds.before, isExcluded: bounds.isExcluded))
    case "agent":
      guard parameter.values.count == 1, result.actor == nil else {
        throw Failure.badRequest("not-supported", "Name one account in agent.")
      }
      result.actor = AccountID(value)
    case "_count":
      guard let count = Int(value), count >= 0 else {
        throw Failure.badRequest("value", "_count must be a whole number of 0 or more.")
      }
      result.count = min(count, largestCount)
    case "_format": break
    case "_cursor":
      guard let cursor = SearchCursor(credential: signedIn.credential).open(value),
        let place = AccessLogPlace.parse(cursor.id)
      else { throw Failure.badRequest("value", "This page link is not valid. Search again.") }
      result.after = place
    default: return false
    }
    return true
  }

  private static func bundle(
    _ part: AccessLogPart?, total: Int, _ parameters: Parameters, _ call: Call, _ signedIn: SignedIn
  ) -> Response {
    var bundle = SearchBundle(
      base: "\(call.baseURL)/fhir/\(type)", used: parameters.used, total: total)
    if let next = part?.next, parameters.count > 0 {
      bundle.next = RecordCursor(
        patient: parameters.patient ?? PatientID(""), id: AccessLogPlace.text(next))
    }
    for event in part?.events ?? [] {
      let resource = FHIRAuditEvent(
        event: event, name: part?.names[event.entry.actor], baseURL: call.baseURL)
      bundle.append(id: event.id, body: resource.json.bytes)
    }
    return bundle.response(signedIn)
  }
}
