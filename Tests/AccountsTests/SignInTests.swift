// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct SignInTests {
  @Test func `the right password opens a session, and signing out ends it`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let opened = try await fixtures.signIn.open(
      email: " Ann@Example.ORG ", password: "seven green bicycles", at: fixtures.now)
    #expect(opened.account == account)
    let store = fixtures.store
    let now = fixtures.now
    let signedIn = try #require(
      try await fixtures.database.read {
        try store.signedIn(session: opened.secret, at: now, in: $0)
      })
    #expect(signedIn.actor.relationships == ["patient-1": .self_])
    #expect(!signedIn.actor.scope.systemWide)
    #expect(signedIn.credential.text != opened.secret.text)
    try await fixtures.database.write {
      try store.endSession(opened.secret, of: account.id, at: now, in: $0)
    }
    let gone = try await fixtures.database.read {
      try store.signedIn(session: opened.secret, at: now, in: $0)
    }
    #expect(gone == nil)
  }

  @Test func `a session expires`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let secret = try await fixtures.signIn.openSession(for: account, at: fixtures.now)
    let store = fixtures.store
    let before = fixtures.later(CredentialLifetime.session - 1)
    let after = fixtures.later(CredentialLifetime.session)
    let alive = try await fixtures.database.read {
      try store.signedIn(session: secret, at: before, in: $0) != nil
    }
    let dead = try await fixtures.database.read {
      try store.signedIn(session: secret, at: after, in: $0) == nil
    }
    #expect(alive && dead)
  }

  @Test(arguments: [
    ("ann@example.org", "wrong green bicycles"), ("bob@example.org", "seven green bicycles"),
    ("", ""), ("not an address", "seven green bicycles"),
    ("ann@example.org", String(repeating: "x", count: 2000)),
  ])
  func `an unknown address and a wrong password get the same refusal`(
    email: String, password: String
  ) async throws {
    let fixtures = try await AccountFixtures()
    _ = try await fixtures.makeAccount()
    await #expect(throws: AccountError.signInRefused) {
      try await fixtures.signIn.open(email: email, password: password, at: fixtures.now)
    }
  }

  @Test func `the gate limits parallel work and refuses a long queue`() async throws {
    let gate = PasswordGate(limit: 1, queueLimit: 1)
    let visitor = PasswordVisitor(.stranger, from: nil, account: "ann")
    let results = await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          do {
            return try await gate.run(as: visitor) {
              var sum = 0
              for number in 0..<3_000_000 { sum &+= number }
              return sum != 0
            }
          } catch {
            return false
          }
        }
      }
      return await group.reduce(into: []) { $0.append($1) }
    }
    #expect(results.contains(true))
    #expect(results.contains(false))
    #expect(try await gate.run(as: visitor) { 1 } == 1)
  }
}
