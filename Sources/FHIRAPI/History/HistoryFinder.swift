// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import People
import Records
import Storage
import Web

/// Finds the versions of resources that a caller may see.
struct HistoryFinder: Sendable {
  let caller: FHIRCaller

  /// A page of versions, the newest first, with the permissions to read them.
  struct Page: Sendable {
    var versions: [FoundResource] = []
    /// The number of versions on all pages; nil unless only that is wanted.
    var total: Int?
    /// The end of the page; nil on the last one.
    var next: RecordCursor?
    /// The permission to read one resource.
    var authorization: Authorization?
  }

  private static let mostPeople = 10_000
  /// The most versions of one resource that are compared with constraints.
  private static let mostVersions = 10_000

  var records: RecordStore { caller.environment.records }

  // MARK: One resource

  /// Returns the versions of one resource, even after its deletion.
  func versions(
    of type: FHIRType, _ id: String, _ request: HistoryRequest, in reader: any SQLReader
  ) throws -> Page {
    try ResourceReader.check(id)
    let place = try version(request.after)
    // The version before a page ends the first one of it.
    let before = request.period == nil ? place : place.map { $0 &+ 1 }
    let filter = AccessFilter(type, .read, caller)
    try filter.requirePermission()
    var page = Page()
    let count = request.count + 1
    let isCompared = filter.isLimited || request.period != nil
    let most = request.isCountOnly ? Int.max : isCompared ? Self.mostVersions : count
    if type.ownership == .shared, let kind = type.resourceType {
      page.versions = try SharedRecordStore().history(
        kind, id, count: most, before: before, authorization: caller.readShared(type),
        in: reader
      ).map { FoundResource($0, type) }
    } else if type.isStoredByPatient,
      let patient = try records.patient(of: type.rawValue, id: id, in: reader)
    {
      let authorization = try caller.authorize(.read, type.rawValue, of: patient)
      page.authorization = authorization
      page.versions = try records.history(
        type.rawValue, id, count: most, before: before, authorization: authorization,
        in: reader
      ).map { FoundResource($0, type) }
    } else {
      guard
        let known = try ProjectedSources.source(of: type)?.versions(of: id, caller, in: reader)
      else { throw Failure.notFound }
      page.authorization = try caller.authorize(.read, type.rawValue, of: known.patient)
      page.versions = known.versions.filter { $0.version < before ?? .max }
        .prefix(most).map { FoundResource($0, type, patient: known.patient) }
    }
    let current = request.period.map { $0.current(page.versions) }
    if filter.isLimited {
      // For the caller, a resource without a visible version does not exist.
      page.versions.removeAll { !filter.admits($0) }
      guard !page.versions.isEmpty || before != nil else { throw Failure.notFound }
    }
    // Versions of one resource are in the order of their times.
    page.versions.removeAll { $0.lastUpdated.milliseconds < request.since ?? .min }
    if let current {
      page.versions.removeAll { !current.contains($0.version) || $0.version >= place ?? .max }
    }
    if request.isCountOnly {
      page.total = page.versions.count
      page.versions = []
      return page
    }
    if page.versions.count >= count {
      page.versions = Array(page.versions.prefix(request.count))
      page.next = page.versions.last.map { HistoryPlace($0).cursor }
    }
    return page
  }

  private func version(_ cursor: RecordCursor?) throws -> Int64? {
    guard let cursor else { return nil }
    guard let place = HistoryPlace(cursor) else { throw Failure.notFound }
    return place.version
  }

  // MARK: Many resources

  /// Returns the versions of all resources of some types.
  func versions(
    of types: [FHIRType], _ request: HistoryRequest, in reader: any SQLReader
  ) throws -> Page {
    if types.count == 1, let type = types.first {
      try AccessFilter(type, .search, caller).requirePermission()
    }
    let filters = Dictionary(
      uniqueKeysWithValues: types.map { ($0, AccessFilter($0, .search, caller)) })
    func isAdmitted(_ resource: FoundResource) -> Bool {
      filters[resource.type]?.admits(resource) ?? false
    }
    if request.isCountOnly {
      return Page(total: try total(of: types, filters, request, in: reader))
    }
    let count = request.count + 1
    let place = request.after.flatMap(HistoryPlace.init)
    var found = try admitted(types, request, place, count: count, in: reader, where: isAdmitted)
    for type in types where type.ownership == .projection || type.ownership == .mixed {
      guard let source = ProjectedSources.source(of: type) else { continue }
      for patient in try people(type, in: reader) {
        found += try made(by: source, type, of: patient, request, in: reader)
          .filter { resource in place.map { HistoryPlace(resource) < $0 } ?? true }
          .filter(isAdmitted)
        if found.count > 20 * count { found = newest(count, of: found) }
      }
    }
    var page = Page(versions: newest(count, of: found))
    if page.versions.count == count {
      page.versions.removeLast()
      page.next = page.versions.last.map { HistoryPlace($0).cursor }
    }
    return page
  }

  /// Returns the newest stored versions that meet the constraints of the caller's scopes.
  private func admitted(
    _ types: [FHIRType], _ request: HistoryRequest, _ place: HistoryPlace?, count: Int,
    in reader: any SQLReader, where isAdmitted: (FoundResource) -> Bool
  ) throws -> [FoundResource] {
    var admitted: [FoundResource] = []
    var place = place
    while true {
      let found = try stored(types, request, place, count: count, in: reader)
      admitted += found.filter(isAdmitted)
      guard found.count == count, admitted.count < count, let last = found.last else {
        return admitted
      }
      place = HistoryPlace(last)
    }
  }

  private func newest(_ count: Int, of resources: [FoundResource]) -> [FoundResource] {
    Array(resources.sorted { HistoryPlace($0) > HistoryPlace($1) }.prefix(count))
  }

  /// Returns the newest stored versions.
  func stored(
    _ types: [FHIRType], _ request: HistoryRequest, _ place: HistoryPlace?, count: Int,
    in reader: any SQLReader
  ) throws -> [FoundResource] {
    let since = request.since.map { Timestamp(milliseconds: $0) }
    let before = place.map {
      RecordHistoryPlace(
        lastUpdated: Timestamp(milliseconds: $0.lastUpdated), type: $0.type, id: $0.id,
        version: $0.version)
    }
    let found = try records.history(
      parts(of: types), since: since, during: request.period, before: before, count: count,
      in: reader)
    return found.compactMap { record in
      FHIRType(rawValue: record.type).map { FoundResource(record, $0) }
    }
  }

  /// Returns the types with stored versions; those of the same patients are read together.
  func parts(of types: [FHIRType]) -> [RecordHistoryPart] {
    let kept = types.filter { type in
      // Shared resources have no patients by whom the others are left out.
      type.isStoredByPatient || (type.ownership == .shared && isSearchable(type))
    }
    return Dictionary(grouping: kept, by: caller.patients).map { patients, types in
      RecordHistoryPart(types: types.compactMap(\.resourceType), patients: patients)
    }
  }

  private func isSearchable(_ type: FHIRType) -> Bool {
    if case .allow = caller.search(type) { true } else { false }
  }

  /// Returns the people whose derived resources of a type the caller may search.
  func people(_ type: FHIRType, in reader: any SQLReader) throws -> [PatientID] {
    switch caller.patients(type) {
    case .only(let patients): return patients
    case .all:
      let people = try PeopleQueries.first(Self.mostPeople + 1, in: reader)
      guard people.count <= Self.mostPeople else {
        throw Failure.badRequest(
          "too-costly", "This history covers too many people. Read one type, or one patient.")
      }
      return people
    }
  }
}
