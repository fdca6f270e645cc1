// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import People
import Storage
import Synchronization

/// A cache that remembers the owner of a credential for a second, so that a burst of requests asks
/// the database once.
///
/// A credential that is revoked on another node stops working within that second; one that is
/// revoked here stops at once through ``forget()``.
package final class SessionCache: Sendable {
  private struct Entry: Sendable {
    let visitor: Visitor
    let until: Int64
  }

  private struct State: Sendable {
    var entries: [Secret: Entry] = [:]
    /// The last recorded use of each credential, in milliseconds.
    var noted: [SessionID: Int64] = [:]
    var generation = 0
  }

  private let state = Mutex(State())
  private let lifetime: Int64 = 1000
  private let capacity = 10_000
  /// The time for which every page shows an emergency access, in milliseconds.
  private static let openingsToldFor: Int64 = 24 * 3_600_000

  /// Returns the owner of a credential, with the facts of a session.
  func resolve(
    _ secret: Secret, kind: Actor.Kind, at now: Timestamp, environment: ServerEnvironment,
    facts: [any VisitorFactSource.Type]
  ) async throws -> Visitor? {
    let (cached, generation) = state.withLock { state in
      (state.entries[secret], state.generation)
    }
    if let cached, cached.visitor.signedIn.actor.kind == kind,
      (0..<lifetime).contains(cached.until - now.milliseconds)
    {
      return cached.visitor
    }
    let accounts = environment.accounts
    let found = try await environment.database.readBriefly { reader -> Visitor? in
      switch kind {
      case .session:
        try Self.visitor(secret, at: now, facts: facts, accounts: accounts, in: reader)
      case .token, .host:
        try accounts.signedIn(token: secret, at: now, in: reader).map {
          Visitor(signedIn: $0, people: [])
        }
      }
    }
    state.withLock { state in
      // A credential was revoked during the lookup, so the result may be stale.
      guard state.generation == generation else { return }
      if state.entries.count >= capacity { state.entries.removeAll(keepingCapacity: true) }
      state.entries[secret] = found.map {
        Entry(visitor: $0, until: now.milliseconds + lifetime - 1)
      }
    }
    return found
  }

  private static func visitor(
    _ secret: Secret, at now: Timestamp, facts: [any VisitorFactSource.Type],
    accounts: AccountStore, in reader: any SQLReader
  ) throws -> Visitor? {
    var granted: [ReachedPerson] = []
    let session = try accounts.openSession(secret, at: now, in: reader) { account in
      let found = try ReachedPerson.granted(
        to: account, openedSince: now.adding(milliseconds: -openingsToldFor), at: now,
        in: reader)
      granted = found.people
      return found.rights
    }
    guard let session else { return nil }
    let people = try PersonInReach.all(
      of: session.signedIn, granted: granted, at: now, accounts: accounts, in: reader)
    var visitor = Visitor(
      signedIn: session.signedIn, people: people, unreviewed: session.unreviewed)
    for fact in facts { fact.note(in: &visitor) }
    return visitor
  }

  /// Returns true at most once a minute for each credential, when its use should be recorded.
  func isToNote(_ credential: SessionID, at now: Timestamp) -> Bool {
    state.withLock { state in
      if let last = state.noted[credential], (0..<60_000).contains(now.milliseconds - last) {
        return false
      }
      if state.noted.count >= capacity { state.noted.removeAll(keepingCapacity: true) }
      state.noted[credential] = now.milliseconds
      return true
    }
  }

  /// Clears the cache after a change to credentials, grants or account settings.
  package func forget() {
    state.withLock { state in
      state.entries.removeAll(keepingCapacity: true)
      state.generation += 1
    }
  }
}
