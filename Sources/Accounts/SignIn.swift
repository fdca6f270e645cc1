// SPDX-License-Identifier: Apache-2.0

import Storage

/// The doors: checking passwords and opening sessions, at bounded cost.
package struct SignIn: Sendable {
  private let database: Database
  private let store: AccountStore
  private let gate: PasswordGate
  private let throttle: SignInThrottle
  private let random: RandomBytes
  private let cost: PasswordCost

  package init(
    database: Database, store: AccountStore, gate: PasswordGate, throttle: SignInThrottle,
    random: @escaping RandomBytes, cost: PasswordCost = .standard
  ) {
    self.database = database
    self.store = store
    self.gate = gate
    self.throttle = throttle
    self.random = random
    self.cost = cost
  }

  /// Derives the stored form of a new password after checking it against the rules.
  package func hash(
    newPassword: String, rules: PasswordRules, context: [String]
  ) async throws -> PasswordHash {
    try rules.check(newPassword, context: context + ["regimen"])
    let salt = random(16)
    return try await gate.run { [cost] in
      try PasswordHash(password: newPassword, salt: salt, cost: cost)
    }
  }

  /// Checks address and password and opens a session.
  ///
  /// An unknown address costs as much time as a wrong password, so that neither is told apart.
  package func open(
    email typed: String, password: String, at now: Timestamp
  ) async throws -> (secret: Secret, account: Account) {
    let address: EmailAddress
    do {
      address = try EmailAddress(typed)
    } catch {
      throw AccountError.signInRefused
    }
    let key = store.throttleKey(of: address)
    try throttle.check(key, at: now)
    guard password.utf8.count <= 1024 else { throw AccountError.signInRefused }
    let found = try await database.read { [store] in try store.account(email: address, in: $0) }
    let hash = found?.passwordHash
    let matches = try await gate.run { [cost] in
      guard let hash else {
        _ = try PasswordHash(password: password, salt: Array(repeating: 0, count: 16), cost: cost)
        return false
      }
      return try hash.matches(password)
    }
    guard matches, let account = found?.account else {
      throttle.failed(key, at: now)
      try await database.write { writer in
        writer.audit(
          AuditEntry(
            at: now, actor: found?.account.id ?? "unknown", kind: .signIn, patient: nil,
            resource: "Session", resourceID: nil, version: nil, purpose: "care", outcome: .denied))
      }
      throw AccountError.signInRefused
    }
    throttle.succeeded(key)
    return (try await openSession(for: account, at: now), account)
  }

  /// Opens a session for somebody who has just proved who they are in another way.
  package func openSession(for account: Account, at now: Timestamp) async throws -> Secret {
    let secret = Secret(prefix: Secret.sessionPrefix, random: random)
    try await database.write { [store] writer in
      try store.startSession(secret, for: account.id, at: now, in: writer)
    }
    return secret
  }
}

extension AccountStore {
  func throttleKey(of address: EmailAddress) -> [UInt8] {
    cipher.blindIndex(address.folded, context: "accounts:sign-in")
  }
}
