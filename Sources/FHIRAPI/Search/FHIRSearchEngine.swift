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

/// One search of a type: reads the parameters, finds the resources, and writes the Bundle.
struct FHIRSearchEngine: Sendable {
  let type: FHIRType
  let caller: FHIRCaller
  /// The only patient whose resources are searched; nil for all that the caller may search.
  var compartment: PatientID?

  private static let standardCount = 50

  /// The results of a search.
  struct Outcome: Sendable {
    let request: SearchRequest
    let page: ResourcePage
    var included: [FoundResource] = []
    /// False if more resources belong to the page than were added to it.
    var isComplete = true
  }

  /// The address of the search, without its parameters.
  var address: String {
    let place = compartment.map { "Patient/\($0)/" } ?? ""
    return "\(caller.base)/\(place)\(type.rawValue)"
  }

  /// Answers a search by its decoded names and values.
  func response(_ pairs: [(name: String, value: String)]) async throws -> Response {
    let request = try request(pairs)
    let find: @Sendable (any SQLReader) throws -> Outcome = { reader in
      try self.outcome(request, in: reader)
    }
    let database = caller.environment.database
    let outcome =
      try await isBrief(request) ? database.readBriefly(find) : database.read(find)
    try await audit(outcome)
    return JSONResponse.make(bytes: bundle(outcome).bytes, mediaType: FHIRMedia.type)
  }

  /// Returns true for a search of one patient's stored resources, without those that belong to them.
  private func isBrief(_ request: SearchRequest) -> Bool {
    let query = ResourceQuery(type: type, criteria: request.criteria, count: 0)
    return query.named?.count == 1 && ProjectedSources.source(of: type) == nil
      && request.includes.isEmpty && request.revIncludes.isEmpty
      && ChainResolver.types(in: request.criteria).isEmpty
  }

  // MARK: Steps

  /// Reads the parameters; throws the failure 400 for one that is wrong or not supported.
  func request(_ pairs: [(name: String, value: String)]) throws -> SearchRequest {
    guard let type = type.resourceType else { throw Failure.notFound }
    let preference = caller.headers[.prefer] ?? ""
    do throws(SearchProblem) {
      return try SearchRequestParser.parse(
        pairs, type: type, base: caller.base, isLenient: preference.contains("handling=lenient"))
    } catch {
      throw error.failure
    }
  }

  /// Finds the resources of a page, and those that belong to it.
  func outcome(_ request: SearchRequest, in reader: any SQLReader) throws -> Outcome {
    if let compartment {
      // The address names the patient, who is not found if the caller may not know of them.
      _ = try ResourceReader(caller: caller).current(.patient, compartment.text, in: reader)
    }
    let isCountOnly = request.isCountOnly
    var query = ResourceQuery(
      type: type, criteria: request.criteria, sort: request.sort,
      count: isCountOnly ? 0 : request.count ?? Self.standardCount)
    query.wantsTotal = isCountOnly || request.total != .none
    query.compartment = compartment
    if let text = request.cursor, !isCountOnly {
      guard let place = cursor(query).open(text), place.keys.count == query.order.count else {
        throw Failure.element(
          .badRequest, .value, "_cursor", "This page link is not valid. Search again.")
      }
      query.after = place
    }
    let page = try ResourceFinder(caller: caller).page(query, in: reader)
    var outcome = Outcome(request: request, page: page)
    let includes = SearchIncludes(
      caller: caller, includes: request.includes, revIncludes: request.revIncludes)
    let added = try includes.resources(around: page.resources, in: reader)
    outcome.included = added.resources
    outcome.isComplete = added.isComplete
    return outcome
  }

  /// Records the read of each type for each patient; shared resources belong to no one.
  func audit(_ outcome: Outcome) async throws {
    let environment = caller.environment
    if let authorization = outcome.page.authorization {
      let patients = Set(outcome.page.resources.compactMap(\.patient))
      try await environment.readAudit.note(
        authorization, patients: patients, count: outcome.page.resources.count, at: caller.now,
        in: environment.database)
    }
    for (type, resources) in Dictionary(grouping: outcome.included, by: \.type) {
      let patients = Set(resources.compactMap(\.patient))
      guard !patients.isEmpty else { continue }
      guard case .allow(let authorization) = caller.search(type) else {
        // An app may read what is included, although it may not search it.
        for patient in patients.sorted() {
          try await environment.audit(
            try caller.authorize(.read, type.rawValue, of: patient),
            count: resources.count(where: { $0.patient == patient }), at: caller.now)
        }
        continue
      }
      try await environment.readAudit.note(
        authorization, patients: patients, count: resources.count, at: caller.now,
        in: environment.database)
    }
  }

  /// Writes the Bundle; stored bodies are copied unless only a part of them is wanted.
  func bundle(_ outcome: Outcome) -> SearchBundle {
    let request = outcome.request
    var query = ResourceQuery(type: type, sort: request.sort, count: 0)
    query.compartment = compartment
    var bundle = SearchBundle(
      base: caller.base, address: address, used: request.used,
      total: request.total == .none && !request.isCountOnly ? nil : outcome.page.total,
      next: outcome.page.next.map { cursor(query).seal($0) })
    let subset = ResourceSubset(summary: request.summary, elements: request.elements)
    for resource in outcome.page.resources {
      bundle.append(resource, subset, mode: .match)
    }
    for resource in outcome.included {
      bundle.append(resource, subset, mode: .include)
    }
    let remarks = remarks(outcome)
    if !remarks.isEmpty { bundle.append(remarks) }
    return bundle
  }

  private func remarks(_ outcome: Outcome) -> [FHIRIssue] {
    var remarks = outcome.request.ignored.map { name in
      FHIRIssue(
        severity: .warning, code: .notSupported, expression: name,
        diagnostics: "This parameter is not supported and was ignored.")
    }
    if !outcome.isComplete {
      remarks.append(
        FHIRIssue(
          severity: .warning, code: .incomplete,
          diagnostics: """
            More than \(SearchIncludes.mostResources) resources belong to this page. The rest was \
            left out.
            """))
    }
    return remarks
  }

  /// Returns the seal of page links, which are valid only for this address and order.
  private func cursor(_ query: ResourceQuery) -> SearchCursor {
    let order = query.order.map { "\($0.isDescending ? "-" : "")\($0.parameter)" }
    return SearchCursor(
      credential: caller.signedIn.credential,
      context: "\(address)|\(order.joined(separator: ","))")
  }
}

extension SearchProblem {
  /// The failure 400 that names the parameter.
  var failure: Failure {
    Failure(
      .badRequest, code: code.rawValue, detail: diagnostics,
      issues: [
        FHIRIssue(
          severity: .error, code: code, expression: expression, diagnostics: diagnostics)
      ])
  }
}

extension SearchRequest {
  /// True if only the number of matches is wanted.
  fileprivate var isCountOnly: Bool { summary == .count || count == 0 }
}
