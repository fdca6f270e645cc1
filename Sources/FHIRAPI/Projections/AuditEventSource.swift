// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Presentation
import Records
import Storage
import Web

/// The lines of the audit trail about a patient: who viewed the data and who changed them.
struct AuditEventSource: ProjectedSource {
  /// The number of lines that are compared with conditions at once.
  private static let piece = 500

  func page(
    _ request: ProjectedRequest, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> ProjectedPage {
    guard let plan = AuditPlan(request) else { return .empty }
    var query = plan.query
    if plan.isExact, let window = request.window {
      let total = try AuditHistory.count(query, in: reader)
      query.after = Self.place(window.after?.keys)
      return ProjectedPage(
        resources: try lines(query, limit: window.limit, caller, in: reader), total: total)
    }
    var page = ProjectedPage.empty
    while true {
      let lines = try lines(query, limit: Self.piece, caller, in: reader)
      let matches = lines.filter { plan.matches($0, request) }
      page.total += matches.count
      page.resources += Self.needed(matches, request, after: page.resources.count)
      guard lines.count == Self.piece, let last = lines.last else { return page }
      query.after = Self.place(last.order)
    }
  }

  func find(
    _ id: String, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> (patient: PatientID, resource: ProjectedResource)? {
    guard let place = AuditEvent.line(of: id),
      let event = try AuditHistory.event(
        node: place.node, sequence: place.sequence, in: reader),
      let patient = event.entry.patient
    else { return nil }
    let names = try Names(of: [event], caller, in: reader)
    return (patient, resource(event, names, caller))
  }

  /// Returns the matches that a page needs, so that a long trail is not kept in memory.
  private static func needed(
    _ matches: [ProjectedResource], _ request: ProjectedRequest, after count: Int
  ) -> ArraySlice<ProjectedResource> {
    guard let window = request.window else { return matches[...] }
    guard let end = place(window.after?.keys) else { return matches.prefix(window.limit - count) }
    return matches.filter { resource in
      guard let place = Self.place(resource.order) else { return false }
      return (place.at, place.sequence) < (end.at, end.sequence)
    }.prefix(window.limit - count)
  }

  private static func place(_ keys: [SearchSortKey]?) -> AuditEvent.Place? {
    guard let keys, keys.count == 2, case .integer(let at) = keys[0],
      case .integer(let sequence) = keys[1]
    else { return nil }
    return AuditEvent.Place(at: Timestamp(milliseconds: at), sequence: sequence)
  }

  private func lines(
    _ query: AuditQuery, limit: Int, _ caller: FHIRCaller, in reader: any SQLReader
  ) throws -> [ProjectedResource] {
    let events = try AuditHistory.events(query, limit: limit, in: reader)
    let names = try Names(of: events, caller, in: reader)
    return events.map { resource($0, names, caller) }
  }

  /// The names of the people and apps in some lines.
  private struct Names {
    let accounts: [AccountID: String]
    let apps: [AppID: String]

    init(of events: [AuditEvent], _ caller: FHIRCaller, in reader: any SQLReader) throws {
      let store = caller.environment.accounts
      accounts = try store.displayNames(of: Set(events.map(\.entry.actor)), in: reader)
      apps = try store.appNames(of: Set(events.compactMap(\.entry.app)), in: reader)
    }
  }

  private func resource(
    _ event: AuditEvent, _ names: Names, _ caller: FHIRCaller
  ) -> ProjectedResource {
    let line = FHIRAuditEvent(
      event: event, name: names.accounts[event.entry.actor],
      app: event.entry.app.flatMap { names.apps[$0] }, baseURL: caller.baseURL)
    return ProjectedResource(
      id: event.id, version: 1, lastUpdated: event.entry.at,
      order: [.integer(event.entry.at.milliseconds), .integer(event.sequence)],
      index: {
        let index = SearchIndex(of: line.json, type: .auditEvent)
        let actor = SearchIndexValue.reference(type: "", id: event.entry.actor.text)
        return SearchIndex(
          entries: index.entries + [SearchIndexEntry(parameter: AuditPlan.actor, value: actor)],
          type: .auditEvent)
      }, body: { line.json.bytes })
  }
}

/// The query of the trail for a search, and the conditions that are left to compare.
private struct AuditPlan {
  /// The name under which a line's account is among its index entries.
  static let actor = "agent:account"

  private(set) var query: AuditQuery
  private var rest: [SearchCriterion] = []
  /// The accounts of each condition that names several of them.
  private var actors: [Set<String>] = []

  /// Returns nil if nothing can match.
  init?(_ request: ProjectedRequest) {
    query = AuditQuery(patient: request.patient)
    for criterion in request.criteria {
      switch (criterion.parameter, criterion.test) {
      case ("date", .date(let dates)) where dates.count == 1:
        let bounds = dates[0].instantBounds
        query.stretches.append(
          AuditQuery.Stretch(
            atLeast: bounds.atLeast, before: bounds.before, isExcluded: bounds.isExcluded))
      case ("agent", .reference(let references)):
        let ids = Set(references.compactMap(Self.account))
        if ids.count == 1, query.actor == nil, let only = ids.first {
          query.actor = AccountID(only)
        } else {
          actors.append(ids)
        }
      case ("patient", .reference(let references)):
        let isNamed = references.contains { reference in
          guard case .local(let type, let id) = reference, id == request.patient.text else {
            return false
          }
          return type == nil || type == "Patient"
        }
        guard isNamed else { return nil }
      default: rest.append(criterion)
      }
    }
  }

  /// True if the query finds exactly the matches.
  var isExact: Bool { rest.isEmpty && actors.isEmpty }

  func matches(_ line: ProjectedResource, _ request: ProjectedRequest) -> Bool {
    let named = line.index().entries.compactMap { entry -> String? in
      guard entry.parameter == Self.actor, case .reference(_, let id) = entry.value else {
        return nil
      }
      return id
    }
    return actors.allSatisfy { !$0.isDisjoint(with: named) }
      && line.matches(rest, of: request.patient)
  }

  /// Returns the account in a value, as an identifier with or without a type.
  private static func account(_ reference: ReferenceSearchValue) -> String? {
    switch reference {
    case .local(_, let id): id
    case .absolute(let text): text
    case .identifier: nil
    }
  }
}
