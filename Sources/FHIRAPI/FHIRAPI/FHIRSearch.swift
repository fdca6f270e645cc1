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

/// One search: reads the parameters, queries the store, writes the Bundle.
struct FHIRSearch: Sendable {
  let type: FHIRType
  let call: Call
  let signedIn: SignedIn

  private static let standardCount = 50
  private static let largestCount = 500
  private static let mostDates = 10

  func response() async throws -> Response {
    try FHIRMedia.checkAccept(call)
    let request = try parameters()
    let authorization = try authorize(patient: request.patient)
    guard let authorization else { return bundle(.empty, request) }
    let environment = call.environment
    let page = try await environment.database.read { reader in
      try environment.records.search(request.search, authorization: authorization, in: reader)
    }
    try await environment.readAudit.note(
      authorization, patients: Set(page.records.map(\.patient)), count: page.records.count,
      at: call.now, in: environment.database)
    return bundle(page, request)
  }

  /// Returns the authorization; nil for a patient unknown to this account: the search then finds
  /// nothing, as for a patient who does not exist.
  private func authorize(patient: PatientID?) throws -> SearchAuthorization? {
    let decision = decideSearch(
      actor: signedIn.actor, resource: type.rawValue, patient: patient,
      purpose: patient.map(signedIn.actor.purpose) ?? .care)
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason):
      if reason.concealsExistence { return nil }
      throw reason
    }
  }

  private struct Parameters {
    var search: RecordSearch
    var ids: [String]?
    var dates = 0
    var patient: PatientID?
    /// The parameters that were applied, for the links.
    var used: [(String, String)]
    var isCountOnly = false
  }

  private func parameters() throws -> Parameters {
    var result = Parameters(
      search: RecordSearch(type: type.rawValue, count: Self.standardCount), used: [])
    let raw = SearchQueryParser.pairs(query: call.request.uri.query ?? "")
    for (parameter, pair) in zip(call.query, raw) {
      if let modifier = parameter.modifier, !isPatientType(modifier, of: parameter) {
        throw Failure.badRequest(
          "not-supported", "The modifier :\(modifier) is not supported. Leave it out.")
      }
      if try apply(parameter, to: &result) {
        result.used.append(pair)
      } else if call.request.headers[.prefer]?.contains("handling=strict") ?? false {
        throw Failure.badRequest(
          "not-supported", "The parameter \(parameter.name) is not supported. Leave it out.")
      }
    }
    if let ids = result.ids {
      result.search.criteria.append(SearchCriterion(parameter: "_id", test: .ids(ids)))
    }
    return result
  }

  /// Returns true for the only possible type, as in `subject:Patient=1`.
  private func isPatientType(_ modifier: String, of parameter: SearchParameter) -> Bool {
    modifier == "Patient" && type != .patient && ["patient", "subject"].contains(parameter.name)
  }

  /// Takes one parameter; false for one that is not supported.
  private func apply(_ parameter: SearchParameter, to result: inout Parameters) throws -> Bool {
    switch parameter.name {
    case "_id":
      result.ids = intersection(result.ids, parameter.values)
    case "patient" where type != .patient, "subject" where type != .patient:
      let named = parameter.values.map { FHIRParameters.patientID($0, call) }
      guard named.count == 1, let only = named.first else {
        throw Failure.badRequest("not-supported", "Name one patient in \(parameter.name).")
      }
      if let earlier = result.patient, earlier != only {
        // Two patients at once: nothing can match.
        result.ids = []
      }
      result.patient = only
    case "status" where type.statusSystem != nil:
      result.search.statuses = intersection(
        result.search.statuses,
        parameter.tokens.filter { [nil, type.statusSystem].contains($0.system) }
          .compactMap(\.code))
    case "_lastUpdated":
      // Each adds one condition to a query of bounded size.
      guard parameter.values.count == 1, result.dates < Self.mostDates,
        let date = parameter.values.first.flatMap({ DateSearchValue($0) })
      else {
        throw Failure.badRequest(
          "value", "_lastUpdated must be a date or time, at most \(Self.mostDates) times.")
      }
      result.dates += 1
      result.search.criteria.append(
        SearchCriterion(parameter: "_lastUpdated", test: .lastUpdated([date])))
    case "_count":
      guard let count = parameter.values.first.flatMap({ Int($0) }), count >= 0 else {
        throw Failure.badRequest("value", "_count must be a whole number of 0 or more.")
      }
      result.isCountOnly = count == 0
      result.search.count = min(count, Self.largestCount)
    // Already checked, before the rest of the search.
    case "_format": break
    case "_cursor":
      guard let text = parameter.values.first,
        let cursor = SearchCursor(credential: signedIn.credential).open(text)
      else { throw Failure.badRequest("value", "This page link is not valid. Search again.") }
      result.search.after = cursor
    default: return false
    }
    return true
  }

  private func intersection(_ earlier: [String]?, _ values: [String]) -> [String] {
    guard let earlier else { return values }
    return earlier.filter(values.contains)
  }

  /// Writes the Bundle around the stored bodies without parsing them.
  private func bundle(_ page: RecordPage, _ request: Parameters) -> Response {
    var bundle = SearchBundle(
      base: "\(call.baseURL)/fhir/\(type.rawValue)", used: request.used, total: page.total ?? 0,
      next: request.isCountOnly ? nil : page.next)
    bundle.reserve(bytes: page.records.reduce(0) { $0 + $1.body.utf8.count + 200 })
    for record in page.records { bundle.append(id: record.id, body: record.body.utf8) }
    return bundle.response(signedIn)
  }
}

extension RecordPage {
  static var empty: RecordPage { RecordPage(records: [], total: 0, next: nil) }
}
