// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Accounts

@Suite struct SessionPolicyTests {
  private static let minute = SessionLimits.minute

  private func isAlive(
    _ secret: Secret, _ fixtures: AccountFixtures, at now: Timestamp
  ) async throws -> Bool {
    let store = fixtures.store
    return try await fixtures.database.read {
      try store.signedIn(session: secret, at: now, in: $0) != nil
    }
  }

  /// The holder, the minutes without a request, and the expected validity.
  @Test(
    arguments: [
      (.trusted, false, 30 * 24 * 60 - 1, true), (.trusted, false, 30 * 24 * 60, false),
      (.passing, false, 59, true), (.passing, false, 60, false),
      (.trusted, true, 14, true), (.trusted, true, 15, false), (.passing, true, 15, false),
    ] as [(SessionKind, Bool, Int64, Bool)])
  func `idle sessions expire according to kind and role`(
    kind: SessionKind, isPractitioner: Bool, minutes: Int64, lives: Bool
  ) async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    if isPractitioner { try await makePractitioner(account, fixtures) }
    let secret = try await fixtures.signIn.openSession(
      for: account, as: SessionStart(kind: kind), at: fixtures.now)
    #expect(
      try await isAlive(secret, fixtures, at: fixtures.later(minutes * Self.minute)) == lives)
  }

  /// The holder, the hours of use every ten minutes, and the expected validity at the end.
  @Test(
    arguments: [
      (.trusted, false, 40 * 24, true), (.passing, false, 23, true), (.passing, false, 24, false),
      (.trusted, true, 11, true), (.trusted, true, 12, false),
    ] as [(SessionKind, Bool, Int64, Bool)])
  func `sessions in use expire according to kind and role`(
    kind: SessionKind, isPractitioner: Bool, hours: Int64, lives: Bool
  ) async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    if isPractitioner { try await makePractitioner(account, fixtures) }
    let secret = try await fixtures.signIn.openSession(
      for: account, as: SessionStart(kind: kind), at: fixtures.now)
    let (store, end) = (fixtures.store, fixtures.later(hours * 60 * Self.minute))
    let last = end.adding(milliseconds: -10 * Self.minute)
    try await fixtures.database.write { try store.touch(session: secret, at: last, in: $0) }
    #expect(try await isAlive(secret, fixtures, at: end) == lives)
  }

  @Test func `reauthentication depends on the proof's age and kind and the action`() {
    func facts(_ minutes: Int64, _ proof: ProofKind, hasFactor: Bool) -> SessionFacts {
      SessionFacts(
        kind: .trusted, created: Timestamp(milliseconds: 0), seen: Timestamp(milliseconds: 0),
        proved: Timestamp(milliseconds: -minutes * Self.minute), proof: proof,
        secondFactor: SecondFactorState(hasCodeApp: hasFactor), needsSecondFactor: false)
    }
    let now = Timestamp(milliseconds: 0)
    let recent = ProofPolicy.recent
    #expect(recent.isMet(by: facts(15, .password, hasFactor: true), at: now, isSending: false))
    #expect(!recent.isMet(by: facts(16, .password, hasFactor: true), at: now, isSending: false))
    #expect(recent.isMet(by: facts(30, .password, hasFactor: false), at: now, isSending: true))
    #expect(!recent.isMet(by: facts(31, .passkey, hasFactor: true), at: now, isSending: true))
    // The clock was set back by more than a minute.
    #expect(!recent.isMet(by: facts(-2, .passkey, hasFactor: true), at: now, isSending: false))
    for policy in [ProofPolicy.administration, .emergency] {
      #expect(!policy.isMet(by: facts(1, .password, hasFactor: true), at: now, isSending: true))
      #expect(policy.isMet(by: facts(1, .password, hasFactor: false), at: now, isSending: true))
      for proof in ProofKind.allCases where proof.isSecondFactor {
        #expect(policy.isMet(by: facts(1, proof, hasFactor: true), at: now, isSending: true))
      }
      #expect(!policy.isMet(by: facts(31, .passkey, hasFactor: true), at: now, isSending: true))
    }
  }

  @Test func `reauthentication replaces the session's secret`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let old = try await fixtures.signIn.openSession(for: account, at: fixtures.now)
    let later = fixtures.later(60 * Self.minute)
    let new = try await fixtures.signIn.prove(old, by: .password, of: account, at: later)
    #expect(try await !isAlive(old, fixtures, at: later))
    let store = fixtures.store
    let facts = try await fixtures.database.read {
      try store.signedIn(session: new, at: later, in: $0)?.session
    }
    #expect(facts?.proved == later && facts?.created == fixtures.now)
    await #expect(throws: AccountError.signInOutdated) {
      try await fixtures.signIn.prove(old, by: .password, of: account, at: later)
    }
  }

  @Test func `people can list and end only their own sessions`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let bob = try await fixtures.makeAccount(
      "bob@example.org", id: "account-2", patient: "patient-2")
    let (store, now) = (fixtures.store, fixtures.now)
    var secrets: [Secret] = []
    for device in ["Firefox, Android", "Chrome, Linux", ""] {
      secrets.append(
        try await fixtures.signIn.openSession(
          for: account, as: SessionStart(device: device), at: now))
    }
    let foreign = try await fixtures.signIn.openSession(for: bob, at: now)
    let ids = secrets.map { SessionID($0) }
    let listed = try await fixtures.database.read {
      try store.sessions(of: account.id, at: now, in: $0)
    }
    #expect(Set(listed.map(\.id)) == Set(ids))
    #expect(Set(listed.map(\.device)) == ["Firefox, Android", "Chrome, Linux", ""])
    try await fixtures.database.write { writer in
      let bobs = SessionID(foreign)
      #expect(try !store.endSession(id: bobs, of: account.id, at: now, in: writer))
      #expect(try !store.endSession(id: "zz", of: account.id, at: now, in: writer))
      #expect(try store.endSession(id: ids[0], of: account.id, at: now, in: writer))
      let ended = try store.endSessions(of: account.id, besides: ids[1], at: now, in: writer)
      #expect(ended == [ids[2]])
    }
    #expect(try await !isAlive(secrets[0], fixtures, at: now))
    #expect(try await isAlive(secrets[1], fixtures, at: now))
    #expect(try await !isAlive(secrets[2], fixtures, at: now))
    #expect(try await isAlive(foreign, fixtures, at: now))
  }

  /// Runs on both engines.
  @Test func `a new password ends sessions, tokens and pending requests`() async throws {
    let fixtures = try await AccountFixtures()
    let account = try await fixtures.makeAccount()
    let (store, now, random) = (fixtures.store, fixtures.now, fixtures.random)
    let session = try await fixtures.signIn.openSession(for: account, at: now)
    let token = Secret(prefix: Secret.tokenPrefix, random: random)
    let pending = try await fixtures.signIn.startSecondStep(for: account, kind: .trusted, at: now)
    let hash = try await fixtures.signIn.hash(
      newPassword: "eight blue bicycles", rules: PasswordRules(), context: [])
    try await fixtures.database.write {
      try store.createToken(token, for: account.id, scope: .user, at: now, in: $0)
    }
    try await fixtures.database.write {
      try store.setPassword(hash, of: account.id, at: now, in: $0)
    }
    let alive = try await fixtures.database.read { reader in
      [
        try store.signedIn(session: session, at: now, in: reader) != nil,
        try store.signedIn(token: token, at: now, in: reader) != nil,
        try store.pending(pending.secret, at: now, in: reader) != nil,
      ]
    }
    #expect(alive == [false, false, false])
  }

  private func makePractitioner(_ account: Account, _ fixtures: AccountFixtures) async throws {
    let (store, now) = (fixtures.store, fixtures.now)
    try await fixtures.database.write { writer in
      try writer.addPerson("patient-9")
      try store.grant(.practitioner, of: "patient-9", to: account.id, from: now, in: writer)
    }
  }
}
