// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Identifiers
import Storage

/// The choice of an account for or against reminders by mail, and the link in each mail that turns
/// them off.
package enum Mailboxes {
  /// The prefix of the secret in a link that turns mail reminders off.
  package static let prefix = "rgm_"

  /// Stores the link that turns the mailbox's reminders off, the same in every mail to one address.
  static func keepLink(
    of account: AccountID, email: String, cipher: FieldCipher, in writer: any SQLWriter
  ) throws(StorageError) -> Secret {
    let code = cipher.blindIndex("\(account):\(email)", context: "mailbox_choices:secret")
    let secret = Secret(text: prefix + Base64URL.encode(code))
    try writer.execute(
      """
      INSERT INTO mailbox_choices (account, link_hash) VALUES ($1, $2)
      ON CONFLICT (account) DO UPDATE SET link_hash = excluded.link_hash
      """, [.text(account), .blob(secret.digest)])
    return secret
  }

  /// Returns the account whose mail reminders a link turns off; nil for an unknown link.
  package static func account(of secret: Secret, in reader: any SQLReader)
    throws(StorageError) -> AccountID?
  {
    guard secret.text.hasPrefix(prefix), secret.text.utf8.count < 100 else { return nil }
    return try reader.first(
      """
      SELECT m.account FROM mailbox_choices m JOIN accounts a ON a.account = m.account
      WHERE m.link_hash = $1
      """, [.blob(secret.digest)])?.value(as: AccountID.self)
  }

  /// Returns the time since which mail reminders are off; nil while they are on.
  package static func silenced(_ account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> Timestamp?
  {
    try reader.first(
      "SELECT silenced FROM mailbox_choices WHERE account = $1", [.text(account)]
    )?.value(as: Timestamp?.self)
  }

  /// Turns mail reminders off or on; waiting deliveries are not sent while they are off.
  package static func silence(
    _ isSilent: Bool, _ account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO mailbox_choices (account, silenced) VALUES ($1, $2)
      ON CONFLICT (account) DO UPDATE SET silenced = excluded.silenced
      """, [.text(account), isSilent ? SQLValue(now) : .null])
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: nil, resource: "MailboxChoice",
        resourceID: account.text, version: nil, purpose: "care", outcome: .success))
  }
}
