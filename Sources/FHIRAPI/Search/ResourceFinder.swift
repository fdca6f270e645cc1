// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Records
import Storage
import Web

/// Finds the current resources that a caller may see, wherever they are kept.
struct ResourceFinder: Sendable {
  let caller: FHIRCaller

  /// The most people whose derived resources one search covers.
  private static let mostPeople = 10_000
  /// The most derived resources that are sorted at once.
  private static let mostSorted = 50_000

  /// Returns one page of the matches.
  func page(_ query: ResourceQuery, in reader: any SQLReader) throws -> ResourcePage {
    var query = query
    query.criteria = try ChainResolver(finder: self).resolved(
      query.criteria, of: query.type, in: reader)
    if let limit = AccessFilter(query.type, .search, caller).criterion {
      query.criteria.append(limit)
    }
    guard let authorization = try authorization(query) else { return .empty }
    if query.type.ownership == .shared {
      return try sharedPage(query, authorization, in: reader)
    }
    guard let source = ProjectedSources.source(of: query.type) else {
      return try storedPage(query, authorization, in: reader)
    }
    return try mergedPage(query, source, authorization, in: reader)
  }

  // MARK: Access

  /// Returns the permission to search; nil if the search names only patients unknown to the caller, so that it finds
  /// nothing, as for patients who do not exist.
  private func authorization(_ query: ResourceQuery) throws -> SearchAuthorization? {
    guard let named = query.named else { return try allowed(caller.search(query.type)) }
    let known = try named.compactMap { try allowed(caller.search(query.type, of: $0)) }
    // The conditions restrict a search for several patients to those that it names.
    return known.count > 1 ? try allowed(caller.search(query.type)) : known.first
  }

  private func allowed(_ decision: SearchDecision) throws -> SearchAuthorization? {
    switch decision {
    case .allow(let authorization): return authorization
    case .deny(let reason):
      if reason.concealsExistence { return nil }
      throw reason
    }
  }

  // MARK: Stored resources

  private func search(_ query: ResourceQuery, count: Int) throws -> RecordSearch {
    guard let type = query.type.resourceType else { throw Failure.notFound }
    var search = RecordSearch(
      type: type, criteria: query.criteria, sort: query.order, count: count, after: query.after,
      wantsTotal: query.wantsTotal)
    for type in ChainResolver.types(in: query.criteria) {
      search.chainAuthorizations[type] =
        FHIRType(rawValue: type.rawValue).map(caller.patients) ?? .only([])
    }
    return search
  }

  private func storedPage(
    _ query: ResourceQuery, _ authorization: SearchAuthorization, in reader: any SQLReader
  ) throws -> ResourcePage {
    let page = try caller.environment.records.search(
      search(query, count: query.count), authorization: authorization, in: reader)
    return ResourcePage(
      resources: page.records.map { FoundResource($0, query.type) }, total: page.total,
      next: page.next, authorization: authorization)
  }

  /// Returns a page without a permission, because the resources are of no patient whose access log it would be in.
  private func sharedPage(
    _ query: ResourceQuery, _ authorization: SearchAuthorization, in reader: any SQLReader
  ) throws -> ResourcePage {
    let page = try SharedRecordStore().search(
      search(query, count: query.count), authorization: authorization, in: reader)
    return ResourcePage(
      resources: page.records.map { FoundResource($0, query.type) }, total: page.total,
      next: page.next)
  }

  // MARK: Derived resources

  private struct Candidate {
    let place: ResourcePlace
    let resource: FoundResource
  }

  /// Returns a page of stored and derived resources in one order.
  private func mergedPage(
    _ query: ResourceQuery, _ source: any ProjectedSource, _ authorization: SearchAuthorization,
    in reader: any SQLReader
  ) throws -> ResourcePage {
    let order = query.order
    let needed = query.count == 0 ? 0 : query.count + 1
    var total = 0
    var candidates: [Candidate] = []
    if query.type.isStoredByPatient {
      let stored = try caller.environment.records.search(
        search(query, count: needed), authorization: authorization, in: reader)
      total += stored.total ?? 0
      candidates += zip(stored.records, stored.keys).map { record, keys in
        Candidate(
          place: ResourcePlace(keys: keys, patient: record.patient, id: record.id),
          resource: FoundResource(record, query.type))
      }
    }
    let isOwnOrder = order == query.type.defaultSort
    let after = query.after.map(ResourcePlace.init)
    for patient in try people(query, authorization, in: reader) {
      let request = ProjectedRequest(
        patient: patient, criteria: query.criteria,
        window: isOwnOrder
          ? ProjectedRequest.Window(limit: needed, after: query.after) : nil)
      let found = try source.page(request, caller, in: reader)
      total += found.total
      guard needed > 0 else { continue }
      candidates += found.resources.map { candidate($0, query.type, patient, order) }
        .filter { after?.precedes($0.place, order) ?? true }
      if candidates.count > Self.mostSorted {
        candidates = first(needed, of: candidates, order)
      }
    }
    candidates = first(needed, of: candidates, order)
    var next: RecordCursor?
    if query.count > 0, candidates.count > query.count {
      candidates.removeLast()
      next = candidates.last?.place.cursor
    }
    return ResourcePage(
      resources: candidates.map(\.resource), total: query.wantsTotal ? total : nil, next: next,
      authorization: authorization)
  }

  private func first(
    _ count: Int, of candidates: [Candidate], _ order: [SearchSort]
  ) -> [Candidate] {
    Array(candidates.sorted { $0.place.precedes($1.place, order) }.prefix(count))
  }

  /// Returns the people whose derived resources a search covers, by id.
  private func people(
    _ query: ResourceQuery, _ authorization: SearchAuthorization, in reader: any SQLReader
  ) throws -> [PatientID] {
    let named = query.named
    switch authorization.patients {
    case .only(let patients): return patients.filter { named?.contains($0) ?? true }
    case .all:
      if let named { return named }
      let people = try PeopleQueries.first(Self.mostPeople + 1, in: reader)
      guard people.count <= Self.mostPeople else {
        throw Failure.badRequest(
          "too-costly", "This search covers too many people. Name the patients.")
      }
      return people
    }
  }

  private func candidate(
    _ projected: ProjectedResource, _ type: FHIRType, _ patient: PatientID, _ order: [SearchSort]
  ) -> Candidate {
    Candidate(
      place: ResourcePlace(
        keys: keys(projected, type, patient, order), patient: patient, id: projected.id),
      resource: FoundResource(projected, type, patient: patient))
  }

  private func keys(
    _ projected: ProjectedResource, _ type: FHIRType, _ patient: PatientID, _ order: [SearchSort]
  ) -> [SearchSortKey] {
    guard order != type.defaultSort else { return projected.order }
    let record = SearchedRecord(
      id: projected.id, patient: patient.text, status: projected.status,
      lastUpdated: projected.lastUpdated.milliseconds)
    let index = projected.index()
    return order.map { index.sortKey($0, record: record) }
  }
}
