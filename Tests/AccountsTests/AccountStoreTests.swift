// SPDX-License-Identifier: Apache-2.0

import Access
import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct AccountStoreTests {
  @Test func `an address can be used once, in any case`() async throws {
    let fixtures = try await AccountFixtures()
    _ = try await fixtures.makeAccount("Ann@example.org")
    await #expect(throws: AccountError.emailTaken) {
      try await fixtures.makeAccount("ann@EXAMPLE.org", id: "account-2", patient: "patient-2")
    }
  }

  @Test func `the database does not hold the address in the clear`() async throws {
    let fixtures = try await AccountFixtures()
    _ = try await fixtures.makeAccount("very-special-marker@example.org")
    let sealed = try await fixtures.database.read {
      try $0.first("SELECT email_sealed FROM accounts", [])?.blob(0) ?? []
    }
    #expect(!String(decoding: sealed, as: UTF8.self).contains("marker"))
    #expect(sealed.count > 20)
  }

  @Test(arguments: [
    "", " ", "ann", "@example.org", "ann@", "ann@@example.org", "a b@example.org",
    "ann@.org", "ann@example..org", "ann@example.org\n.evil", "ann,bob@example.org",
    "<ann@example.org>", String(repeating: "a", count: 250) + "@example.org",
  ])
  func `invalid addresses are refused`(text: String) {
    #expect(throws: AccountError.self) { try EmailAddress(text) }
  }

  @Test func `a token has the permissions of its scope`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let store = fixtures.store
    let now = fixtures.now
    for scope in TokenScope.allCases {
      let secret = Secret(prefix: Secret.tokenPrefix, random: fixtures.random)
      try await fixtures.database.write {
        try store.createToken(
          secret, for: account.id, scope: scope, patient: account.patient, at: now, in: $0)
      }
      let signedIn = try #require(
        try await fixtures.database.read {
          try store.signedIn(token: secret, at: now, in: $0)
        })
      #expect(signedIn.actor.scope.systemWide == (scope == .system))
      #expect(signedIn.actor.kind == .token)
      let asSession = try await fixtures.database.read {
        try store.signedIn(session: secret, at: now, in: $0)
      }
      #expect(asSession == nil)
    }
    #expect(throws: AccountError.unknownScope("system/*.*")) {
      try TokenScope(parsing: "system/*.*")
    }
  }

  @Test func `an invitation works once, before it expires`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let store = fixtures.store
    let now = fixtures.now
    let secret = Secret(prefix: Secret.invitationPrefix, random: fixtures.random)
    let session = try await fixtures.signIn.openSession(for: account, at: now)
    let other = Secret(prefix: Secret.invitationPrefix, random: fixtures.random)
    try await fixtures.database.write {
      try store.createInvitation(secret, for: account.id, at: now, in: $0)
      try store.createInvitation(other, for: account.id, at: now, in: $0)
    }
    let late = fixtures.later(CredentialLifetime.invitation)
    let expired = try await fixtures.database.read {
      try store.invited(by: secret, at: late, in: $0)
    }
    #expect(expired == nil)
    let hash = try await fixtures.signIn.hash(
      newPassword: "another long phrase", rules: PasswordRules(), context: [])
    let accepted = try await fixtures.database.write {
      try store.accept(invitation: secret, passwordHash: hash, at: now, in: $0)
    }
    #expect(accepted == account)
    await #expect(throws: AccountError.invitationUnknown) {
      try await fixtures.database.write {
        try store.accept(invitation: secret, passwordHash: hash, at: now, in: $0)
      }
    }
    // A new password uses up older links and ends the sessions of anyone who knew the old one.
    let older = try await fixtures.database.read {
      try store.invited(by: other, at: now, in: $0)
    }
    #expect(older == nil)
    let old = try await fixtures.database.read {
      try store.signedIn(session: session, at: now, in: $0)
    }
    #expect(old == nil)
    _ = try await fixtures.signIn.open(
      email: account.email, password: "another long phrase", at: now)
  }

  @Test func `grants count only between their dates`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let store = fixtures.store
    let later = fixtures.later(1000)
    let now = fixtures.now
    try await fixtures.database.write { writer in
      try writer.addPerson("patient-9")
      try store.grant(.family, of: "patient-9", to: account.id, from: later, in: writer)
    }
    let before = try await fixtures.database.read {
      try store.relationships(of: account.id, at: now, in: $0)
    }
    let after = try await fixtures.database.read {
      try store.relationships(of: account.id, at: later, in: $0)
    }
    #expect(before == ["patient-1": .self_])
    #expect(after == ["patient-1": .self_, "patient-9": .family])
  }

  @Test func `the setup code works once and is void after many wrong tries`() throws {
    let code = SetupCode(random: CountingBytes().source)
    #expect(code.text.count == 14)
    #expect(!code.matches("AAAA-AAAA-AAAA"))
    #expect(code.matches(code.text.lowercased().filter { $0 != "-" }))
    code.use()
    #expect(!code.matches(code.text))
    let other = SetupCode(random: CountingBytes().source)
    for _ in 0..<100 { _ = other.matches("nonsense") }
    #expect(!other.matches(other.text))
  }

  @Test func `secrets are long, show their kind and are stored as digests`() {
    let random = CountingBytes().source
    let one = Secret(prefix: Secret.tokenPrefix, random: random)
    let two = Secret(prefix: Secret.tokenPrefix, random: random)
    #expect(one != two)
    #expect(one.text.hasPrefix("rgt_") && one.text.count == 47)
    #expect(one.digest.count == 32 && one.digest != two.digest)
  }
}
