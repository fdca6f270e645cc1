// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// A person's identity at a provider, linked to an account for signing in.
package struct Identity: Sendable, Hashable {
  /// The identifier of the link.
  package let id: String
  /// The name of the provider in this installation's settings.
  package let provider: String
  /// The provider's name for the person.
  package let label: String
  /// The time at which it was linked.
  package let created: Timestamp
  /// The time of the last sign-in with it; nil for none.
  package let used: Timestamp?
}

/// The identity that a person proved at a provider.
package struct ProvenIdentity: Sendable, Hashable {
  /// The name of the provider in this installation's settings.
  package let provider: String
  /// The issuer, which together with the subject identifies one person permanently.
  package let issuer: String
  /// The person's identifier at the issuer.
  package let subject: String
  /// The provider's name for the person, for display.
  package let label: String

  /// Creates an identity.
  package init(provider: String, issuer: String, subject: String, label: String) {
    self.provider = provider
    self.issuer = issuer
    self.subject = subject
    self.label = label
  }
}

/// A reason why a change of identities was refused.
package enum IdentityError: Error, Sendable, Hashable {
  case notFound
  /// Another account already signs in with it.
  case taken
  /// Without it, the owner could no longer sign in.
  case lastWayIn
  case tooMany(maximum: Int)
}

/// The rows of `identities`.
///
/// Accounts are found only by issuer and subject: an e-mail address reported by a provider proves nothing
/// here, because anyone who gets that address there would get in.
extension AccountStore {
  /// The maximum number of identities of one account.
  package static let maximumIdentities = 20

  func subjectIndex(_ proven: ProvenIdentity) -> [UInt8] {
    cipher.blindIndex("\(proven.issuer)\n\(proven.subject)", context: "identities:subject")
  }

  private static func labelContext(_ identity: String) -> String {
    "identities:\(identity):label_sealed"
  }

  /// Returns the account that signs in with a proven identity, and records its use; nil if no
  /// account is linked to it.
  package func account(
    provenBy proven: ProvenIdentity, at now: Timestamp, in writer: any SQLWriter
  ) throws -> Account? {
    let row = try writer.first(Self.identityOwnerStatement, [.blob(subjectIndex(proven))])
    guard let owner = row?.read(IdentityOwnerRow.self),
      let account = try account(owner.id(.account), in: writer)
    else { return nil }
    try writer.execute(
      "UPDATE identities SET used = $1 WHERE identity = $2",
      [SQLValue(now), owner[.identity]])
    return account
  }

  private static let identityOwnerStatement = SQLStatement(
    "SELECT \(IdentityOwnerRow.columns) FROM identities WHERE subject_index = $1")

  /// Returns the identities of an account, the oldest first.
  package func identities(of account: AccountID, in reader: any SQLReader) throws -> [Identity] {
    try reader.query(Self.identitiesStatement, [.text(account)]).map { row in
      let identity = row.read(IdentityRow.self)
      let id = try identity.text(.identity)
      return Identity(
        id: id, provider: try identity.text(.provider),
        label: try cipher.open(
          try identity.blob(.labelSealed), context: Self.labelContext(id)),
        created: try identity.timestamp(.created), used: try identity.optionalTimestamp(.used))
    }
  }

  private static let identitiesStatement = SQLStatement(
    """
    SELECT \(IdentityRow.columns) FROM identities WHERE account = $1 ORDER BY created, identity
    """)

  /// Links a proven identity to an account whose owner is signed in and confirmed it.
  func link(
    _ subjectIndex: [UInt8], label: String, provider: String, to account: AccountID, as id: String,
    at now: Timestamp, in writer: any SQLWriter
  ) throws {
    let known = try writer.first(
      "SELECT account FROM identities WHERE subject_index = $1", [.blob(subjectIndex)])
    if let known {
      guard try known.value(as: AccountID.self) == account else { throw IdentityError.taken }
      return
    }
    let count = try identities(of: account, in: writer).count
    guard count < Self.maximumIdentities else {
      throw IdentityError.tooMany(maximum: Self.maximumIdentities)
    }
    try writer.execute(
      """
      INSERT INTO identities (identity, account, provider, subject_index, label_sealed, created, used)
      VALUES ($1, $2, $3, $4, $5, $6, NULL)
      """,
      [
        .text(id), .text(account), .text(provider), .blob(subjectIndex),
        .blob(try cipher.seal(label, context: Self.labelContext(id))), SQLValue(now),
      ])
    audit(.create, id, of: account, at: now, in: writer)
  }

  /// Removes an identity from an account.
  ///
  /// Throws ``IdentityError/lastWayIn`` if the owner could not sign in without it.
  package func unlink(
    _ id: String, of account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws {
    let own = try writer.query(
      "SELECT identity FROM identities WHERE account = $1", [.text(account)]
    ).values(as: String.self)
    guard own.contains(id) else { throw IdentityError.notFound }
    guard try hasPassword(account, in: writer) || own.count > 1 else {
      throw IdentityError.lastWayIn
    }
    try writer.execute("DELETE FROM identities WHERE identity = $1", [.text(id)])
    audit(.delete, id, of: account, at: now, in: writer)
  }

  private func audit(
    _ kind: AuditEntry.Kind, _ id: String, of account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: nil, resource: "Identity", resourceID: id,
        version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }
}

enum IdentityRow: SQLRowType {
  enum Column: Int, SQLColumn { case identity, provider, labelSealed, created, used }

  static let columns = SQLColumns<Column>()
}

enum IdentityOwnerRow: SQLRowType {
  enum Column: Int, SQLColumn { case identity, account }

  static let columns = SQLColumns<Column>()
}
