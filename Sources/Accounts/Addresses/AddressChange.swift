// SPDX-License-Identifier: Apache-2.0

import Access
import Storage

/// An address that an account wants to have, and that nobody has said yes to so far.
package struct AddressProof: Sendable, Hashable {
  package let account: String
  package let address: EmailAddress
}

/// Proving and changing what an account is signed in to by.
extension AccountStore {
  /// A link that proves an address is good for a day.
  package static let addressProofLifetime = SessionLimits.day

  /// Since when it is known that mail to the account's address reaches its owner; nil: it is not.
  package func addressProved(
    of account: String, in reader: any SQLReader
  ) throws(StorageError) -> Timestamp? {
    try reader.first(
      "SELECT address_proved FROM accounts WHERE account = $1", [.text(account)]
    ).flatMap { row throws(StorageError) in try row.optionalTimestamp(0) }
  }

  /// Keeps an address until the link that is sent to it is followed; one before it is forgotten.
  ///
  /// Counted by account and address, so that nobody is flooded with mail.
  package func startAddressProof(
    _ secret: Secret, of address: EmailAddress, for account: String, at now: Timestamp,
    in writer: any SQLWriter
  ) throws {
    try SignInThrottle.admit(
      [
        .target(attemptKey("address-by", account)),
        .target(attemptKey("address-to", address.folded)),
      ], at: now, in: writer)
    let sealed = try cipher.seal(address.text, context: Self.proofContext(secret.digest))
    try forgetAddressProofs(of: account, in: writer)
    try writer.execute(
      """
      INSERT INTO address_proofs (digest, account, address_sealed, created, expires)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .blob(secret.digest), .text(account), .blob(sealed), SQLValue(now),
        SQLValue(now.adding(milliseconds: Self.addressProofLifetime)),
      ])
  }

  /// What a link proves; nil where it is over.
  package func addressProof(
    _ secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> AddressProof? {
    let row = try reader.first(
      "SELECT account, address_sealed FROM address_proofs WHERE digest = $1 AND expires > $2",
      [.blob(secret.digest), SQLValue(now)])
    guard let row else { return nil }
    let text = try cipher.open(try row.blob(1), context: Self.proofContext(secret.digest))
    return AddressProof(account: try row.text(0), address: try EmailAddress(text))
  }

  /// Takes a proof, once: the account has the address from now on.
  ///
  /// Returns the account as it was; nil where the link is over.
  ///
  /// Throws ``AccountError/emailTaken`` where another account has the address.
  package func prove(
    address secret: Secret, at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account? {
    guard let proof = try addressProof(secret, at: now, in: writer),
      let account = try account(proof.account, in: writer)
    else { return nil }
    try rename(account, to: SignInName(proof.address), proved: now, at: now, in: writer)
    return account
  }

  /// Changes what an account is signed in to by.
  ///
  /// Links that were made for the name before are worth nothing any more: they may lie in a mailbox that
  /// is somebody else's now.
  ///
  /// Throws ``AccountError/emailTaken`` where another account has the name.
  ///
  /// - Parameter proved: when its owner was shown to read the address; nil where nobody was.
  package func rename(
    _ account: Account, to name: SignInName, proved: Timestamp?, at now: Timestamp,
    by actor: String? = nil, in writer: any SQLWriter
  ) throws {
    let index = nameIndex(name)
    let other = try writer.first(
      "SELECT 1 FROM accounts WHERE email_index = $1 AND account <> $2",
      [.blob(index), .text(account.id)])
    guard other == nil else { throw AccountError.emailTaken }
    try writer.execute(
      """
      UPDATE accounts SET email_sealed = $1, email_index = $2, by_phone = $3, address_proved = $4,
        changed = $5 WHERE account = $6
      """,
      [
        .blob(try seal(name, of: account.id)), .blob(index), SQLValue(name.isPhone),
        SQLValue(proved?.milliseconds), SQLValue(now), .text(account.id),
      ])
    try forgetAddressProofs(of: account.id, in: writer)
    try writer.execute(
      "UPDATE invitations SET used = $1 WHERE account = $2 AND used IS NULL",
      [SQLValue(now), .text(account.id)])
    writer.audit(
      AuditEntry(
        at: now, actor: actor ?? account.id, kind: .update, patient: nil, resource: "AccountName",
        resourceID: account.id, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }

  func forgetAddressProofs(
    of account: String, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM address_proofs WHERE account = $1", [.text(account)])
  }

  private static func proofContext(_ digest: [UInt8]) -> String {
    "address_proofs:\(Hexadecimal.encode(digest)):address"
  }
}
