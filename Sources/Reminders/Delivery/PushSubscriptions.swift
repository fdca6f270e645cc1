// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// The devices that receive reminders: the table `push_subscriptions`, with the files next to this one.
///
/// Addresses and keys are encrypted. Rows of removed devices are kept without them, for the history of
/// deliveries. `Scripts/check-tables.py` rejects statements elsewhere that change the table.
package enum PushSubscriptions {
  /// The maximum number of devices of an account; adding another one removes the oldest.
  package static let largestCount = 20

  /// Adds a device or updates a known one; the same endpoint of the same account keeps its id.
  ///
  /// A browser used by another account before belongs only to the new account.
  package static func add(
    _ details: PushSubscriptionDetails, account: AccountID, _ context: ReminderContext,
    in writer: any SQLWriter
  ) throws(StorageError) -> (id: DeviceID, isNew: Bool) {
    let cipher = context.accounts.cipher
    let index = cipher.blindIndex(details.endpoint, context: PushSecrets.indexContext)
    let known = try writer.first(knownStatement, [.blob(index)])?
      .decode(as: KnownSubscriptionRow.self)
    if let known, known.account == account, known.gone == nil {
      let id = known.subscription
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
    if let known { try bury(known.subscription, at: context.now, in: writer) }
    let id: DeviceID = context.newID()
    let sealed = try PushSecrets.seal(details, subscription: id, cipher: cipher)
    let row = NewSubscriptionRow(
      subscription: id, account: account, details: details, endpointSealed: sealed.endpoint,
      endpointIndex: index, keysSealed: sealed.keys, created: context.now)
    try writer.execute(insertStatement, row.values)
    try makeRoom(account, at: context.now, in: writer)
    return (id, true)
  }

  private static let knownStatement = SQLStatement(
    "SELECT \(KnownSubscriptionRow.columns) FROM push_subscriptions WHERE endpoint_index = $1")

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO push_subscriptions (\(NewSubscriptionRow.columns))
    VALUES (\(NewSubscriptionRow.placeholders))
    """)

  private static func makeRoom(_ account: AccountID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    let ids = try writer.query(
      """
      SELECT subscription FROM push_subscriptions WHERE account = $1 AND gone IS NULL
      ORDER BY created DESC, subscription DESC
      """, [.text(account)]
    ).values(as: DeviceID.self)
    for id in ids.dropFirst(largestCount) { try bury(id, at: now, in: writer) }
  }

  /// Returns the devices of an account that were not removed, the newest first.
  package static func list(_ account: AccountID, now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> [PushSubscription]
  {
    var found: [PushSubscription] = []
    for row in try reader.query(listStatement, [.text(account)]) {
      found.append(try PushSubscription(row.read(SubscriptionRow.self), now: now))
    }
    return found
  }

  private static let listStatement = SQLStatement(
    """
    SELECT \(SubscriptionRow.columns) FROM push_subscriptions
    WHERE account = $1 AND gone IS NULL
    ORDER BY created DESC, subscription DESC
    """)

  /// Removes a device; returns false if the account has none of that id.
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
    _ session: SessionID, account: AccountID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let ids = try writer.query(
      """
      SELECT subscription FROM push_subscriptions
      WHERE account = $1 AND session = $2 AND gone IS NULL
      """, [.text(account), .text(session)]
    ).values(as: DeviceID.self)
    for id in ids { try bury(id, at: now, in: writer) }
  }

  /// Moves devices to the new session when a session continues under a new secret.
  package static func move(
    ofSession old: SessionID, to new: SessionID, account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE push_subscriptions SET session = $1 WHERE account = $2 AND session = $3",
      [.text(new), .text(account), .text(old)])
  }

  /// Records that the person confirmed the test on the device; returns false if the account has no
  /// such device.
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

  /// Deletes the address and keys of a removed device; the row stays for the history of deliveries.
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

  // MARK: Deliveries

  /// Counts a delivery that was handed over to each of some devices and not shown yet.
  static func handedOver(
    _ count: Int64, to devices: [DeviceID], at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE push_subscriptions SET handed_over = handed_over + $1, unshown = unshown + $1,
        first_unshown = COALESCE(first_unshown, $2)
      WHERE subscription IN (
      """, [.integer(count), SQLValue(now)], in: devices.map { .text($0) })
  }

  /// Records that a device showed a delivery, so that it no longer counts as silent.
  static func shown(_ device: DeviceID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE push_subscriptions SET last_shown = $1, unshown = 0, first_unshown = NULL
      WHERE subscription = $2
      """, [SQLValue(now), .text(device)])
  }
}
