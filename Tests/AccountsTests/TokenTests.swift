// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct TokenTests {
  private func make(
    _ fixtures: AccountFixtures, of account: Account, label: String = "", days: Int? = nil
  ) async throws -> Secret {
    let secret = Secret(prefix: Secret.tokenPrefix, random: fixtures.random)
    let (store, now) = (fixtures.store, fixtures.now)
    let end = try days.map { try TokenLifetime.end(days: $0, at: now) }
    try await fixtures.database.write { writer in
      try store.createToken(
        secret, for: account.id, scope: .user, label: label, expires: end, at: now, in: writer)
    }
    return secret
  }

  private func tokens(
    _ fixtures: AccountFixtures, of account: Account, at now: Timestamp
  ) async throws -> [TokenListing] {
    let store = fixtures.store
    return try await fixtures.database.read {
      try store.tokens(of: account.id, at: now, in: $0)
    }
  }

  @Test func `a token is listed by its prefix and expires`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let secret = try await make(fixtures, of: account, label: "Watch", days: 30)
    let endless = try await make(fixtures, of: account)
    let day = SessionLimits.day
    let (store, last, over) = (
      fixtures.store, fixtures.later(30 * day - 1), fixtures.later(30 * day)
    )
    let listed = try await tokens(fixtures, of: account, at: last)
    let watch = try #require(listed.first { $0.label == "Watch" })
    #expect(watch.prefix == String(secret.text.prefix(8)) && watch.prefix.hasPrefix("rgt_"))
    #expect(watch.expires == over && watch.used == nil && watch.scope == .user)
    #expect(!watch.id.text.contains(secret.text.dropFirst(4)))
    let alive = try await fixtures.database.read { reader in
      [
        try store.signedIn(token: secret, at: last, in: reader) != nil,
        try store.signedIn(token: secret, at: over, in: reader) != nil,
        try store.signedIn(token: endless, at: over, in: reader) != nil,
      ]
    }
    #expect(alive == [true, false, true])
    #expect(try await tokens(fixtures, of: account, at: over).map(\.expires) == [nil])
  }

  @Test func `its last use is recorded and never moves back`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let secret = try await make(fixtures, of: account)
    let id = SessionID(secret)
    let store = fixtures.store
    let moments: [(Int64, Int64)] = [(60_000, 60_000), (30_000, 60_000), (90_000, 90_000)]
    for (moment, expected) in moments {
      let now = fixtures.later(moment)
      try await fixtures.database.write { writer in
        try store.touch(token: id, at: now, in: writer)
        try store.touch(token: "zz", at: now, in: writer)
      }
      let used = try await tokens(fixtures, of: account, at: fixtures.now).first?.used
      #expect(used == fixtures.later(expected))
      let known = try await fixtures.database.read {
        try store.signedIn(token: secret, at: now, in: $0)?.used
      }
      #expect(known == used)
    }
  }

  @Test func `only its owner can end it`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let secret = try await make(fixtures, of: account)
    let id = SessionID(secret)
    let (store, now) = (fixtures.store, fixtures.now)
    try await fixtures.database.write { writer throws in
      #expect(try !store.endToken(id: id, of: "another", at: now, in: writer))
      #expect(try !store.endToken(id: "zz", of: account.id, at: now, in: writer))
      #expect(try store.signedIn(token: secret, at: now, in: writer) != nil)
      #expect(try store.endToken(id: id, of: account.id, at: now, in: writer))
      #expect(try store.signedIn(token: secret, at: now, in: writer) == nil)
      #expect(try !store.endToken(id: id, of: account.id, at: now, in: writer))
    }
  }

  @Test(arguments: [-1, 0, 3651, Int.max])
  func `lifetimes outside the limits are refused`(days: Int) throws {
    #expect(throws: AccountError.tokenLifetime(maximumDays: 3650)) {
      try TokenLifetime.end(days: days, at: Timestamp(milliseconds: 0))
    }
  }

  @Test func `labels that are too long are refused`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    await #expect(throws: AccountError.nameTooLong(maximum: 60)) {
      _ = try await make(fixtures, of: account, label: String(repeating: "x", count: 61))
    }
  }
}
