// SPDX-License-Identifier: Apache-2.0

import Testing
import TestSupport

@testable import Accounts

/// The order of waiting password checks, tested without running any.
@Suite struct PasswordQueueTests {
  /// Adds visitors and returns the number that were refused.
  private static func flood(
    _ queue: inout PasswordQueue<String>, _ count: Int, from network: String?
  ) -> Int {
    (0..<count).count { number in
      let visitor = PasswordVisitor(.stranger, from: network, account: "nobody-\(number)")
      guard queue.hasRoom(for: visitor) else { return true }
      queue.append("guess", of: visitor)
      return false
    }
  }

  private static func turns(_ queue: inout PasswordQueue<String>, until name: String) -> Int? {
    var count = 0
    while let next = queue.next() {
      count += 1
      if next == name { return count }
    }
    return nil
  }

  @Test func `sixty guesses at unknown names delay another network by one check`() {
    var queue = PasswordQueue<String>(limit: 32)
    queue.noteServed(PasswordVisitor(.stranger, from: "192.0.2.0/24", account: "nobody"))
    #expect(Self.flood(&queue, 60, from: "192.0.2.0/24") == 52, "refused before it costs anything")
    let ann = PasswordVisitor(.stranger, from: "198.51.100.0/24", account: "ann")
    #expect(queue.hasRoom(for: ann))
    queue.append("ann", of: ann)
    #expect(Self.turns(&queue, until: "ann") == 1)
  }

  @Test func `guesses from many networks don't delay a known device`() {
    var queue = PasswordQueue<String>(limit: 32)
    var refused = 0
    for network in 0..<10 { refused += Self.flood(&queue, 20, from: "network-\(network)") }
    #expect(refused == 200 - 32)
    let stranger = PasswordVisitor(.stranger, from: "198.51.100.0/24", account: "ann")
    #expect(!queue.hasRoom(for: stranger))
    let known = PasswordVisitor(.known, from: "198.51.100.0/24", account: "ann")
    #expect(queue.hasRoom(for: known))
    queue.append("ann", of: known)
    #expect(Self.turns(&queue, until: "ann") == 1)
  }

  @Test func `accounts of one network take turns, with two places each`() {
    var queue = PasswordQueue<String>(limit: 32)
    let bob = PasswordVisitor(.stranger, from: nil, account: "bob")
    queue.noteServed(bob)
    queue.append("bob", of: bob)
    queue.append("bob", of: bob)
    #expect(!queue.hasRoom(for: bob))
    let ann = PasswordVisitor(.stranger, from: nil, account: "ann")
    #expect(queue.hasRoom(for: ann))
    queue.append("ann", of: ann)
    #expect(queue.next() == "ann")
    #expect(queue.next() == "bob" && queue.next() == "bob" && queue.next() == nil)
  }

  @Test func `networks take turns however much each one sends`() {
    var queue = PasswordQueue<String>(limit: 32)
    for number in 0..<6 {
      queue.append("left", of: PasswordVisitor(.stranger, from: "left", account: "l\(number)"))
    }
    for number in 0..<2 {
      queue.append("right", of: PasswordVisitor(.stranger, from: "right", account: "r\(number)"))
    }
    let order = (0..<8).compactMap { _ in queue.next() }
    #expect(order == ["left", "right", "left", "right", "left", "left", "left", "left"])
  }
}
