// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Identifiers
import Storage

/// The addresses that people set up in addition to push and mail.
///
/// Removed addresses are kept without their secrets, for the history of deliveries.
package enum ChannelAddresses {
  /// The maximum number of addresses of an account.
  package static let largestCount = 10
  /// The prefix of the secret in a test link.
  package static let proofPrefix = "rgp_"
  /// The time for which a test can be confirmed, in milliseconds.
  package static let proofMilliseconds: Int64 = 60 * 60_000

  /// Adds an address and returns its id; nil if the account already has ``largestCount``.
  package static func add(
    _ settings: ChannelSettings, form: ChannelForm, host: String,
    account: AccountID, _ context: ReminderContext, in writer: any SQLWriter
  ) throws(StorageError) -> String? {
    guard try list(account, in: writer).count < largestCount else { return nil }
    let id = context.newIdentifier()
    let row = NewChannelAddressRow(
      address: id, account: account, form: form, host: host,
      settingsSealed: try settings.sealed(id, cipher: context.accounts.cipher),
      created: context.now)
    try ChannelAddressStore.insert(row, in: writer)
    audit(.create, id, account, at: context.now, in: writer)
    return id
  }

  /// Returns the addresses of an account that were not removed, the newest first.
  package static func list(_ account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> [ChannelAddress]
  {
    var found: [ChannelAddress] = []
    for row in try reader.query(listStatement, [.text(account)]) {
      found.append(try ChannelAddress(row.read(ChannelAddressRow.self)))
    }
    return found
  }

  private static let listStatement = SQLStatement(
    """
    SELECT \(ChannelAddressRow.columns) FROM channel_addresses
    WHERE account = $1 AND gone IS NULL ORDER BY created DESC, address DESC
    """)

  /// Removes an address; returns false if the account has none of that id.
  package static func remove(
    _ id: String, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard try ChannelAddressStore.remove(id, account: account, at: now, in: writer) else {
      return false
    }
    audit(.delete, id, account, at: now, in: writer)
    return true
  }

  /// Plans a test message to an address; returns false if the account has none of that id.
  ///
  /// `patient` is the account's own.
  package static func test(
    _ id: String, account: AccountID, patient: PatientID, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    guard let address = try list(account, in: writer).first(where: { $0.id == id }) else {
      return false
    }
    let now = context.now
    let delivery: DeliveryID = context.newID()
    let cipher = context.accounts.cipher
    try ChannelAddressStore.expect(
      proof: address.channel.isPhone
        ? typed(code(delivery, cipher: cipher), at: id, cipher: cipher)
        : proof(delivery, cipher: cipher).digest,
      until: now.adding(milliseconds: proofMilliseconds), of: id, in: writer)
    var row = ReminderRow(
      patient: patient, subject: context.newID(), kind: .test, starts: now, due: now,
      ends: now.adding(milliseconds: ReminderCommands.testMilliseconds), opened: now)
    row.step = 1
    row.nextAt = row.ends
    try ReminderStore.insert(row, in: writer)
    try DeliveryStore.plan(
      delivery, row: row, step: 0,
      to: EscalationAddress(recipient: account, channel: address.channel, address: id), doses: "",
      now: now, in: writer)
    return true
  }

  /// Returns the secret in a test link, derived from its delivery's id with a key outside the database.
  static func proof(_ delivery: DeliveryID, cipher: FieldCipher) -> Secret {
    let code = cipher.blindIndex(delivery.text, context: "channel_addresses:proof")
    return Secret(text: proofPrefix + Base64URL.encode(code))
  }

  /// Returns the account and the address of a test link; nil after it has expired.
  package static func proven(by secret: Secret, at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> (account: AccountID, address: String)?
  {
    guard secret.text.hasPrefix(proofPrefix), secret.text.utf8.count < 100 else { return nil }
    let row = try reader.first(provenStatement, [.blob(secret.digest), SQLValue(now)])?
      .decode(as: TestedAddressRow.self)
    return row.map { ($0.account, $0.address) }
  }

  private static let provenStatement = SQLStatement(
    """
    SELECT \(TestedAddressRow.columns) FROM channel_addresses
    WHERE proof_hash = $1 AND proof_expires > $2 AND gone IS NULL
    """)

  /// Records that the person confirmed the test, so that reminders go to the address from now on.
  package static func confirm(_ address: String, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try ChannelAddressStore.confirm(address, at: now, in: writer)
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ id: String, _ account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: nil, resource: "ChannelAddress",
        resourceID: id, version: nil, purpose: "care", outcome: .success))
  }
}
