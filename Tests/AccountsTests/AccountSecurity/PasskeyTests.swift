// SPDX-License-Identifier: Apache-2.0

import Crypto
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct PasskeyTests {
  private static let party = RelyingParty(id: "pills.example", origin: "https://pills.example")

  private typealias Saying = VirtualAuthenticator.Saying

  /// A fault in an answer, with the expected error.
  struct Case: Sendable, CustomStringConvertible {
    let description: String
    let fault: PasskeyFault
    let change: @Sendable (inout VirtualAuthenticator.Saying) -> Void

    init(
      _ description: String, _ fault: PasskeyFault,
      _ change: @escaping @Sendable (inout VirtualAuthenticator.Saying) -> Void
    ) {
      self.description = description
      self.fault = fault
      self.change = change
    }
  }

  private static func authenticator(_ algorithm: Int64) -> VirtualAuthenticator {
    VirtualAuthenticator(
      key: algorithm == -7
        ? .es256(P256.Signing.PrivateKey()) : .edDSA(Curve25519.Signing.PrivateKey()))
  }

  private func challenge(
    _ act: PasskeyChallenge.Act, _ fixtures: AccountFixtures, at now: Timestamp? = nil
  ) -> String {
    fixtures.store.challenge(for: act, random: fixtures.random, at: now ?? fixtures.now)
  }

  private func register(
    _ saying: VirtualAuthenticator.Saying, with authenticator: VirtualAuthenticator,
    of account: Account, _ fixtures: AccountFixtures, id: PasskeyID = "key-1",
    name: String = "Phone"
  ) async throws {
    let (store, now) = (fixtures.store, fixtures.now)
    let answer = authenticator.register(saying)
    try await fixtures.database.write { writer in
      try store.register(
        answer, id: id, name: name, of: account.id, party: Self.party, at: now, in: writer)
    }
  }

  private func open(
    _ answer: PasskeyAssertion, _ fixtures: AccountFixtures, at now: Timestamp? = nil
  ) async throws -> SignInStep {
    try await fixtures.signIn.open(
      answer, party: Self.party, instead: nil, kind: .trusted, device: "", at: now ?? fixtures.now)
  }

  @Test(arguments: [-7, -8] as [Int64])
  func `a passkey signs in once for each challenge`(algorithm: Int64) async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let authenticator = Self.authenticator(algorithm)
    try await register(
      .registration(challenge(.register(account: account.id), fixtures)), with: authenticator,
      of: account, fixtures)
    var saying = Saying.assertion(challenge(.signIn, fixtures))
    saying.signs = 2
    saying.userHandle = Array(account.id.text.utf8)
    let answer = try authenticator.sign(saying)
    let step = try await open(answer, fixtures)
    #expect(step.isComplete && step.account == account)
    await #expect(throws: AccountError.passkeyRefused(.wrongChallenge)) {
      try await open(answer, fixtures)
    }
    let store = fixtures.store
    let now = fixtures.now
    let facts = try await fixtures.database.read {
      try store.signedIn(session: step.secret, at: now, in: $0)?.session
    }
    #expect(facts?.proof == .passkey)
    #expect(facts?.secondFactor.passkeys == 1)
  }

  private static let badRegistrations = [
    Case("another act", .wrongType) { $0.type = "webauthn.get" },
    Case("another origin", .wrongOrigin) { $0.origin = "https://pills.example.evil.example" },
    Case("plain http", .wrongOrigin) { $0.origin = "http://pills.example" },
    Case("another port", .wrongOrigin) { $0.origin = "https://pills.example:444" },
    Case("a frame", .framed) { $0.crossOrigin = "true" },
    Case("another challenge", .wrongChallenge) { $0.challenge = "AAAA" },
    Case("no challenge", .wrongChallenge) { $0.challenge = "" },
    Case("another relying party", .wrongRelyingParty) { $0.relyingParty = "evil.example" },
    Case("nobody there", .notPresent) { $0.flags = 0x44 },
    Case("nobody verified", .notVerified) { $0.flags = 0x41 },
    Case("a backup of what has none", .wrongBackupState) { $0.flags = 0x55 },
    Case("no key", .unreadable) { $0.flags = 0x05 },
    Case("extensions that are not there", .unreadable) { $0.flags = 0xC5 },
    Case("something behind", .unreadable) { $0.trailing = [0] },
    Case("a statement", .attested) { $0.statement = [0xA1, 0x61, 0x61, 0x01] },
    Case("another format", .attested) { $0.format = "packed" },
  ]

  @Test(arguments: badRegistrations)
  func `an invalid registration is refused`(bad: Case) async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    var saying = Saying.registration(challenge(.register(account: account.id), fixtures))
    bad.change(&saying)
    await #expect(throws: AccountError.passkeyRefused(bad.fault)) {
      try await register(saying, with: Self.authenticator(-7), of: account, fixtures)
    }
  }

  private func check(
    _ saying: VirtualAuthenticator.Saying, with authenticator: VirtualAuthenticator,
    of account: AccountID, _ fixtures: AccountFixtures
  ) async throws {
    let (store, now) = (fixtures.store, fixtures.now)
    let answer = authenticator.register(saying)
    try await fixtures.database.read { reader in
      try store.checkRegistration(answer, of: account, party: Self.party, at: now, in: reader)
    }
  }

  @Test(arguments: badRegistrations)
  func `a registration for a new account is refused for the same reasons`(bad: Case) async throws {
    let fixtures = try await AccountFixtures()
    var saying = Saying.registration(challenge(.register(account: "to-come"), fixtures))
    bad.change(&saying)
    await #expect(throws: AccountError.passkeyRefused(bad.fault)) {
      try await check(saying, with: Self.authenticator(-7), of: "to-come", fixtures)
    }
  }

  @Test func `a registration for a new account is bound to it and a new passkey`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let authenticator = Self.authenticator(-8)
    let saying = Saying.registration(challenge(.register(account: "to-come"), fixtures))
    try await check(saying, with: authenticator, of: "to-come", fixtures)
    // The check used nothing up.
    try await check(saying, with: authenticator, of: "to-come", fixtures)
    await #expect(throws: AccountError.passkeyRefused(.wrongChallenge)) {
      try await check(saying, with: authenticator, of: "another", fixtures)
    }
    let own = Saying.registration(challenge(.register(account: account.id), fixtures))
    await #expect(throws: AccountError.passkeyRefused(.wrongChallenge)) {
      try await check(own, with: authenticator, of: account.id, fixtures)
    }
    try await register(own, with: authenticator, of: account, fixtures)
    await #expect(throws: AccountError.passkeyRefused(.alreadyKnown)) {
      try await check(saying, with: authenticator, of: "to-come", fixtures)
    }
  }

  private static let badAssertions = [
    Case("another act", .wrongType) { $0.type = "webauthn.create" },
    Case("another origin", .wrongOrigin) { $0.origin = "https://evil.example" },
    Case("a frame", .framed) { $0.crossOrigin = "true" },
    Case("another challenge", .wrongChallenge) { $0.challenge = "AAAA" },
    Case("another relying party", .wrongRelyingParty) { $0.relyingParty = "evil.example" },
    Case("nobody there", .notPresent) { $0.flags = 0x04 },
    Case("nobody verified", .notVerified) { $0.flags = 0x01 },
    Case("a backup of what has none", .wrongBackupState) { $0.flags = 0x15 },
    Case("something behind", .unreadable) { $0.trailing = [0] },
    Case("a counter that stands", .wrongCounter) { $0.signs = 5 },
    Case("a counter that went back", .wrongCounter) { $0.signs = 4 },
    Case("a counter that vanished", .wrongCounter) { $0.signs = 0 },
    Case("no signature", .wrongSignature) { $0.signature = [] },
    Case("another signature", .wrongSignature) { $0.signature = Array(repeating: 1, count: 64) },
    Case("another account's", .foreignPasskey) { $0.userHandle = Array("account-2".utf8) },
  ]

  @Test(arguments: badAssertions, [-7, -8] as [Int64])
  func `an invalid assertion is refused`(bad: Case, algorithm: Int64) async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let authenticator = Self.authenticator(algorithm)
    var saying = Saying.registration(challenge(.register(account: account.id), fixtures))
    saying.signs = 5
    try await register(saying, with: authenticator, of: account, fixtures)
    var wrong = Saying.assertion(challenge(.signIn, fixtures))
    wrong.signs = 6
    bad.change(&wrong)
    await #expect(throws: AccountError.passkeyRefused(bad.fault)) {
      try await open(authenticator.sign(wrong), fixtures)
    }
    var right = Saying.assertion(challenge(.signIn, fixtures))
    right.signs = 6
    #expect(try await open(authenticator.sign(right), fixtures).account == account)
  }

  @Test func `a challenge is valid for one action and account, for ten minutes`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let other = try await fixtures.makeAccount(
      "bob@example.org", id: "account-2", patient: "patient-2")
    let authenticator = Self.authenticator(-8)
    for act in [
      PasskeyChallenge.Act.signIn, .prove(account: account.id), .register(account: other.id),
    ] {
      await #expect(throws: AccountError.passkeyRefused(.wrongChallenge)) {
        try await register(
          .registration(challenge(act, fixtures)), with: authenticator, of: account, fixtures)
      }
    }
    try await register(
      .registration(challenge(.register(account: account.id), fixtures)), with: authenticator,
      of: account, fixtures)
    await #expect(throws: AccountError.passkeyRefused(.alreadyKnown)) {
      try await register(
        .registration(challenge(.register(account: other.id), fixtures)), with: authenticator,
        of: other, fixtures, id: "key-2")
    }
    let answer = try authenticator.sign(.assertion(challenge(.signIn, fixtures)))
    await #expect(throws: AccountError.passkeyRefused(.wrongChallenge)) {
      try await open(answer, fixtures, at: fixtures.later(10 * 60_000))
    }
    let stranger = Self.authenticator(-7)
    var unknown = stranger
    unknown.credential = [9]
    await #expect(throws: AccountError.passkeyRefused(.unknownPasskey)) {
      try await open(unknown.sign(.assertion(challenge(.signIn, fixtures))), fixtures)
    }
    await #expect(throws: AccountError.passkeyRefused(.wrongSignature)) {
      var copied = Saying.assertion(challenge(.signIn, fixtures))
      copied.signs = 9
      _ = try await open(stranger.sign(copied), fixtures)
    }
  }

  @Test func `passkeys have names, and at most twenty of them`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    for name in ["", "  ", String(repeating: "x", count: 61)] {
      await #expect(throws: AccountError.self) {
        try await register(
          .registration(challenge(.register(account: account.id), fixtures)),
          with: Self.authenticator(-8), of: account, fixtures, name: name)
      }
    }
    for index in 0..<21 {
      var authenticator = Self.authenticator(-8)
      authenticator.credential = [1, UInt8(index)]
      do {
        try await register(
          .registration(challenge(.register(account: account.id), fixtures)), with: authenticator,
          of: account, fixtures, id: "key-\(index)")
        #expect(index < 20)
      } catch AccountError.tooManyPasskeys(let maximum) {
        #expect(index == 20 && maximum == 20)
      }
    }
    let (store, now) = (fixtures.store, fixtures.now)
    let left = try await fixtures.database.write { writer in
      #expect(try !store.rename(passkey: "key-1", to: "x", of: "account-2", in: writer))
      #expect(try !store.remove(passkey: "key-1", of: "account-2", at: now, in: writer))
      #expect(try store.rename(passkey: "key-1", to: " Ann’s phone ", of: account.id, in: writer))
      #expect(try store.remove(passkey: "key-0", of: account.id, at: now, in: writer))
      return try store.passkeys(of: account.id, in: writer)
    }
    #expect(left.count == 19)
    #expect(left.contains { $0.id == "key-1" && $0.name == "Ann’s phone" })
  }

  @Test func `changing any byte of an answer never crashes the reader`() throws {
    let authenticator = Self.authenticator(-7)
    let made = authenticator.register(.registration("x"))
    for index in made.attestation.indices {
      var changed = made.attestation
      changed[index] ^= 0xFF
      _ = try? PasskeyCheck.registration(changed, party: Self.party)
      _ = try? PasskeyCheck.registration(Array(changed[..<index]), party: Self.party)
    }
    #expect(throws: Never.self) {
      try PasskeyCheck.registration(made.attestation, party: Self.party)
    }
  }
}
