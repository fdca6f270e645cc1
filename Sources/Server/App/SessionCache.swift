// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Storage
import Synchronization

/// Remembers for a second who a credential stands for, so that a burst of requests asks once.
///
/// A credential that is revoked anywhere, on another node too, is dead within that second; here it
/// is dead at once through ``forget()``.
final class SessionCache: Sendable {
  /// Who a credential stands for, and the persons whose pages a browser may open.
  struct Visitor: Sendable {
    let signedIn: SignedIn
    let people: [PersonInReach]
  }

  private struct Entry: Sendable {
    let visitor: Visitor
    let until: Int64
  }

  private struct State: Sendable {
    var entries: [Secret: Entry] = [:]
    var generation = 0
  }

  private let state = Mutex(State())
  private let lifetime: Int64 = 1000
  private let capacity = 10_000

  func resolve(
    _ secret: Secret, kind: Actor.Kind, at now: Timestamp, environment: ServerEnvironment
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
    let found = try await environment.database.read { reader -> Visitor? in
      switch kind {
      case .session:
        try accounts.signedIn(session: secret, at: now, in: reader).map { signedIn in
          Visitor(signedIn: signedIn, people: try PersonInReach.all(of: signedIn, in: reader))
        }
      case .token, .host:
        try accounts.signedIn(token: secret, at: now, in: reader).map {
          Visitor(signedIn: $0, people: [])
        }
      }
    }
    state.withLock { state in
      // Something was revoked while we looked: what we found may be stale.
      guard state.generation == generation else { return }
      if state.entries.count >= capacity { state.entries.removeAll(keepingCapacity: true) }
      state.entries[secret] = found.map {
        Entry(visitor: $0, until: now.milliseconds + lifetime - 1)
      }
    }
    return found
  }

  /// Forgets everything after a change of credentials, grants or account settings.
  func forget() {
    state.withLock { state in
      state.entries.removeAll(keepingCapacity: true)
      state.generation += 1
    }
  }
}
