// SPDX-License-Identifier: Apache-2.0

import Accounts
import CareTeam
import FHIR
import Identifiers
import Storage
import Web

/// Gives events to the subscriptions that wait for them, each with the next number.
struct SubscriptionPlanner: Sendable {
  let environment: ServerEnvironment

  /// The events in one transaction: few, so that answers never wait behind it.
  private static let atOnce = 50
  /// The shortest time between two looks for missed doses and warnings, in milliseconds.
  private static let lookPause: Int64 = 30_000
  /// The time that a change may take to be committed, in milliseconds.
  private static let settling: Int64 = 30_000

  private var base: String { "\(environment.baseURL)/fhir" }

  // MARK: Changes

  /// Gives all recorded changes to subscriptions.
  func planChanges() async throws {
    let (accounts, base) = (environment.accounts, self.base)
    var planned = Self.atOnce
    while planned == Self.atOnce, !Task.isCancelled {
      let now = environment.now()
      planned = try await environment.database.write { writer in
        try Self.planChanges(accounts: accounts, base: base, at: now, in: writer)
      }
    }
  }

  /// Gives the earliest changes to subscriptions, and removes them in the same transaction.
  ///
  /// - Returns: The number of changes.
  static func planChanges(
    accounts: AccountStore, base: String, at now: Timestamp, in writer: any SQLWriter
  ) throws -> Int {
    let events = try EventNotificationStore.waiting(limit: atOnce, in: writer)
    guard !events.isEmpty else { return 0 }
    let store = EventSubscriptionStore(accounts: accounts)
    var waiting: [(subscription: EventSubscription, reach: SubscriptionReach)] = []
    for subscription in try store.counting(in: writer) where subscription.topic.isOfChanges {
      guard
        let reach = try reach(of: subscription, accounts: accounts, base: base, at: now, in: writer)
      else { continue }
      waiting.append((subscription, reach))
    }
    var counts: [EventSubscriptionID: Int64] = [:]
    for event in events {
      for (subscription, reach) in waiting
      where subscription.topic.focus.rawValue == event.type
        && subscription.takes(eventAt: event.happened)
      {
        guard try reach.awaits(event.patient, id: event.id, version: event.version, in: writer)
        else { continue }
        let number = (counts[subscription.id] ?? subscription.events) + 1
        counts[subscription.id] = number
        try EventNotificationStore.add(
          EventNotification(
            patient: event.patient, number: number, type: event.type, id: event.id,
            version: event.version, happened: event.happened),
          to: subscription.id, at: now, in: writer)
      }
      try EventNotificationStore.remove(event, in: writer)
    }
    for (id, number) in counts { try store.count(upTo: number, of: id, at: now, in: writer) }
    return events.count
  }

  /// Returns the access of a subscription; nil if it can no longer be used, which the next notification finds.
  private static func reach(
    of subscription: EventSubscription, accounts: AccountStore, base: String, at now: Timestamp,
    in reader: any SQLReader
  ) throws -> SubscriptionReach? {
    do {
      return try SubscriptionReach(
        subscription, accounts: accounts, base: base, at: now, in: reader)
    } catch is Failure {
      return nil
    }
  }

  // MARK: Doses and warnings

  /// Looks for doses that were missed and for warnings, for the subscriptions that wait for them.
  func look() async throws {
    let accounts = environment.accounts
    let store = EventSubscriptionStore(accounts: accounts)
    let end = environment.now().adding(milliseconds: -Self.settling)
    let due = try await environment.database.read { reader in
      try store.counting(in: reader).filter {
        !$0.topic.isOfChanges && $0.looked.adding(milliseconds: Self.lookPause) <= end
      }
    }
    for subscription in due where !Task.isCancelled {
      let (base, now) = (self.base, environment.now())
      let found = try await environment.database.read { reader in
        try Self.events(
          of: subscription, accounts: accounts, base: base, through: end, at: now, in: reader)
      }
      try await environment.database.write { writer in
        try Self.add(found, to: subscription, store: store, through: end, at: now, in: writer)
      }
    }
  }

  private static func events(
    of subscription: EventSubscription, accounts: AccountStore, base: String,
    through end: Timestamp, at now: Timestamp, in reader: any SQLReader
  ) throws -> [LookedEvents.Found] {
    guard
      let reach = try reach(of: subscription, accounts: accounts, base: base, at: now, in: reader)
    else { return [] }
    var found: [LookedEvents.Found] = []
    for patient in try reach.patients(in: reader) {
      let events =
        subscription.topic == .missedDose
        ? try LookedEvents.missedDoses(
          of: patient, after: subscription.looked, through: end, in: reader)
        : try LookedEvents.warnings(
          of: patient, after: subscription.looked, through: end, in: reader)
      for event in events where subscription.ends.map({ event.happened < $0 }) ?? true {
        guard try reach.awaits(patient, id: event.id, version: event.version, in: reader) else {
          continue
        }
        found.append(event)
      }
    }
    return found.sorted { ($0.happened, $0.id) < ($1.happened, $1.id) }
  }

  private static func add(
    _ found: [LookedEvents.Found], to subscription: EventSubscription,
    store: EventSubscriptionStore, through end: Timestamp, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    // Another node, or a new version of the subscription, may have been faster.
    guard
      try store.look(
        upTo: end, after: subscription.looked, of: subscription.id, in: writer),
      !found.isEmpty, let current = try store.find(subscription.id, in: writer)
    else { return }
    var number = current.events
    for event in found {
      number += 1
      try EventNotificationStore.add(
        EventNotification(
          patient: event.patient, number: number, type: current.topic.focus.rawValue,
          id: event.id, version: event.version, happened: event.happened),
        to: current.id, at: now, in: writer)
    }
    try store.count(upTo: number, of: current.id, at: now, in: writer)
  }
}

extension EventSubscription {
  /// Returns true if a change at a time belongs to the subscription: not before it was made, and not after its
  /// end.
  fileprivate func takes(eventAt time: Timestamp) -> Bool {
    time >= looked && (ends.map { time < $0 } ?? true)
  }
}
