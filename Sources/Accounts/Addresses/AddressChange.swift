// SPDX-License-Identifier: Apache-2.0

import Access
import Encodings
import Identifiers
import Storage

/// An address that an account asked for and that has not been proved yet.
package struct AddressProof: Sendable, Hashable {
  /// The account that asked for the address.
  package let account: AccountID
  /// The address or number.
  package let name: SignInName
}

/// Verifies and changes an account's sign-in address.
extension AccountStore {
  /// The lifetime of a link that proves an address, in milliseconds: one day.
  package static let addressProofLifetime = SessionLimits.day

  /// Returns the time since which the account's address is known to reach its owner; nil if it is not proved.
  package func addressProved(
    of account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> Timestamp? {
    try reader.first(
      "SELECT address_proved FROM accounts WHERE account = $1", [.text(account)]
    )?.value(as: Timestamp?.self) ?? nil
  }

  /// Stores an address until the link sent to it is followed, replacing an earlier one.
  ///
  /// Attempts are counted by account and address, so that no one is flooded with mail.
  ///
  /// - Parameter code: the code sent to a phone number, to be typed by the person who asked; nil if the
  ///   secret itself is sent in a link.
  package func startAddressProof(
    _ secret: Secret, of name: SignInName, code: ProofCode? = nil, for account: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws {
    let texts: [SignInThrottle.Bucket] = code == nil ? [] : [textsBucket]
    try SignInThrottle.admit(
      [
        .target(attemptKey("address-by", account.text)),
        .target(attemptKey("address-to", name.folded)),
      ] + texts, at: now, in: writer)
    let digest = secret.digest
    let sealed = try cipher.seal(name.text, context: Self.proofContext(digest))
    let lifetime = code == nil ? Self.addressProofLifetime : ProofCode.lifetime
    try AddressProofStore.delete(of: account, in: writer)
    try AddressProofStore.insert(
      NewAddressProofRow(
        digest: digest, account: account, addressSealed: sealed, created: now,
        expires: now.adding(milliseconds: lifetime),
        codeIndex: code.map { codeIndex($0.text, digest) }), in: writer)
  }

  /// Returns the address that a link proves; nil after it has expired.
  package func addressProof(
    _ secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws -> AddressProof? {
    let row = try reader.first(Self.addressProofStatement, [.blob(secret.digest), SQLValue(now)])
    guard let proof = row?.read(AddressProofRow.self) else { return nil }
    let text = try cipher.open(
      try proof.blob(.addressSealed), context: Self.proofContext(secret.digest))
    return AddressProof(account: try proof.id(.account), name: try SignInName(text))
  }

  private static let addressProofStatement = SQLStatement(
    """
    SELECT \(AddressProofRow.columns) FROM address_proofs
    WHERE digest = $1 AND expires > $2 AND code_index IS NULL
    """)

  /// Uses a proof once: the account has the address from now on.
  ///
  /// Returns the account as it was before; nil if the link has expired.
  ///
  /// Throws ``AccountError/emailTaken`` if another account has the address.
  package func prove(
    address secret: Secret, at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account? {
    guard let proof = try addressProof(secret, at: now, in: writer),
      let account = try account(proof.account, in: writer)
    else { return nil }
    try rename(account, to: proof.name, proved: now, at: now, in: writer)
    return account
  }

  /// Changes the sign-in address of an account.
  ///
  /// Links sent to the earlier address become invalid, because the mailbox may belong to someone else now.
  ///
  /// Throws ``AccountError/emailTaken`` if another account has the address.
  ///
  /// - Parameter proved: the time at which the owner proved that they read the address; nil without proof.
  package func rename(
    _ account: Account, to name: SignInName, proved: Timestamp?, at now: Timestamp,
    by actor: AccountID? = nil, in writer: any SQLWriter
  ) throws {
    let index = nameIndex(name)
    let other = try writer.first(
      "SELECT 1 FROM accounts WHERE email_index = $1 AND account <> $2",
      [.blob(index), .text(account.id)])
    guard other == nil else { throw AccountError.emailTaken }
    try Self.set(
      emailSealed: try seal(name, of: account.id), emailIndex: index, isByPhone: name.isPhone,
      proved: proved, of: account.id, at: now, in: writer)
    try AddressProofStore.delete(of: account.id, in: writer)
    try InvitationStore.useUp(of: account.id, at: now, in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: actor ?? account.id, kind: .update, patient: nil, resource: "AccountName",
        resourceID: account.id.text, version: nil, purpose: Purpose.administration.rawValue,
        outcome: .success))
  }

  static func proofContext(_ digest: [UInt8]) -> String {
    "address_proofs:\(Hexadecimal.encode(digest)):address"
  }
}

enum AddressProofRow: SQLRowType {
  enum Column: Int, SQLColumn { case account, addressSealed }

  static let columns = SQLColumns<Column>()
}
