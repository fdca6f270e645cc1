// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The progress of a sign-in.
package struct SignInStep: Sendable, Hashable {
  /// The secret of the session, or of the sign-in that waits for its second step.
  package let secret: Secret
  /// The account that signs in.
  package let account: Account
  /// True if a session was opened.
  package let isComplete: Bool
}

/// Checks passwords and codes and opens sessions, at bounded cost.
package struct SignIn: Sendable {
  let database: Database
  let store: AccountStore
  private let gate: PasswordGate
  private let throttle: SignInThrottle
  let random: RandomBytes
  private let cost: PasswordCost

  /// Creates the sign-in with its gate for password checks; `cost` applies to new and changed
  /// hashes.
  package init(
    database: Database, store: AccountStore, gate: PasswordGate, random: @escaping RandomBytes,
    cost: PasswordCost = .standard
  ) {
    self.database = database
    self.store = store
    self.gate = gate
    throttle = SignInThrottle(database: database)
    self.random = random
    self.cost = cost
  }

  /// Checks a new password against the rules and returns its stored form.
  package func hash(
    newPassword: String, rules: PasswordRules, context: [String]
  ) async throws -> PasswordHash {
    try rules.check(newPassword, context: context + ["regimen"])
    // Callers are already authenticated: by a link, by a session or by access to the host.
    let owner = "new \(context.first ?? "")"
    return try await derive(
      newPassword, as: PasswordVisitor(.known, from: owner, account: owner))
  }

  /// Returns the stored form of the password of someone who signs up.
  ///
  /// As for strangers at sign-in, networks take turns, so that a flood from one delays no one else.
  package func hash(
    newPassword: String, rules: PasswordRules, context: [String], ofStrangerFrom network: String?
  ) async throws -> PasswordHash {
    try rules.check(newPassword, context: context + ["regimen"])
    return try await derive(
      newPassword,
      as: PasswordVisitor(.stranger, from: network, account: "new \(context.first ?? "")"))
  }

  /// Checks the address and password, and opens a session or starts the second step.
  ///
  /// An unknown address takes as much work as a wrong password, so that the two look the same. Throws
  /// ``AccountError/signInRefused`` for both.
  ///
  /// - Parameters:
  ///   - known: the device's proof of an earlier sign-in.
  ///   - network: the network that the attempt comes from; nil if it is not known.
  package func open(
    email typed: String, password: String, kind: SessionKind = .trusted, device: String = "",
    known: Secret? = nil, from network: String? = nil, at now: Timestamp
  ) async throws -> SignInStep {
    let address: SignInName
    do {
      address = try SignInName(typed)
    } catch {
      throw AccountError.signInRefused
    }
    let (found, epoch) = try await database.read { [store] reader in
      (
        try store.account(named: address, in: reader),
        try store.deviceEpoch(named: address, in: reader)
      )
    }
    // An unknown name takes the same work: it has no known devices.
    let buckets = store.signInBuckets(
      of: address, from: network, known: known, epoch: epoch ?? -1)
    try await throttle.admit(buckets, at: now)
    let isKnown = store.knownBucket(known, to: address, epoch: epoch ?? -1) != nil
    let visitor = PasswordVisitor(
      isKnown ? .known : .stranger, from: network, account: address.folded)
    guard try await matches(password, found?.passwordHash, buckets, as: visitor),
      let account = found?.account
    else { throw try await refuse(found?.account.id, at: now) }
    try await rehash(password, found?.passwordHash, of: account, as: visitor, at: now)
    let random = random
    return try await database.write { [store] writer in
      try SignInThrottle.succeeded(buckets, in: writer)
      guard try store.secondFactor(of: account.id, in: writer).isSetUp else {
        let secret = Secret(prefix: Secret.sessionPrefix, random: random)
        let start = SessionStart(kind: kind, proof: .password, device: device)
        try store.startSession(secret, for: account.id, as: start, at: now, in: writer)
        return SignInStep(secret: secret, account: account, isComplete: true)
      }
      let secret = Secret(prefix: Secret.pendingPrefix, random: random)
      try store.startPending(secret, for: account.id, kind: kind, at: now, in: writer)
      return SignInStep(secret: secret, account: account, isComplete: false)
    }
  }

  /// Opens a session for a person who has just proved their identity in another way, and returns
  /// its secret.
  package func openSession(
    for account: Account, as start: SessionStart = SessionStart(), at now: Timestamp
  ) async throws -> Secret {
    let secret = Secret(prefix: Secret.sessionPrefix, random: random)
    try await database.write { [store] writer in
      try store.startSession(secret, for: account.id, as: start, at: now, in: writer)
    }
    return secret
  }

  /// Returns true for the account's password; failures are counted separately from those at sign-in.
  package func isPassword(
    _ password: String, of account: Account, at now: Timestamp
  ) async throws -> Bool {
    let address = try SignInName(account.email)
    let buckets = [store.proofBucket(of: account.id)]
    try await throttle.admit(buckets, at: now)
    let found = try await database.read { [store] in try store.account(named: address, in: $0) }
    let visitor = PasswordVisitor(.known, from: account.id.text, account: address.folded)
    guard try await matches(password, found?.passwordHash, buckets, as: visitor) else {
      _ = try await refuse(account.id, at: now)
      return false
    }
    try await throttle.succeeded(buckets)
    return true
  }

  /// Compares a password in the gate; without one to compare with, the same work is done.
  private func matches(
    _ password: String, _ hash: PasswordHash?, _ buckets: [SignInThrottle.Bucket],
    as visitor: PasswordVisitor
  ) async throws -> Bool {
    guard password.utf8.count <= 1024 else { return false }
    do {
      return try await gate.run(as: visitor) { [cost] in
        guard let hash else {
          _ = try PasswordHash(password: password, salt: Array(repeating: 0, count: 16), cost: cost)
          return false
        }
        return try hash.matches(password)
      }
    } catch AccountError.busy {
      // The password was never compared, so this was not a guess.
      try await throttle.forgive(buckets)
      throw AccountError.busy
    }
  }

  /// Audits a failure that was already counted, and returns the single error for all causes.
  func refuse(_ account: AccountID?, at now: Timestamp) async throws -> AccountError {
    try await database.write { writer in
      writer.audit(
        AuditEntry(
          at: now, actor: account ?? .unknown, kind: .signIn, patient: nil,
          resource: "Session", resourceID: nil, version: nil, purpose: "care", outcome: .denied))
    }
    return .signInRefused
  }

  /// Rehashes a password stored at another cost.
  private func rehash(
    _ password: String, _ old: PasswordHash?, of account: Account, as visitor: PasswordVisitor,
    at now: Timestamp
  ) async throws {
    guard let old, old.cost != cost else { return }
    let new = try await derive(password, as: visitor)
    try await database.write { [store] writer in
      try store.replace(old, by: new, of: account.id, at: now, in: writer)
    }
  }

  private func derive(
    _ password: String, as visitor: PasswordVisitor
  ) async throws -> PasswordHash {
    let salt = random(16)
    return try await gate.run(as: visitor) { [cost] in
      try PasswordHash(password: password, salt: salt, cost: cost)
    }
  }
}
