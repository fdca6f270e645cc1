// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HealthData
import HTTPTypes
import Hummingbird
import Identifiers
import Observations
import Records
import Storage
import Web

/// `/fhir/Observation`: heart rate, steps and weight.
enum FHIRObservationRoutes {
  static let all: [Route] =
    [
      .fhir(.get, "/fhir/Observation", search),
      .fhir(.get, "/fhir/Observation/:id", read),
    ] + FHIRObservationWrite.all

  private static let type = FHIRType.observation.rawValue
  private static let largestCount = 500
  private static let mostDates = 10
  private static let loinc = "http://loinc.org"

  // MARK: Reading

  private static func read(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let id = try call.parameter("id")
    guard FHIRIdentifierText.isValidResourceID(id) else { throw Failure.notFound }
    let (authorization, found) = try await call.environment.database.read { reader in
      guard let patient = try ObservationRows.patient(of: id, in: reader) else {
        guard let former = try ObservationVersions.patient(ofDeleted: id, in: reader) else {
          throw Failure.notFound
        }
        _ = try call.authorize(.read, type, of: former)
        throw RecordsError.gone
      }
      let authorization = try call.authorize(.read, type, of: patient)
      var query = ObservationQuery(patient: patient)
      query.id = id
      query.metrics = VitalMetric.allCases
      guard let found = try ObservationRows.search(query, in: reader).first else {
        throw Failure.notFound
      }
      return (authorization, found)
    }
    try await call.environment.audit(authorization, count: 1, at: call.now)
    let version = version(found)
    if FHIRMedia.names(version, in: call.request.headers[.ifNoneMatch]) {
      return Response(status: .notModified, headers: [.eTag: "W/\"\(version)\""])
    }
    return WrittenAnswer(
      status: 200, mediaType: FHIRMedia.type, etag: "W/\"\(version)\"",
      lastModified: HTTPDate.text(milliseconds: changed(found).milliseconds),
      body: body(found, patient: authorization.patient)
    ).response
  }

  private static func changed(_ found: FoundObservation) -> Timestamp {
    switch found {
    case .sent(let sent): sent.created
    case .day(let value): value.changed
    }
  }

  /// A day's value gets a new version whenever it changes.
  private static func version(_ found: FoundObservation) -> Int64 {
    switch found {
    case .sent(let sent): sent.version
    case .day(let value): value.changed.milliseconds
    }
  }

  private static func id(_ found: FoundObservation) -> String {
    switch found {
    case .sent(let sent): sent.id
    case .day(let value): value.observation
    }
  }

  private static func body(_ found: FoundObservation, patient: PatientID) -> [UInt8] {
    switch found {
    case .sent(let sent): Array(sent.body.utf8)
    case .day(let value): FHIRObservation(value: value, patient: patient).json.bytes
    }
  }

  private struct Parameters {
    var patient: PatientID?
    var query = ObservationQuery(patient: PatientID(""))
    /// The parameters that were applied, for the links.
    var used: [(String, String)] = []
  }

  private static func search(_ call: Call, _ signedIn: SignedIn) async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let parameters = try parameters(of: call, signedIn)
    let patient = try PatientChoice.patient(named: parameters.patient?.text, signedIn)
    let authorization: SearchAuthorization
    switch decideSearch(
      actor: signedIn.actor, resource: type, patient: patient, purpose: .care)
    {
    case .allow(let allowed): authorization = allowed
    case .deny(let reason):
      guard reason.concealsExistence else { throw reason }
      return bundle([], total: 0, patient: patient, parameters, call, signedIn)
    }
    var query = ObservationQuery(patient: patient)
    query.metrics = parameters.query.metrics
    query.stretches = parameters.query.stretches
    query.id = parameters.query.id
    query.limit = parameters.query.limit
    query.offset = parameters.query.offset
    let wanted = query
    let (found, total) = try await call.environment.database.read { reader in
      (
        try ObservationRows.search(wanted, in: reader),
        try ObservationRows.count(wanted, in: reader)
      )
    }
    try await call.environment.readAudit.note(
      authorization, patients: [patient], count: max(1, found.count), at: call.now,
      in: call.environment.database)
    return bundle(found, total: total, patient: patient, parameters, call, signedIn)
  }

  private static func parameters(of call: Call, _ signedIn: SignedIn) throws -> Parameters {
    var result = Parameters()
    result.used = try FHIRParameters.take(of: call, naming: ["patient", "subject"]) { parameter in
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
    case "patient", "subject":
      guard parameter.values.count == 1, result.patient == nil else {
        throw Failure.badRequest("not-supported", "Name one patient in the search.")
      }
      result.patient = FHIRParameters.patientID(value, call)
    case "code":
      let asked = parameter.tokens.filter { [nil, loinc].contains($0.system) }
        .compactMap { $0.code.flatMap { VitalMetric.of(code: $0) } }
      result.query.metrics = result.query.metrics.filter(asked.contains)
    case "category":
      let isVital = parameter.tokens.contains { $0.code == "vital-signs" }
      if !isVital { result.query.metrics = [] }
    case "status":
      if !parameter.tokens.contains(where: { $0.code == "final" }) { result.query.metrics = [] }
    case "_id": result.query.id = value
    case "date":
      guard parameter.values.count == 1, result.query.stretches.count < mostDates,
        let date = DateSearchValue(value)
      else {
        throw Failure.badRequest(
          "value", "date must be a date or time, at most \(mostDates) times.")
      }
      result.query.stretches.append(date.instantBounds)
    case "_count":
      guard let count = Int(value), count >= 0 else {
        throw Failure.badRequest("value", "_count must be a whole number of 0 or more.")
      }
      result.query.limit = min(count, largestCount)
    // The latest always come first.
    case "_sort" where value == "-date": break
    case "_format": break
    case "_cursor":
      guard let cursor = SearchCursor(credential: signedIn.credential).open(value),
        let offset = Int(cursor.id), offset >= 0
      else { throw Failure.badRequest("value", "This page link is not valid. Search again.") }
      result.query.offset = offset
    default: return false
    }
    return true
  }

  private static func bundle(
    _ found: [FoundObservation], total: Int, patient: PatientID, _ parameters: Parameters,
    _ call: Call, _ signedIn: SignedIn
  ) -> Response {
    var bundle = SearchBundle(
      base: "\(call.baseURL)/fhir/\(type)", used: parameters.used, total: total)
    let end = parameters.query.offset + found.count
    if end < total, !found.isEmpty { bundle.next = RecordCursor(patient: patient, id: String(end)) }
    for entry in found { bundle.append(id: id(entry), body: body(entry, patient: patient)) }
    return bundle.response(signedIn)
  }
}
