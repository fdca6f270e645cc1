// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Identifiers
import Storage

/// A passkey as its owner sees it.
package struct Passkey: Sendable, Hashable {
  package let id: String
  package let name: String
  package let created: Timestamp
  package let used: Timestamp?
  /// What browsers know it by.
  package let credential: [UInt8]
}

/// What a browser brings back when a passkey was made.
package struct PasskeyRegistration: Sendable {
  package let clientData: [UInt8]
  package let attestation: [UInt8]

  package init(clientData: [UInt8], attestation: [UInt8]) {
    self.clientData = clientData
    self.attestation = attestation
  }
}

/// What a browser brings back when a passkey signed.
package struct PasskeyAssertion: Sendable {
  package let credential: [UInt8]
  package let clientData: [UInt8]
  package let authenticatorData: [UInt8]
  package let signature: [UInt8]
  /// Whose passkey it is, as the authenticator says; empty where it says nothing.
  package let userHandle: [UInt8]

  package init(
    credential: [UInt8], clientData: [UInt8], authenticatorData: [UInt8], signature: [UInt8],
    userHandle: [UInt8]
  ) {
    self.userHandle = userHandle
    self.credential = credential
    self.clientData = clientData
    self.authenticatorData = authenticatorData
    self.signature = signature
  }
}

/// Passkeys in the database.
extension AccountStore {
  package static let mostPasskeys = 20
  package static let longestPasskeyName = 60

  /// A challenge for a page.
  package func challenge(
    for act: PasskeyChallenge.Act, random: RandomBytes, at now: Timestamp
  ) -> String {
    PasskeyChallenge.make(for: act, cipher: cipher, random: random, at: now)
  }

  /// The passkeys of an account, the oldest first.
  package func passkeys(
    of account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> [Passkey] {
    try reader.query(
      """
      SELECT passkey, name, created, used, credential FROM passkeys
      WHERE account = $1 ORDER BY created, passkey
      """, [.text(account)]
    ).map { row throws(StorageError) in
      Passkey(
        id: try row.text(0), name: try row.text(1), created: try row.timestamp(2),
        used: try row.optionalTimestamp(3), credential: try row.blob(4))
    }
  }

  /// Keeps a new passkey.
  package func register(
    _ answer: PasskeyRegistration, id: String, name: String, of account: AccountID,
    party: RelyingParty, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    let name = try Self.passkeyName(name)
    let made = try check { () throws(PasskeyFault) in
      let challenge = try PasskeyCheck.challenge(
        in: answer.clientData, type: "webauthn.create", party: party)
      return (challenge, try PasskeyCheck.registration(answer.attestation, party: party))
    }
    try use(made.0, for: .register(account: account), at: now, in: writer)
    let (credential, signs) = made.1
    guard try passkeys(of: account, in: writer).count < Self.mostPasskeys else {
      throw AccountError.tooManyPasskeys(maximum: Self.mostPasskeys)
    }
    let digest = Self.credentialDigest(credential.id)
    let known = try writer.first(
      "SELECT 1 FROM passkeys WHERE credential_digest = $1", [.blob(digest)])
    guard known == nil else { throw AccountError.passkeyRefused(.alreadyKnown) }
    try writer.execute(
      """
      INSERT INTO passkeys (credential_digest, passkey, account, credential, public_key, algorithm,
        relying_party, signs, name, created, used)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, NULL)
      """,
      [
        .blob(digest), .text(id), .text(account), .blob(credential.id), .blob(credential.key.bytes),
        .integer(credential.key.algorithm.rawValue), .text(party.id), .integer(Int64(signs)),
        .text(name), SQLValue(now),
      ])
    auditFactor("Passkey", .create, account, at: now, in: writer)
  }

  /// Checks what a passkey signed; returns whose it is.
  package func check(
    _ answer: PasskeyAssertion, for act: PasskeyChallenge.Act, party: RelyingParty,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account {
    let challenge = try check { () throws(PasskeyFault) in
      try PasskeyCheck.challenge(in: answer.clientData, type: "webauthn.get", party: party)
    }
    try use(challenge, for: act, at: now, in: writer)
    let digest = Self.credentialDigest(answer.credential)
    let row = try writer.first(
      """
      SELECT account, public_key, algorithm, signs FROM passkeys
      WHERE credential_digest = $1 AND relying_party = $2
      """, [.blob(digest), .text(party.id)])
    guard let row, let account = try account(try row.id(0), in: writer),
      let key = PasskeyKey(algorithm: try row.integer(2), bytes: try row.blob(1))
    else { throw AccountError.passkeyRefused(.unknownPasskey) }
    if case .prove(let owner) = act, owner != account.id {
      throw AccountError.passkeyRefused(.foreignPasskey)
    }
    guard answer.userHandle.isEmpty || answer.userHandle == Array(account.id.text.utf8) else {
      throw AccountError.passkeyRefused(.foreignPasskey)
    }
    let before = UInt32(clamping: try row.integer(3))
    let signs = try check { () throws(PasskeyFault) in
      try PasskeyCheck.assertion(
        answer.authenticatorData, clientData: answer.clientData, signature: answer.signature,
        key: key, signs: before, party: party)
    }
    try writer.execute(
      "UPDATE passkeys SET signs = $1, used = $2 WHERE credential_digest = $3",
      [.integer(Int64(signs)), SQLValue(now), .blob(digest)])
    return account
  }

  /// Gives a passkey another name; false where the account has none of that id.
  package func rename(
    passkey id: String, to name: String, of account: AccountID, in writer: any SQLWriter
  ) throws -> Bool {
    try writer.execute(
      "UPDATE passkeys SET name = $1 WHERE account = $2 AND passkey = $3",
      [.text(try Self.passkeyName(name)), .text(account), .text(id)]) == 1
  }

  /// Takes a passkey away; false where the account has none of that id.
  package func remove(
    passkey id: String, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let gone = try writer.execute(
      "DELETE FROM passkeys WHERE account = $1 AND passkey = $2", [.text(account), .text(id)])
    guard gone == 1 else { return false }
    try forgetUnneededCodes(of: account, in: writer)
    auditFactor("Passkey", .delete, account, at: now, in: writer)
    return true
  }

  /// A challenge is good for one answer that holds.
  private func use(
    _ challenge: String, for act: PasskeyChallenge.Act, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard let end = PasskeyChallenge.end(of: challenge, for: act, cipher: cipher, at: now) else {
      throw AccountError.passkeyRefused(.wrongChallenge)
    }
    let used = try writer.execute(
      "INSERT INTO used_challenges (digest, expires) VALUES ($1, $2) ON CONFLICT (digest) DO NOTHING",
      [.blob(Array(SHA256.hash(data: Array(challenge.utf8)))), SQLValue(end)])
    guard used == 1 else { throw AccountError.passkeyRefused(.wrongChallenge) }
  }

  private func check<Value>(_ body: () throws(PasskeyFault) -> Value) throws(AccountError) -> Value
  {
    do throws(PasskeyFault) {
      return try body()
    } catch {
      throw .passkeyRefused(error)
    }
  }

  private static func passkeyName(_ typed: String) throws(AccountError) -> String {
    let name = typed.trimmingCharacters(in: .whitespacesAndNewlines)
    guard !name.isEmpty else { throw .nameMissing }
    guard name.count <= longestPasskeyName else {
      throw .passkeyNameTooLong(maximum: longestPasskeyName)
    }
    return name
  }

  private static func credentialDigest(_ credential: [UInt8]) -> [UInt8] {
    Array(SHA256.hash(data: credential))
  }
}
