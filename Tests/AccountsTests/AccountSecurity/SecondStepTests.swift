// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct SecondStepTests {
  private static let password = "seven green bicycles"
  private static let seed = Array("12345678901234567890".utf8)
  private let app = OneTimeCode(seed: SecondStepTests.seed)

  /// Sets up an app half a minute ago, so that the current code is still unused.
  private func setUp(_ account: Account, _ fixtures: AccountFixtures) async throws -> [RecoveryCode]
  {
    let (store, random) = (fixtures.store, fixtures.random)
    let earlier = fixtures.later(-60_000)
    let code = app.code(at: earlier)
    return try await fixtures.database.write { writer in
      #expect(
        try store.setUpCodeApp(
          seed: Self.seed, code: code, of: account.id, at: earlier, in: writer))
      return try store.makeRecoveryCodes(of: account.id, random: random, at: earlier, in: writer)
    }
  }

  private func firstStep(_ fixtures: AccountFixtures, at now: Timestamp) async throws -> SignInStep
  {
    try await fixtures.signIn.open(email: "ann@example.org", password: Self.password, at: now)
  }

  private func finish(
    _ step: SignInStep, _ code: String, _ fixtures: AccountFixtures, at now: Timestamp
  ) async throws -> SignInStep {
    try await fixtures.signIn.finish(step.secret, code: code, device: "", at: now)
  }

  @Test func `the password alone opens no session, and a code works once`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    _ = try await setUp(account, fixtures)
    let (store, now) = (fixtures.store, fixtures.now)
    let first = try await firstStep(fixtures, at: now)
    #expect(!first.isComplete)
    let none = try await fixtures.database.read {
      try store.signedIn(session: first.secret, at: now, in: $0)
    }
    #expect(none == nil)
    let second = try await finish(first, app.code(at: now), fixtures, at: now)
    #expect(second.isComplete)
    let facts = try await fixtures.database.read {
      try store.signedIn(session: second.secret, at: now, in: $0)?.session
    }
    #expect(facts?.proof == .code)
    // The pending sign-in is used up, and so is the code.
    await #expect(throws: AccountError.signInOutdated) {
      try await finish(first, app.code(at: now), fixtures, at: now)
    }
    let again = try await firstStep(fixtures, at: now)
    await #expect(throws: AccountError.signInRefused) {
      try await finish(again, app.code(at: now), fixtures, at: now)
    }
    let next = fixtures.later(30_000)
    #expect(try await finish(again, app.code(at: next), fixtures, at: next).isComplete)
  }

  @Test func `a recovery code works once, in any spelling, for its own account`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let codes = try await setUp(account, fixtures)
    #expect(Set(codes).count == AccountStore.recoveryCodeCount)
    let bob = try await fixtures.makeAccount(
      "bob@example.org", id: "account-2", patient: "patient-2")
    let (store, now) = (fixtures.store, fixtures.now)
    let foreign = try await fixtures.database.write {
      try store.takeCode(codes[0].text, of: bob.id, at: now, in: $0)
    }
    #expect(foreign == nil)
    let first = try await firstStep(fixtures, at: now)
    let typed = " \(codes[0].text.lowercased().replacing("-", with: " ")) "
    #expect(try await finish(first, typed, fixtures, at: now).isComplete)
    let again = try await firstStep(fixtures, at: now)
    await #expect(throws: AccountError.signInRefused) {
      try await finish(again, codes[0].text, fixtures, at: now)
    }
    let state = try await fixtures.database.read { try store.secondFactor(of: account.id, in: $0) }
    #expect(state.recoveryCodes == 9)
    // New codes invalidate the old ones.
    let random = fixtures.random
    _ = try await fixtures.database.write {
      try store.makeRecoveryCodes(of: account.id, random: random, at: now, in: $0)
    }
    await #expect(throws: AccountError.signInRefused) {
      try await finish(again, codes[1].text, fixtures, at: now)
    }
  }

  @Test func `wrong codes are throttled across all sign-ins`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    _ = try await setUp(account, fixtures)
    let now = fixtures.now
    for _ in 0..<5 {
      let step = try await firstStep(fixtures, at: now)
      await #expect(throws: AccountError.signInRefused) {
        try await finish(step, "000000", fixtures, at: now)
      }
    }
    let step = try await firstStep(fixtures, at: now)
    await #expect(throws: AccountError.tooManyAttempts(retryAfterSeconds: 1)) {
      try await finish(step, app.code(at: now), fixtures, at: now)
    }
    let later = fixtures.later(1000)
    #expect(try await finish(step, app.code(at: later), fixtures, at: later).isComplete)
  }

  @Test func `the second step expires after ten minutes`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    _ = try await setUp(account, fixtures)
    let step = try await firstStep(fixtures, at: fixtures.now)
    let late = fixtures.later(PendingSignIn.lifetime)
    await #expect(throws: AccountError.signInOutdated) {
      try await finish(step, app.code(at: late), fixtures, at: late)
    }
  }

  @Test func `the database holds neither the seed nor codes in the clear`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let codes = try await setUp(account, fixtures)
    let held = try await fixtures.database.read { reader in
      let seeds = try reader.query("SELECT seed_sealed FROM code_apps").map { try $0.blob(0) }
      return try reader.query("SELECT code_hash FROM recovery_codes").map { try $0.blob(0) } + seeds
    }
    #expect(held.count == 11)
    for bytes in held {
      #expect(bytes.count >= 32)
      #expect(!codes.contains { bytes == Array($0.text.utf8) })
      #expect(!bytes.windows(of: Self.seed))
    }
  }

  @Test func `a pending seed is shown again to its account for an hour`() async throws {
    let fixtures = try await AccountFixtures()
    let (store, now) = (fixtures.store, fixtures.now)
    let offer = try store.sealOffer(Self.seed, to: "account-1", at: now)
    #expect(store.openOffer(offer, to: "account-1", at: fixtures.later(3_600_000)) == Self.seed)
    #expect(store.openOffer(offer, to: "account-1", at: fixtures.later(3_600_001)) == nil)
    #expect(store.openOffer(offer, to: "account-2", at: now) == nil)
    #expect(store.openOffer("", to: "account-1", at: now) == nil)
    #expect(store.openOffer(String(offer.dropLast(4)), to: "account-1", at: now) == nil)
  }
}

extension [UInt8] {
  /// Returns true if these bytes contain the others.
  fileprivate func windows(of other: [UInt8]) -> Bool {
    guard count >= other.count else { return false }
    return (0...(count - other.count)).contains { Array(self[$0..<$0 + other.count]) == other }
  }
}
