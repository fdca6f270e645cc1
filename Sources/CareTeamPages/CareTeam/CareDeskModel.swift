// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import CareTeam
import Identifiers
import Observations
import People
import Scheduling
import Storage
import Supply
import Web

/// One page of a practitioner's table of patients.
struct CareDeskModel: Sendable {
  /// The number of patients per page.
  static let length = 50

  /// All patients, in the order of need.
  let entries: [CarePanelEntry]
  /// The number of patients that match the filter.
  let found: Int
  /// The patients of this page, in the chosen order.
  let shown: [CarePanelEntry]
  /// The values of the columns, at least for the patients of this page.
  let facts: CareDeskFacts
  let query: DeskQuery
  /// The practitioner's own time zone.
  let zone: Zone

  /// Reads one page with a fixed number of statements, however many patients it shows.
  static func load(
    _ signedIn: SignedIn, _ query: DeskQuery, _ call: Call, in reader: any SQLReader
  ) throws -> CareDeskModel {
    let now = call.now
    let zone = try PeopleQueries.zone(
      signedIn.account.patient, zones: call.environment.zones, in: reader)
    // A token has no panel: its own scope says what it may read.
    let entries =
      signedIn.actor.kind == .session
      ? try CarePanel.load(signedIn.account.id, at: now, in: reader) : []
    let found = entries.filter { query.matches($0) }
    var facts = CareDeskFacts()
    switch query.sort {
    case .need, .name, .since: break
    case .age: try facts.readBirthDates(of: found, in: reader)
    case .week, .month: try facts.readAdherence(of: found, at: now, in: reader)
    case .seen: try facts.readLastSeen(of: found, at: now, in: reader)
    }
    let ordered = CareDeskOrder.sorted(
      found, by: query.sort, isReversed: query.isReversed, facts)
    let shown = Array(ordered.dropFirst((query.page - 1) * length).prefix(length))
    // Values needed for the order are already loaded.
    if query.sort != .age { try facts.readBirthDates(of: shown, in: reader) }
    if query.sort != .week, query.sort != .month {
      try facts.readAdherence(of: shown, at: now, in: reader)
    }
    if query.sort != .seen { try facts.readLastSeen(of: shown, at: now, in: reader) }
    return CareDeskModel(
      entries: entries, found: found.count, shown: shown, facts: facts, query: query, zone: zone)
  }

  /// The number of the last page.
  var lastPage: Int { max(1, (found + Self.length - 1) / Self.length) }

  /// Records in each patient's access log what the page showed.
  func audit(_ call: Call, _ signedIn: SignedIn) async throws {
    for entry in shown {
      guard let right = signedIn.actor.rights[entry.patient] else { continue }
      let actor = Actor(
        accountID: signedIn.account.id, kind: .session, rights: [entry.patient: right],
        scope: signedIn.actor.scope)
      for resource in seen(of: entry) {
        if case .allow(let authorization) = decide(
          actor: actor, action: .read, patient: entry.patient, resource: resource,
          purpose: signedIn.actor.purpose(with: entry.patient))
        {
          try await call.environment.audit(authorization, count: 1, at: call.now)
        }
      }
    }
  }

  private func seen(of entry: CarePanelEntry) -> [String] {
    var resources: [String] = []
    if facts.birthDates[entry.patient] != nil { resources.append("Patient") }
    if entry.categories.contains(.adherence) { resources.append("DoseState") }
    if entry.reasons.contains(where: { $0.kind == .heart }) {
      resources.append(VitalCommands.resource)
    }
    if entry.reasons.contains(where: { $0.kind == .stock }) {
      resources.append(StockCommands.resource)
    }
    return resources
  }
}

extension DeskQuery {
  /// Returns true for a patient of the chosen group whose name contains all the words.
  func matches(_ entry: CarePanelEntry) -> Bool {
    guard filter.shows(entry) else { return false }
    let name = entry.name.lowercased()
    return words.lowercased().split(whereSeparator: \.isWhitespace).allSatisfy {
      name.contains($0)
    }
  }
}

extension CareDeskFacts {
  fileprivate mutating func readBirthDates(
    of entries: [CarePanelEntry], in reader: any SQLReader
  ) throws {
    birthDates = try PeopleQueries.birthDates(of: entries.map(\.patient), in: reader)
  }

  fileprivate mutating func readAdherence(
    of entries: [CarePanelEntry], at now: Timestamp, in reader: any SQLReader
  ) throws {
    adherence = try CareDesk.adherence(of: Self.sharing(entries), at: now, in: reader)
  }

  fileprivate mutating func readLastSeen(
    of entries: [CarePanelEntry], at now: Timestamp, in reader: any SQLReader
  ) throws {
    lastSeen = try CareDesk.lastSeen(of: Self.sharing(entries), at: now, in: reader)
  }

  /// Returns the patients whose adherence may be read.
  private static func sharing(_ entries: [CarePanelEntry]) -> [PatientID] {
    entries.filter { $0.categories.contains(.adherence) }.map(\.patient)
  }
}
