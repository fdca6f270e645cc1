// SPDX-License-Identifier: Apache-2.0

import Crypto
import Foundation
import Identifiers
import Storage

/// A passkey as its owner sees it.
package struct Passkey: Sendable, Hashable {
  /// The identifier of the passkey.
  package let id: PasskeyID
  /// The name that its owner gave it.
  package let name: String
  /// The time at which it was added.
  package let created: Timestamp
  /// The time of its last use; nil for none.
  package let used: Timestamp?
  /// The credential id that browsers use.
  package let credential: [UInt8]
}

extension Passkey: SQLReadableRow {
  /// The columns of a passkey.
  package enum Column: Int, SQLColumn { case passkey, name, created, used, credential }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a passkey from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      id: try columns.id(.passkey), name: try columns.text(.name),
      created: try columns.timestamp(.created), used: try columns.optionalTimestamp(.used),
      credential: try columns.blob(.credential))
  }
}

enum PasskeyKeyRow: SQLRowType {
  enum Column: Int, SQLColumn { case account, publicKey, algorithm, signs }

  static let columns = SQLColumns<Column>()
}

/// A browser's answer after creating a passkey.
package struct PasskeyRegistration: Sendable {
  /// The client data, as JSON bytes.
  package let clientData: [UInt8]
  /// The attestation object, as CBOR bytes.
  package let attestation: [UInt8]

  /// Creates an answer.
  package init(clientData: [UInt8], attestation: [UInt8]) {
    self.clientData = clientData
    self.attestation = attestation
  }
}

/// A browser's answer after signing with a passkey.
package struct PasskeyAssertion: Sendable {
  /// The credential id.
  package let credential: [UInt8]
  /// The client data, as JSON bytes.
  package let clientData: [UInt8]
  /// The authenticator data that was signed.
  package let authenticatorData: [UInt8]
  /// The signature over authenticator data and the hash of the client data.
  package let signature: [UInt8]
  /// The owner's handle as reported by the authenticator; empty if it reports none.
  package let userHandle: [UInt8]

  /// Creates an answer.
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
  /// The maximum number of passkeys of an account.
  package static let mostPasskeys = 20
  /// The maximum length of a passkey's name, in characters.
  package static let longestPasskeyName = 60

  /// Returns a new challenge for a page.
  package func challenge(
    for act: PasskeyChallenge.Act, random: RandomBytes, at now: Timestamp
  ) -> String {
    PasskeyChallenge.make(for: act, cipher: cipher, random: random, at: now)
  }

  /// Returns the passkeys of an account, the oldest first.
  package func passkeys(
    of account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> [Passkey] {
    try reader.query(Self.passkeysStatement, [.text(account)]).decode()
  }

  private static let passkeysStatement = SQLStatement(
    "SELECT \(Passkey.columns) FROM passkeys WHERE account = $1 ORDER BY created, passkey")

  /// Adds a passkey to an account after checking the browser's answer.
  ///
  /// Throws ``AccountError/passkeyRefused(_:)`` if it is not valid.
  package func register(
    _ answer: PasskeyRegistration, id: PasskeyID, name: String, of account: AccountID,
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
    try PasskeyStore.insert(
      NewPasskeyRow(
        credentialDigest: digest, passkey: id, account: account, credential: credential.id,
        key: credential.key, relyingParty: party.id, signs: signs, name: name, created: now),
      in: writer)
    auditFactor("Passkey", .create, account, at: now, in: writer)
  }

  /// Checks the browser's answer after creating a passkey for an account that does not exist yet.
  ///
  /// It rejects everything that ``register(_:id:name:of:party:at:in:)`` would reject, and changes nothing.
  package func checkRegistration(
    _ answer: PasskeyRegistration, of account: AccountID, party: RelyingParty, at now: Timestamp,
    in reader: any SQLReader
  ) throws {
    let (challenge, credential) = try check { () throws(PasskeyFault) in
      let challenge = try PasskeyCheck.challenge(
        in: answer.clientData, type: "webauthn.create", party: party)
      return (challenge, try PasskeyCheck.registration(answer.attestation, party: party).credential)
    }
    let end = PasskeyChallenge.end(
      of: challenge, for: .register(account: account), cipher: cipher, at: now)
    guard end != nil, try self.account(account, in: reader) == nil else {
      throw AccountError.passkeyRefused(.wrongChallenge)
    }
    let known = try reader.first(
      "SELECT 1 FROM passkeys WHERE credential_digest = $1",
      [.blob(Self.credentialDigest(credential.id))])
    guard known == nil else { throw AccountError.passkeyRefused(.alreadyKnown) }
  }

  /// Checks the answer of a passkey and returns its account.
  ///
  /// Throws ``AccountError/passkeyRefused(_:)`` if it is not valid.
  package func check(
    _ answer: PasskeyAssertion, for act: PasskeyChallenge.Act, party: RelyingParty,
    at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account {
    let challenge = try check { () throws(PasskeyFault) in
      try PasskeyCheck.challenge(in: answer.clientData, type: "webauthn.get", party: party)
    }
    try use(challenge, for: act, at: now, in: writer)
    let digest = Self.credentialDigest(answer.credential)
    let row = try writer.first(Self.passkeyKeyStatement, [.blob(digest), .text(party.id)])
    guard let passkey = row?.read(PasskeyKeyRow.self),
      let account = try account(passkey.id(.account), in: writer),
      let key = PasskeyKey(
        algorithm: try passkey.integer(.algorithm), bytes: try passkey.blob(.publicKey))
    else { throw AccountError.passkeyRefused(.unknownPasskey) }
    if case .prove(let owner) = act, owner != account.id {
      throw AccountError.passkeyRefused(.foreignPasskey)
    }
    guard answer.userHandle.isEmpty || answer.userHandle == Array(account.id.text.utf8) else {
      throw AccountError.passkeyRefused(.foreignPasskey)
    }
    let before = UInt32(clamping: try passkey.integer(.signs))
    let signs = try check { () throws(PasskeyFault) in
      try PasskeyCheck.assertion(
        answer.authenticatorData, clientData: answer.clientData, signature: answer.signature,
        key: key, signs: before, party: party)
    }
    try PasskeyStore.use(digest, signs: signs, at: now, in: writer)
    return account
  }

  private static let passkeyKeyStatement = SQLStatement(
    """
    SELECT \(PasskeyKeyRow.columns) FROM passkeys
    WHERE credential_digest = $1 AND relying_party = $2
    """)

  /// Renames a passkey; returns false if the account has none of that id.
  package func rename(
    passkey id: PasskeyID, to name: String, of account: AccountID, in writer: any SQLWriter
  ) throws -> Bool {
    try PasskeyStore.rename(id, to: Self.passkeyName(name), of: account, in: writer)
  }

  /// Removes a passkey; returns false if the account has none of that id.
  package func remove(
    passkey id: PasskeyID, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard try PasskeyStore.delete(id, of: account, in: writer) else { return false }
    try forgetUnneededCodes(of: account, in: writer)
    auditFactor("Passkey", .delete, account, at: now, in: writer)
    return true
  }

  /// Uses up a challenge, which is valid for one correct answer.
  private func use(
    _ challenge: String, for act: PasskeyChallenge.Act, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    guard let end = PasskeyChallenge.end(of: challenge, for: act, cipher: cipher, at: now) else {
      throw AccountError.passkeyRefused(.wrongChallenge)
    }
    let digest = Array(SHA256.hash(data: Array(challenge.utf8)))
    guard try PasskeyStore.use(challenge: digest, until: end, in: writer) else {
      throw AccountError.passkeyRefused(.wrongChallenge)
    }
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
