// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The second step of a sign-in, and new proofs of identity.
extension SignIn {
  /// Checks the code for a pending sign-in and opens the session.
  ///
  /// Throws ``AccountError/signInOutdated`` if too much time has passed since the first step.
  package func finish(
    _ pending: Secret, code: String, device: String, at now: Timestamp
  ) async throws -> SignInStep {
    let found = try await database.read { [store] in try store.pending(pending, at: now, in: $0) }
    guard let found else { throw AccountError.signInOutdated }
    let account = found.account
    let secret = Secret(prefix: Secret.sessionPrefix, random: random)
    let bucket = store.codeBucket(of: account.id)
    let isTaken = try await database.write { [store] writer in
      try SignInThrottle.admit([bucket], at: now, in: writer)
      guard try store.pending(pending, at: now, in: writer) != nil,
        let proof = try store.takeCode(code, of: account.id, at: now, in: writer)
      else { return false }
      let start = SessionStart(kind: found.kind, proof: proof, device: device)
      try store.startSession(secret, for: account.id, as: start, at: now, in: writer)
      try store.endPending(pending, in: writer)
      try SignInThrottle.succeeded([bucket], in: writer)
      return true
    }
    guard isTaken else { throw try await refuse(account.id, at: now) }
    return SignInStep(secret: secret, account: account, isComplete: true)
  }

  /// Starts the second step for a person who chose a password through a link.
  package func startSecondStep(
    for account: Account, kind: SessionKind, at now: Timestamp
  ) async throws -> SignInStep {
    let secret = Secret(prefix: Secret.pendingPrefix, random: random)
    try await database.write { [store] writer in
      try store.startPending(secret, for: account.id, kind: kind, at: now, in: writer)
    }
    return SignInStep(secret: secret, account: account, isComplete: false)
  }

  /// Proves the identity again with a code; returns the new secret of the session, or nil if the
  /// code is wrong.
  package func prove(
    _ session: Secret, code: String, of account: Account, at now: Timestamp
  ) async throws -> Secret? {
    let bucket = store.codeBucket(of: account.id)
    let new = Secret(prefix: Secret.sessionPrefix, random: random)
    let isProved = try await database.write { [store] writer in
      try SignInThrottle.admit([bucket], at: now, in: writer)
      guard let proof = try store.takeCode(code, of: account.id, at: now, in: writer) else {
        return false
      }
      try SignInThrottle.succeeded([bucket], in: writer)
      return try store.prove(session, as: new, by: proof, of: account.id, at: now, in: writer)
    }
    if isProved { return new }
    _ = try await refuse(account.id, at: now)
    return nil
  }

  /// Records a proof that was checked elsewhere; returns the new secret of the session.
  package func prove(
    _ session: Secret, by proof: ProofKind, of account: Account, at now: Timestamp
  ) async throws -> Secret {
    let new = Secret(prefix: Secret.sessionPrefix, random: random)
    let isProved = try await database.write { [store] writer in
      try store.prove(session, as: new, by: proof, of: account.id, at: now, in: writer)
    }
    guard isProved else { throw AccountError.signInOutdated }
    return new
  }

  /// Opens a session with only a passkey, which combines two factors: the device and the way to unlock it.
  package func open(
    _ answer: PasskeyAssertion, party: RelyingParty, instead pending: Secret?, kind: SessionKind,
    device: String, at now: Timestamp
  ) async throws -> SignInStep {
    let secret = Secret(prefix: Secret.sessionPrefix, random: random)
    return try await auditing(at: now) { [database, store] in
      try await database.write { writer in
        let account = try store.check(answer, for: .signIn, party: party, at: now, in: writer)
        let start = SessionStart(kind: kind, proof: .passkey, device: device)
        try store.startSession(secret, for: account.id, as: start, at: now, in: writer)
        if let pending { try store.endPending(pending, in: writer) }
        return SignInStep(secret: secret, account: account, isComplete: true)
      }
    }
  }

  /// Proves the identity again with a passkey of the account; returns the new secret of the
  /// session.
  package func prove(
    _ session: Secret, with answer: PasskeyAssertion, party: RelyingParty, of account: Account,
    at now: Timestamp
  ) async throws -> Secret {
    let new = Secret(prefix: Secret.sessionPrefix, random: random)
    return try await auditing(at: now) { [database, store] in
      try await database.write { writer in
        let act = PasskeyChallenge.Act.prove(account: account.id)
        _ = try store.check(answer, for: act, party: party, at: now, in: writer)
        guard
          try store.prove(session, as: new, by: .passkey, of: account.id, at: now, in: writer)
        else { throw AccountError.signInOutdated }
        return new
      }
    }
  }

  /// Audits a passkey that was rejected.
  private func auditing<Value: Sendable>(
    at now: Timestamp, _ body: @Sendable () async throws -> Value
  ) async throws -> Value {
    do {
      return try await body()
    } catch let error as AccountError {
      try await database.write { writer in
        writer.audit(
          AuditEntry(
            at: now, actor: .unknown, kind: .signIn, patient: nil, resource: "Passkey",
            resourceID: nil, version: nil, purpose: "care", outcome: .denied))
      }
      throw error
    }
  }
}
