// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct SignInThrottleTests {
  private let target = SignInThrottle.Bucket.target([1, 2, 3])
  private let origin = SignInThrottle.Bucket.origin([7])

  /// Returns the seconds to wait if an attempt is rejected; nil if it is accepted.
  private func wait(
    _ throttle: SignInThrottle, _ buckets: [SignInThrottle.Bucket], at now: Timestamp
  ) async throws -> Int? {
    do {
      try await throttle.admit(buckets, at: now)
      return nil
    } catch AccountError.tooManyAttempts(let seconds) {
      return seconds
    }
  }

  @Test func `after five failures the wait grows with each one, up to 15 minutes`() async throws {
    let fixtures = try await AccountFixtures()
    let throttle = SignInThrottle(database: fixtures.database)
    for _ in 0..<5 { #expect(try await wait(throttle, [target], at: fixtures.now) == nil) }
    #expect(try await wait(throttle, [target], at: fixtures.now) == 1)
    var now = fixtures.now
    for expected in [1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900] {
      #expect(try await wait(throttle, [target], at: now) == expected)
      now = now.adding(milliseconds: Int64(expected) * 1000)
      #expect(try await wait(throttle, [target], at: now) == nil)
    }
    // Another target is not affected, and success clears.
    #expect(try await wait(throttle, [.target([9])], at: now) == nil)
    try await throttle.succeeded([target])
    #expect(try await wait(throttle, [target], at: now) == nil)
  }

  @Test func `counts survive restarts and are shared between nodes`() async throws {
    let fixtures = try await AccountFixtures()
    for _ in 0..<5 {
      let throttle = SignInThrottle(database: fixtures.database)
      #expect(try await wait(throttle, [target], at: fixtures.now) == nil)
    }
    let another = SignInThrottle(database: fixtures.database)
    #expect(try await wait(another, [target], at: fixtures.now) == 1)
  }

  @Test func `parallel guesses each count`() async throws {
    let fixtures = try await AccountFixtures()
    let throttle = SignInThrottle(database: fixtures.database)
    let now = fixtures.now
    let target = target
    let admitted = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<40 {
        group.addTask { (try? await throttle.admit([target], at: now)) != nil }
      }
      return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
    }
    #expect(admitted == 5)
  }

  @Test func `a network's count spans all targets and is not reset by success`() async throws {
    let fixtures = try await AccountFixtures()
    let throttle = SignInThrottle(database: fixtures.database)
    for number in 0..<50 {
      let buckets = [SignInThrottle.Bucket.target([0, UInt8(number)]), origin]
      #expect(try await wait(throttle, buckets, at: fixtures.now) == nil)
    }
    #expect(try await wait(throttle, [.target([1, 1]), origin], at: fixtures.now) == 1)
    // An attempt rejected by its network is not counted against its target.
    let later = fixtures.later(1000)
    #expect(try await wait(throttle, [.target([1, 2]), origin], at: later) == nil)
    try await throttle.succeeded([.target([1, 2]), origin])
    #expect(try await wait(throttle, [.target([1, 3]), origin], at: later) == 1)
  }

  @Test func `all attempts together are throttled slightly and soon forgotten`() async throws {
    let fixtures = try await AccountFixtures()
    let throttle = SignInThrottle(database: fixtures.database)
    let all = SignInThrottle.Bucket.everywhere([8])
    for _ in 0..<300 { #expect(try await wait(throttle, [all], at: fixtures.now) == nil) }
    #expect(try await wait(throttle, [all], at: fixtures.now) == 1)
    // One failure in a second is forgotten in a second: no one is ever locked out.
    for second in 1...20 {
      let now = fixtures.later(Int64(second) * 1000)
      #expect(try await wait(throttle, [all], at: now) == nil)
      #expect(try await wait(throttle, [all], at: now) == 1)
    }
    let later = fixtures.later(20_000 + 300_000)
    for _ in 0..<300 { #expect(try await wait(throttle, [all], at: later) == nil) }
    #expect(try await wait(throttle, [all], at: later) == 1)
  }

  @Test func `an attempt that was never checked is not counted`() async throws {
    let fixtures = try await AccountFixtures()
    let throttle = SignInThrottle(database: fixtures.database)
    for _ in 0..<20 {
      #expect(try await wait(throttle, [target], at: fixtures.now) == nil)
      try await throttle.forgive([target])
    }
  }

  @Test func `failures expire after a day, and a clock set back locks no one out`() async throws {
    let fixtures = try await AccountFixtures()
    let throttle = SignInThrottle(database: fixtures.database)
    for _ in 0..<5 { try await throttle.admit([target], at: fixtures.now) }
    let before = fixtures.now.adding(milliseconds: -3_600_000)
    #expect(try await wait(throttle, [target], at: before) == 1)
    let tomorrow = fixtures.later(24 * 3_600_000)
    let store = fixtures.store
    try await fixtures.database.write { writer in
      _ = try store.forgetCredentials(
        endedBefore: before, at: tomorrow.adding(milliseconds: 1),
        in: writer)
    }
    let left = try await fixtures.database.read { try $0.query("SELECT 1 FROM attempts").count }
    #expect(left == 0)
    #expect(try await wait(throttle, [target], at: tomorrow) == nil)
  }

  @Test func `sign-in counts by account and by network`() async throws {
    let fixtures = try await AccountFixtures()
    _ = try await fixtures.makeAccount()
    for number in 0..<50 {
      await #expect(throws: AccountError.signInRefused) {
        try await fixtures.signIn.open(
          email: "nobody\(number)@example.org", password: "x", from: "192.0.2.1",
          at: fixtures.now)
      }
    }
    await #expect(throws: AccountError.tooManyAttempts(retryAfterSeconds: 1)) {
      try await fixtures.signIn.open(
        email: "ann@example.org", password: "seven green bicycles", from: "192.0.2.1",
        at: fixtures.now)
    }
    // The person can sign in from anywhere else.
    _ = try await fixtures.signIn.open(
      email: "ann@example.org", password: "seven green bicycles", from: "192.0.2.2",
      at: fixtures.now)
  }
}
