// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct KnownDeviceTests {
  private static let email = "ann@example.org"
  private static let password = "seven green bicycles"

  private func guess(
    _ fixtures: AccountFixtures, known: Secret? = nil, password: String = "wrong"
  ) async throws {
    _ = try await fixtures.signIn.open(
      email: Self.email, password: password, known: known, from: "192.0.2.1", at: fixtures.now)
  }

  @Test func `other people's guesses don't lock out a known device`() async throws {
    let fixtures = try await AccountFixtures()
    _ = try await fixtures.makeAccount()
    let device = try #require(fixtures.store.knownDevice(of: Self.email, random: fixtures.random))
    for _ in 0..<5 {
      await #expect(throws: AccountError.signInRefused) { try await guess(fixtures) }
    }
    await #expect(throws: AccountError.tooManyAttempts(retryAfterSeconds: 1)) {
      try await guess(fixtures, password: Self.password)
    }
    try await guess(fixtures, known: device, password: Self.password)
    // It does not clear others' guesses either.
    await #expect(throws: AccountError.tooManyAttempts(retryAfterSeconds: 1)) {
      try await guess(fixtures, password: Self.password)
    }
  }

  @Test func `guesses on a known device are counted too`() async throws {
    let fixtures = try await AccountFixtures()
    _ = try await fixtures.makeAccount()
    let device = try #require(fixtures.store.knownDevice(of: Self.email, random: fixtures.random))
    for _ in 0..<5 {
      await #expect(throws: AccountError.signInRefused) { try await guess(fixtures, known: device) }
    }
    await #expect(throws: AccountError.tooManyAttempts(retryAfterSeconds: 1)) {
      try await guess(fixtures, known: device, password: Self.password)
    }
    try await guess(fixtures, password: Self.password)
  }

  @Test func `a new password or signing out everywhere forgets known devices`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let (store, now) = (fixtures.store, fixtures.now)
    let name = try SignInName(account.email)
    func epoch() async throws -> Int64 {
      try await fixtures.database.read { try store.deviceEpoch(named: name, in: $0) ?? -1 }
    }
    let first = try #require(
      store.knownDevice(of: account.email, epoch: try await epoch(), random: fixtures.random))
    let hash = try await fixtures.signIn.hash(
      newPassword: "nine yellow tricycles", rules: PasswordRules(), context: [])
    try await fixtures.database.write {
      try store.setPassword(hash, of: account.id, at: now, in: $0)
    }
    #expect(!store.isKnown(first, to: account.email, epoch: try await epoch()))
    let second = try #require(
      store.knownDevice(of: account.email, epoch: try await epoch(), random: fixtures.random))
    #expect(store.isKnown(second, to: account.email, epoch: try await epoch()))
    try await fixtures.database.write { writer in
      try store.endSessions(of: account.id, besides: nil, at: now, in: writer)
    }
    #expect(!store.isKnown(second, to: account.email, epoch: try await epoch()))
    // Guesses with its secret count like anyone's.
    for _ in 0..<5 {
      await #expect(throws: AccountError.signInRefused) { try await guess(fixtures, known: second) }
    }
    await #expect(throws: AccountError.tooManyAttempts(retryAfterSeconds: 1)) {
      try await guess(fixtures, password: "nine yellow tricycles")
    }
  }

  @Test func `a device is known only by its own mark for this name`() throws {
    let random = CountingBytes().source
    let cipher = FieldCipher(keys: try KeyRing.generate(random: random))
    let store = AccountStore(cipher: cipher, consequences: [])
    let device = try #require(store.knownDevice(of: Self.email, random: random))
    #expect(store.isKnown(device, to: " ANN@example.org "))
    #expect(!store.isKnown(device, to: "bob@example.org"))
    #expect(!store.isKnown(device, to: "nonsense"))
    #expect(store.knownDevice(of: "nonsense", random: random) == nil)
    // A secret of another installation.
    let others = AccountStore(
      cipher: FieldCipher(keys: try KeyRing.generate(random: random)), consequences: [])
    #expect(!others.isKnown(device, to: Self.email))
    for text in ["", "rgk_", "rgk_.", "rgk_a.b", "rgs_" + device.text.dropFirst(4)] {
      #expect(!store.isKnown(Secret(text: text), to: Self.email))
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `a changed device mark is not recognized`(seed: UInt64) throws {
    let random = CountingBytes().source
    let store = AccountStore(
      cipher: FieldCipher(keys: try KeyRing.generate(random: random)), consequences: [])
    let device = try #require(store.knownDevice(of: Self.email, random: random))
    let mutator = Mutator(fragments: ["rgk_", ".", "=", ";"], marks: "._-")
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<2000 {
      let bytes = mutator.mutate(Array(device.text.utf8), with: &generator)
      let text = String(decoding: bytes, as: UTF8.self)
      #expect(store.isKnown(Secret(text: text), to: Self.email) == (text == device.text))
    }
  }

  @Test func `sign-in guesses don't delay reauthentication`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    for _ in 0..<5 {
      await #expect(throws: AccountError.signInRefused) { try await guess(fixtures) }
    }
    let signIn = fixtures.signIn
    #expect(try await signIn.isPassword(Self.password, of: account, at: fixtures.now))
    for _ in 0..<5 {
      #expect(try await !signIn.isPassword("wrong", of: account, at: fixtures.now))
    }
    await #expect(throws: AccountError.tooManyAttempts(retryAfterSeconds: 1)) {
      try await signIn.isPassword(Self.password, of: account, at: fixtures.now)
    }
  }
}

@Suite struct SameWorkTests {
  /// Returns the cost of an attempt, as the number of checks started.
  private func cost(
    _ fixtures: AccountFixtures, _ email: String, _ password: String
  ) async throws -> Int {
    let before = await fixtures.gate.begun
    _ = try? await fixtures.signIn.open(email: email, password: password, at: fixtures.now)
    return await fixtures.gate.begun - before
  }

  @Test func `an unknown address, no password and a wrong one take equal work`() async throws {
    let fixtures = try await AccountFixtures()
    _ = try await fixtures.makeAccount()
    let bare = Account(
      id: "account-2", email: "bob@example.org", displayName: "Bob", patient: "patient-2",
      isAdministrator: false, language: nil)
    let (store, now) = (fixtures.store, fixtures.now)
    try await fixtures.database.write { writer in
      try writer.addPerson(bare.patient)
      try store.create(bare, passwordHash: nil, at: now, by: "test", in: writer)
    }
    for email in ["ann@example.org", "bob@example.org", "nobody@example.org"] {
      #expect(try await cost(fixtures, email, "wrong green bicycles") == 1, "\(email)")
    }
    // A text that cannot be a password costs nothing, for any account.
    let endless = String(repeating: "x", count: 2000)
    for email in ["ann@example.org", "nobody@example.org"] {
      #expect(try await cost(fixtures, email, endless) == 0, "\(email)")
    }
  }

  @Test func `a password hash of an older cost is upgraded at sign-in`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let (store, now) = (fixtures.store, fixtures.now)
    let old = try PasswordHash(
      password: "seven green bicycles", salt: Array(repeating: 7, count: 16),
      cost: PasswordCost(logarithm: 11, blockSize: 8, parallelism: 1))
    try await fixtures.database.write { writer in
      try writer.execute(
        "UPDATE accounts SET password_hash = $1 WHERE account = $2",
        [.text(old.stored), .text(account.id)])
    }
    let session = try await fixtures.signIn.openSession(for: account, at: now)
    // A wrong password changes nothing.
    #expect(try await cost(fixtures, account.email, "wrong green bicycles") == 1)
    #expect(try await stored(fixtures, account) == old)
    #expect(try await cost(fixtures, account.email, "seven green bicycles") == 2)
    let kept = try await stored(fixtures, account)
    #expect(kept?.cost == AccountFixtures.cheap && kept?.salt != old.salt)
    #expect(try kept?.matches("seven green bicycles") == true)
    // No one is signed out, and it happens once.
    let alive = try await fixtures.database.read {
      try store.signedIn(session: session, at: now, in: $0) != nil
    }
    #expect(alive)
    #expect(try await cost(fixtures, account.email, "seven green bicycles") == 1)
  }

  private func stored(
    _ fixtures: AccountFixtures, _ account: Account
  ) async throws -> PasswordHash? {
    try await fixtures.database.read { reader in
      let row = try reader.first(
        "SELECT password_hash FROM accounts WHERE account = $1", [.text(account.id)])
      return try row?.optionalText(0).flatMap(PasswordHash.init(stored:))
    }
  }
}
