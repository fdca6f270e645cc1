// SPDX-License-Identifier: Apache-2.0

import Accounts
import CareTeam
import Logging
import ServiceLifecycle
import Storage
import Synchronization
import Web

/// Notifies the programs that have FHIR subscriptions.
///
/// The database lists the remaining work, so nothing is lost when the process ends between two steps.
package struct SubscriptionService: Service, CustomStringConvertible {
  /// The name of the service in the log.
  package let description = "FHIR subscriptions"

  /// The server that the service runs in.
  package let environment: ServerEnvironment

  private static let pause: Duration = .seconds(1)
  /// The most notifications that are sent at once.
  private static let atOnce = 32
  /// The number of rounds between two looks for missed doses and warnings.
  private static let roundsBetweenLooks = 15
  /// The number of rounds between two removals of what is over.
  private static let roundsBetweenRemovals = 600

  /// Creates the service.
  package init(environment: ServerEnvironment) {
    self.environment = environment
  }

  private var store: EventSubscriptionStore {
    EventSubscriptionStore(accounts: environment.accounts)
  }

  /// Runs a round every second, until the server shuts down.
  package func run() async throws {
    await cancelWhenGracefulShutdown {
      if !environment.database.isShared {
        // Without other nodes, any lease belongs to an earlier run of this program.
        let store = self.store
        try? await environment.database.write { try store.reclaim(in: $0) }
      }
      let sending = Places()
      await withDiscardingTaskGroup { tasks in
        var rounds = 0
        while !Task.isCancelled {
          let looks = rounds % Self.roundsBetweenLooks == 0
          if rounds % Self.roundsBetweenRemovals == 0 { await removeOld() }
          rounds += 1
          let free = Self.atOnce - sending.inUse
          for claimed in await claims(limit: free, looks: looks) {
            sending.change(by: 1)
            tasks.addTask {
              await attempt { try await SubscriptionSender(environment: environment).send(claimed) }
              sending.change(by: -1)
            }
          }
          try? await Task.sleep(for: Self.pause)
        }
        tasks.cancelAll()
      }
    }
  }

  /// Does everything that is due, one after the other.
  func round() async {
    await removeOld()
    for claimed in await claims(limit: Self.atOnce, looks: true) {
      await attempt { try await SubscriptionSender(environment: environment).send(claimed) }
    }
  }

  /// Plans notifications of new events, and leases the subscriptions that are due.
  private func claims(limit: Int, looks: Bool) async -> [EventSubscription] {
    var claimed: [EventSubscription] = []
    await attempt {
      let now = environment.now()
      let store = self.store
      if looks {
        try await SubscriptionPlanner(environment: environment).look()
        try await endAppsWithoutAccess(at: now)
      }
      // Usually there is nothing to do, and then nothing is written.
      guard limit > 0,
        try await environment.database.read({
          try EventSubscriptionStore.isAnythingDue(now, in: $0)
        })
      else { return }
      try await SubscriptionPlanner(environment: environment).planChanges()
      claimed = try await environment.database.write { writer in
        try store.claim(limit: limit, at: environment.now(), in: writer)
      }
    }
    return claimed
  }

  /// Turns off the subscriptions of apps whose access was ended.
  private func endAppsWithoutAccess(at now: Timestamp) async throws {
    let (store, accounts) = (self.store, environment.accounts)
    @Sendable func hasEnded(
      _ subscription: EventSubscription, in reader: any SQLReader
    ) throws -> Bool {
      guard subscription.access.app != nil else { return false }
      return try accounts.signedIn(subscription.access, at: now, in: reader) == nil
    }
    let ended = try await environment.database.read { reader in
      try store.counting(in: reader).filter { try hasEnded($0, in: reader) }.map(\.id)
    }
    guard !ended.isEmpty else { return }
    try await environment.database.write { writer in
      for id in ended {
        guard var subscription = try store.find(id, in: writer),
          try hasEnded(subscription, in: writer)
        else { continue }
        subscription.enter(.off, at: now)
        try store.replace(subscription, in: writer)
      }
    }
  }

  /// Turns off subscriptions that were in error for too long, and deletes old notifications.
  private func removeOld() async {
    await attempt {
      let (store, now) = (self.store, environment.now())
      try await environment.database.write { writer in
        try store.turnOffOld(at: now, in: writer)
        try EventNotificationStore.forgetOld(at: now, in: writer)
      }
    }
  }

  /// The number of notifications that are being sent.
  private final class Places: Sendable {
    private let count = Mutex(0)

    var inUse: Int { count.withLock { $0 } }

    func change(by difference: Int) { count.withLock { $0 += difference } }
  }

  private func attempt(_ work: () async throws -> Void) async {
    do {
      try await work()
    } catch {
      environment.logger.error(
        "notifying programs failed", metadata: ["type": .string("\(type(of: error))")])
    }
  }
}
