// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Observations
import Records
import Storage

/// The Observations of heart rate, steps and weight: those that were sent, and one for each other day's value.
struct VitalsSource: ProjectedSource {
  func page(
    _ request: ProjectedRequest, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> ProjectedPage {
    let plan = VitalsPlan(request)
    var query = plan.query
    guard !query.metrics.isEmpty else { return .empty }
    if let window = request.window, plan.isExact {
      let resources = try NewestFirst(window: window, patient: request.patient)
        .read { limit, before in
          var part = query
          part.limit = limit
          part.stretches.append((nil, before, false))
          return try ObservationRows.search(part, in: reader)
            .map { resource($0, of: request.patient, isParsed: false) }
        }
      return ProjectedPage(
        resources: resources, total: try ObservationRows.count(query, in: reader))
    }
    query.limit = Int(Int32.max)
    let resources = try ObservationRows.search(query, in: reader)
      .map { resource($0, of: request.patient, isParsed: true) }
      .filter { $0.matches(request.criteria, of: request.patient) }
    return ProjectedPage(resources: resources, total: resources.count)
  }

  func find(
    _ id: String, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> (patient: PatientID, resource: ProjectedResource)? {
    guard let patient = try ObservationRows.patient(of: id, in: reader) else { return nil }
    var query = ObservationQuery(patient: patient)
    query.id = id
    query.metrics = VitalMetric.allCases
    guard let found = try ObservationRows.search(query, in: reader).first else { return nil }
    return (patient, resource(found, of: patient, isParsed: true))
  }

  func versions(
    of id: String, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> (patient: PatientID, versions: [ProjectedResource])? {
    guard
      let patient = try ObservationRows.patient(of: id, in: reader)
        ?? ObservationVersions.patient(ofDeleted: id, in: reader)
    else { return nil }
    let sent = try ObservationVersions.all(id, patient: patient, in: reader)
    if !sent.isEmpty { return (patient, sent.map { version($0, of: id) }) }
    // The value of a day has only its current version.
    return try find(id, caller, in: reader).map { ($0.patient, [$0.resource]) }
  }

  func history(
    of patient: PatientID, since: Int64?, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> [ProjectedResource] {
    let request = ProjectedRequest(patient: patient, criteria: [], window: nil)
    let current = try page(request, caller, in: reader).resources
      .filter { $0.lastUpdated.milliseconds >= since ?? .min }
    let former = try ObservationVersions.former(of: patient, since: since ?? .min, in: reader)
    return current + former.map { version($0.version, of: $0.id) }
  }

  // MARK: Resources

  private func resource(
    _ found: FoundObservation, of patient: PatientID, isParsed: Bool
  ) -> ProjectedResource {
    switch found {
    case .sent(let sent):
      let body = Array(sent.body.utf8)
      let json = isParsed ? try? JSONValue(parsing: body) : nil
      return ProjectedResource(
        id: sent.id, version: sent.version, lastUpdated: sent.created,
        status: json?["status"]?.string, operation: sent.version == 1 ? .create : .update,
        order: [.integer((sent.at ?? 0) * 1_000)],
        index: { Self.index(json, body) }, body: { body })
    case .day(let value):
      let observation = FHIRObservation(value: value, patient: patient)
      return ProjectedResource(
        id: value.observation, version: value.changed.milliseconds, lastUpdated: value.changed,
        status: "final", order: [.integer(value.at * 1_000)],
        index: { observation.index }, body: { observation.json.bytes })
    }
  }

  private func version(_ version: ObservationVersion, of id: String) -> ProjectedResource {
    let body = Array((version.body ?? "").utf8)
    return ProjectedResource(
      id: id, version: version.version, lastUpdated: version.changed,
      operation: version.body == nil ? .delete : version.version == 1 ? .create : .update,
      index: { Self.index(nil, body) }, body: { body })
  }

  private static func index(_ json: JSONValue?, _ body: [UInt8]) -> SearchIndex {
    guard let json = json ?? (try? JSONValue(parsing: body)) else {
      return SearchIndex(entries: [], type: .observation)
    }
    return SearchIndex(of: json, type: .observation)
  }
}

/// The query of the tables for a search, and whether it finds exactly the matches.
struct VitalsPlan {
  private(set) var query: ObservationQuery
  /// False if the found Observations must be compared with the criteria.
  private(set) var isExact = true

  /// An Observation for a whole day covers up to this time before and after its measurement.
  private static let dayAndOffset: Int64 = 2 * 86_400_000

  init(_ request: ProjectedRequest) {
    query = ObservationQuery(patient: request.patient)
    for criterion in request.criteria { add(criterion, request.patient) }
  }

  private mutating func add(_ criterion: SearchCriterion, _ patient: PatientID) {
    switch (criterion.parameter, criterion.test) {
    case ("_id", .ids(let ids)) where ids.count == 1 && query.id == nil:
      query.id = ids[0]
    case ("patient", .reference(let references)), ("subject", .reference(let references)):
      let names = references.compactMap { reference -> Bool? in
        guard case .local(let type, let id) = reference else { return nil }
        return id == patient.text && (type == nil || type == "Patient")
      }
      if names.contains(true) { return }
      if names.count == references.count { query.metrics = [] }
      isExact = false
    case ("code", .token(let tokens)):
      let metrics = tokens.map(Self.metric)
      guard !metrics.contains(nil) else {
        isExact = false
        return
      }
      query.metrics = query.metrics.filter { metrics.contains($0) }
    case ("date", .date(let dates)) where dates.count == 1:
      isExact = false
      let bounds = dates[0].instantBounds
      guard !bounds.isExcluded else { return }
      query.stretches.append(
        (
          bounds.atLeast.map { Self.moved($0, by: -Self.dayAndOffset) },
          bounds.before.map { Self.moved($0, by: Self.dayAndOffset) }, false
        ))
    default: isExact = false
    }
  }

  private static func metric(_ token: TokenSearchValue) -> VitalMetric? {
    guard token.system == nil || token.system == FHIRObservation.loinc, let code = token.code
    else { return nil }
    return VitalMetric.of(code: code)
  }

  private static func moved(_ time: Int64, by distance: Int64) -> Int64 {
    let (sum, overflow) = time.addingReportingOverflow(distance)
    return overflow ? time : sum
  }
}
