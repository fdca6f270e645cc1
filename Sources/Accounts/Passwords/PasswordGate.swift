// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Runs password checks one at a time on their own threads, so that waiting visitors take turns.
///
/// A check uses 128 MiB and peaks above 200. Without a limit, a burst of sign-ins would exhaust the machine,
/// and checks on the shared pool would delay every other request.
package actor PasswordGate {
  private let limit: Int
  private var running = 0
  /// The number of checks started: tests use it to see that an unknown address costs the same work.
  package private(set) var begun = 0
  private var waiting: PasswordQueue<CheckedContinuation<Void, Never>>

  /// Creates a gate with `limit` checks at a time and at most `queueLimit` waiting visitors in each
  /// rank.
  package init(limit: Int = 1, queueLimit: Int = 32) {
    self.limit = limit
    waiting = PasswordQueue(limit: queueLimit)
  }

  /// The number of visitors in the queue.
  package var queued: Int { waiting.count }

  /// Runs the work when its turn comes; throws ``AccountError/busy`` if too many are waiting.
  package func run<Value: Sendable>(
    as visitor: PasswordVisitor, _ work: @escaping @Sendable () throws -> Value
  ) async throws -> Value {
    try await enter(visitor)
    defer { leave() }
    begun += 1
    return try await offThePool(work)
  }

  private func enter(_ visitor: PasswordVisitor) async throws {
    if running < limit {
      running += 1
      waiting.noteServed(visitor)
      return
    }
    guard waiting.hasRoom(for: visitor) else { throw AccountError.busy }
    await withCheckedContinuation { waiting.append($0, of: visitor) }
  }

  /// Passes the place to the next in line, or frees it.
  private func leave() {
    if let next = waiting.next() {
      next.resume()
    } else {
      running -= 1
    }
  }
}

/// A visitor who waits for a password check.
package struct PasswordVisitor: Sendable, Hashable {
  /// The priority of a waiting check: known devices come first.
  package enum Rank: Int, Sendable, Comparable {
    /// Someone who is signed in, or a device that the account has used before.
    case known
    case stranger

    /// Orders ranks by priority, known devices first.
    package static func < (left: Rank, right: Rank) -> Bool { left.rawValue < right.rawValue }
  }

  let rank: Rank
  /// The network that the request comes from.
  let source: String
  /// The name or account that the check concerns.
  let account: String

  /// Creates a visitor; `source` is the network, nil if it is unknown.
  package init(_ rank: Rank, from source: String?, account: String) {
    self.rank = rank
    self.source = source ?? ""
    self.account = account
  }
}

/// The queue for password checks: known devices first, then networks and accounts in turn, so that
/// many guesses from one network delay no one elsewhere.
struct PasswordQueue<Item> {
  private struct Entry {
    let item: Item
    let visitor: PasswordVisitor
  }

  /// The maximum number of visitors waiting for one account, and of one rank from one network.
  private static var mostOfAccount: Int { 2 }
  private static var mostOfSource: Int { 8 }

  private let limit: Int
  private var entries: [Entry] = []
  /// The turn in which each network and account was last served.
  private var served: [String: Int] = [:]
  private var turn = 0

  /// Creates a queue.
  ///
  /// - Parameter limit: the maximum number of visitors waiting in each rank.
  init(limit: Int) {
    self.limit = limit
  }

  var count: Int { entries.count }

  /// Returns true if there is room for one more; otherwise the visitor is rejected at once, at no cost.
  func hasRoom(for visitor: PasswordVisitor) -> Bool {
    let equals = entries.filter { $0.visitor.rank == visitor.rank }
    return equals.count < limit
      && equals.count { $0.visitor.source == visitor.source } < Self.mostOfSource
      && equals.count { $0.visitor.account == visitor.account } < Self.mostOfAccount
  }

  mutating func append(_ item: Item, of visitor: PasswordVisitor) {
    entries.append(Entry(item: item, visitor: visitor))
  }

  /// Removes and returns the next item: first by rank, then by the longest wait of network and account.
  mutating func next() -> Item? {
    let order = entries.indices.min { left, right in
      let (one, other) = (key(entries[left].visitor), key(entries[right].visitor))
      return one == other ? left < right : one < other
    }
    guard let order else { return nil }
    let entry = entries.remove(at: order)
    noteServed(entry.visitor)
    return entry.item
  }

  /// Records that a visitor had its turn.
  mutating func noteServed(_ visitor: PasswordVisitor) {
    turn += 1
    if entries.isEmpty { served.removeAll(keepingCapacity: true) }
    served[Self.source(visitor)] = turn
    served[Self.account(visitor)] = turn
  }

  private func key(_ visitor: PasswordVisitor) -> (Int, Int, Int) {
    (
      visitor.rank.rawValue, served[Self.source(visitor)] ?? 0, served[Self.account(visitor)] ?? 0
    )
  }

  private static func source(_ visitor: PasswordVisitor) -> String { "from \(visitor.source)" }
  private static func account(_ visitor: PasswordVisitor) -> String { "to \(visitor.account)" }
}
