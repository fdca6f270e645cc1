// SPDX-License-Identifier: Apache-2.0

import Accounts
import Foundation
import Identifiers
import Storage

/// A device as its owner sees it.
package struct PushSubscription: Sendable, Hashable {
  package let id: DeviceID
  package let account: AccountID
  /// The push service.
  package let host: String
  /// What the person or the browser called the device.
  package let label: String?
  package let created: Timestamp
  /// When the person last tapped the test.
  package let confirmed: Timestamp?
  package let lastShown: Timestamp?
  /// Handed over since it last showed one.
  package let unshown: Int64
  /// Whether it is treated as broken, so that mail goes at once.
  package let isBroken: Bool
  /// When it was handed the first that it did not show; nil where it showed the last one.
  package let silentSince: Timestamp?

  /// The address without what makes it secret.
  package var maskedAddress: String { Self.masked(host: host, id: id) }

  static func masked(host: String, id: DeviceID) -> String { "\(host)/…\(id.text.suffix(4))" }
}

/// What a browser gives for a device, checked by the caller.
package struct PushSubscriptionDetails: Sendable, Hashable {
  package let endpoint: String
  package let p256dh: String
  package let auth: String
  package let host: String
  package let label: String?
  /// The credential of the session that made it, which takes it along when it ends.
  package let session: String?

  package init(
    endpoint: String, p256dh: String, auth: String, host: String, label: String?,
    session: String?
  ) {
    self.endpoint = endpoint
    self.p256dh = p256dh
    self.auth = auth
    self.host = host
    self.label = label
    self.session = session
  }
}

/// The devices that reminders go to.
///
/// Addresses and keys are sealed, and rows of devices that are gone are kept without them, for the
/// story of what was delivered.
package enum PushSubscriptions {
  /// More devices than this and the one added longest ago goes.
  package static let largestCount = 20

  /// Adds a device, or brings a known one up to date; the same endpoint keeps its id.
  ///
  /// A browser in which another account was signed in before belongs to the new one alone.
  package static func add(
    _ details: PushSubscriptionDetails, account: AccountID, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws(StorageError) -> (id: DeviceID, isNew: Bool) {
    let cipher = context.accounts.cipher
    let index = cipher.blindIndex(details.endpoint, context: PushSecrets.indexContext)
    let known = try writer.first(
      "SELECT subscription, account, gone FROM push_subscriptions WHERE endpoint_index = $1",
      [.blob(index)])
    if let known, try known.id(1) == account, try known.optionalInteger(2) == nil {
      let id: DeviceID = try known.id(0)
      let sealed = try PushSecrets.seal(details, subscription: id, cipher: cipher)
      try writer.execute(
        """
        UPDATE push_subscriptions SET keys_sealed = $1, label = COALESCE($2, label),
          session = COALESCE($3, session)
        WHERE subscription = $4
        """,
        [
          .blob(sealed.keys), SQLValue(details.label), SQLValue(details.session), .text(id),
        ])
      return (id, false)
    }
    if let known { try bury(try known.id(0), at: context.now, in: writer) }
    let id: DeviceID = context.newID()
    let sealed = try PushSecrets.seal(details, subscription: id, cipher: cipher)
    try writer.execute(
      """
      INSERT INTO push_subscriptions (subscription, account, session, endpoint_sealed,
        endpoint_index, keys_sealed, host, label, created, handed_over, unshown)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, 0)
      """,
      [
        .text(id), .text(account), SQLValue(details.session), .blob(sealed.endpoint),
        .blob(index), .blob(sealed.keys), .text(details.host), SQLValue(details.label),
        SQLValue(context.now),
      ])
    try makeRoom(account, at: context.now, in: writer)
    return (id, true)
  }

  private static func makeRoom(_ account: AccountID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    let rows = try writer.query(
      """
      SELECT subscription FROM push_subscriptions WHERE account = $1 AND gone IS NULL
      ORDER BY created DESC, subscription DESC
      """, [.text(account)])
    for row in rows.dropFirst(largestCount) { try bury(try row.id(0), at: now, in: writer) }
  }

  /// The devices of an account that are not gone, the newest first.
  package static func list(_ account: AccountID, now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [PushSubscription]
  {
    let rows = try reader.query(
      """
      SELECT subscription, account, host, label, created, confirmed, last_shown, unshown,
        first_unshown
      FROM push_subscriptions WHERE account = $1 AND gone IS NULL
      ORDER BY created DESC, subscription DESC
      """, [.text(account)])
    var found: [PushSubscription] = []
    for row in rows { found.append(try PushSubscription(row, now: now)) }
    return found
  }

  /// Removes a device; false where the account has none of that id.
  package static func remove(
    _ id: DeviceID, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let known = try writer.first(
      "SELECT 1 FROM push_subscriptions WHERE subscription = $1 AND account = $2 AND gone IS NULL",
      [.text(id), .text(account)])
    guard known != nil else { return false }
    try bury(id, at: now, in: writer)
    return true
  }

  /// Removes the devices that a session added, when it ends.
  package static func removeOfSession(
    _ session: String, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let rows = try writer.query(
      """
      SELECT subscription FROM push_subscriptions
      WHERE account = $1 AND session = $2 AND gone IS NULL
      """, [.text(account), .text(session)])
    for row in rows { try bury(try row.id(0), at: now, in: writer) }
  }

  /// The session of a device goes on under another name.
  package static func move(
    ofSession old: String, to new: String, account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE push_subscriptions SET session = $1 WHERE account = $2 AND session = $3",
      [.text(new), .text(account), .text(old)])
  }

  /// Notes that the person tapped the test on the device; false where the account has no such one.
  package static func confirm(
    _ id: DeviceID, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE push_subscriptions SET confirmed = $1, last_shown = $1, unshown = 0,
        first_unshown = NULL
      WHERE subscription = $2 AND account = $3 AND gone IS NULL
      """, [SQLValue(now), .text(id), .text(account)]) > 0
  }

  /// Forgets address and keys of a device that is gone; the row stays for the story.
  static func bury(_ id: DeviceID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE push_subscriptions SET gone = $1, endpoint_sealed = $2, keys_sealed = $2,
        endpoint_index = $3
      WHERE subscription = $4 AND gone IS NULL
      """, [SQLValue(now), .blob([]), .blob(Array("gone:\(id)".utf8)), .text(id)])
  }
}

extension PushSubscription {
  fileprivate init(_ row: SQLRow, now: Timestamp) throws(StorageError) {
    id = try row.id(0)
    account = try row.id(1)
    host = try row.text(2)
    label = try row.optionalText(3)
    created = try row.timestamp(4)
    confirmed = try row.optionalTimestamp(5)
    lastShown = try row.optionalTimestamp(6)
    unshown = try row.integer(7)
    silentSince = try row.optionalTimestamp(8)
    isBroken = ReminderRecipient.Device(
      subscription: id.text, unshown: unshown, firstUnshown: silentSince
    ).isBroken(at: now)
  }
}

/// How the secrets of devices are sealed.
enum PushSecrets {
  static let indexContext = "push_subscriptions:endpoint"

  static func seal(
    _ details: PushSubscriptionDetails, subscription: DeviceID, cipher: FieldCipher
  ) throws(StorageError) -> (endpoint: [UInt8], keys: [UInt8]) {
    (
      try cipher.seal(details.endpoint, context: "push_subscriptions:\(subscription):endpoint"),
      try cipher.seal(
        "\(details.p256dh)\n\(details.auth)", context: "push_subscriptions:\(subscription):keys")
    )
  }

  static func open(
    subscription: String, endpoint: [UInt8], keys: [UInt8], cipher: FieldCipher
  ) throws(StorageError) -> PushAddress {
    let opened = try cipher.open(keys, context: "push_subscriptions:\(subscription):keys")
      .split(separator: "\n", omittingEmptySubsequences: false)
    guard opened.count == 2 else { throw .decryptionFailed }
    return PushAddress(
      subscription: subscription,
      endpoint: try cipher.open(
        endpoint, context: "push_subscriptions:\(subscription):endpoint"),
      p256dh: String(opened[0]), auth: String(opened[1]))
  }
}
