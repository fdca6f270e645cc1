// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// The table `fhir_subscriptions`: every statement that changes it.
///
/// `Scripts/check-tables.py` rejects such statements elsewhere.
package struct EventSubscriptionStore: Sendable {
  /// The lease of an attempt in milliseconds: longer than a notification may take.
  static let lease: Int64 = 120_000

  private let cipher: FieldCipher

  /// Creates a store with the accounts whose key encrypts the resources.
  package init(accounts: AccountStore) {
    cipher = accounts.cipher
  }

  // MARK: Reading

  /// Returns a subscription; nil if there is none.
  package func find(
    _ id: EventSubscriptionID, in reader: any SQLReader
  ) throws -> EventSubscription? {
    try reader.first(Self.oneStatement, [.text(id)]).map { try open($0.decode()) }
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(EventSubscriptionRow.columns) FROM fhir_subscriptions WHERE subscription = $1")

  /// Returns the subscriptions of an account, by id.
  package func all(
    of account: AccountID, in reader: any SQLReader
  ) throws -> [EventSubscription] {
    try reader.query(Self.ofAccountStatement, [.text(account)])
      .decode(as: EventSubscriptionRow.self).map(open)
  }

  private static let ofAccountStatement = SQLStatement(
    """
    SELECT \(EventSubscriptionRow.columns) FROM fhir_subscriptions WHERE account = $1
    ORDER BY subscription
    """)

  /// Returns all subscriptions whose events are counted.
  package func counting(in reader: any SQLReader) throws -> [EventSubscription] {
    try reader.query(Self.countingStatement, []).decode(as: EventSubscriptionRow.self).map(open)
  }

  private static let countingStatement = SQLStatement(
    """
    SELECT \(EventSubscriptionRow.columns) FROM fhir_subscriptions WHERE state <> 'off'
    ORDER BY subscription
    """)

  private func open(_ row: EventSubscriptionRow) throws -> EventSubscription {
    var subscription = row.subscription
    subscription.body = try cipher.open(
      row.bodySealed, context: Self.context(subscription.id, "body"))
    subscription.secret = try cipher.open(
      row.secretSealed, context: Self.context(subscription.id, "secret"))
    return subscription
  }

  private static func context(_ id: EventSubscriptionID, _ part: String) -> String {
    "fhir_subscriptions:\(id.text):\(part)"
  }

  // MARK: Changing

  /// Adds a subscription.
  package func insert(_ subscription: EventSubscription, in writer: any SQLWriter) throws {
    try writer.execute(Self.insertStatement, try sealed(subscription).values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO fhir_subscriptions (\(EventSubscriptionRow.columns))
    VALUES (\(EventSubscriptionRow.placeholders))
    """)

  /// Replaces a subscription; an attempt that is under way no longer counts.
  package func replace(_ subscription: EventSubscription, in writer: any SQLWriter) throws {
    var subscription = subscription
    subscription.attempt += 1
    try writer.execute(Self.deleteLeaseStatement, [.text(subscription.id)])
    try write(subscription, in: writer)
  }

  private static let deleteLeaseStatement = SQLStatement(
    "UPDATE fhir_subscriptions SET leased_until = NULL WHERE subscription = $1")

  private func write(_ subscription: EventSubscription, in writer: any SQLWriter) throws {
    let row = try sealed(subscription)
    try writer.execute(
      """
      UPDATE fhir_subscriptions SET credential = $1, topic = $2, version = $3, changed = $4,
        state = $5, trouble = $6, body_sealed = $7, ends = $8, heartbeat = $9, delivered = $10,
        next_try = $11, attempt = $12, failures = $13, looked = $14
      WHERE subscription = $15
      """,
      [
        .text(subscription.access.text), .text(subscription.topic.rawValue),
        .integer(subscription.version), SQLValue(subscription.changed),
        .text(subscription.state.rawValue), SQLValue(subscription.trouble),
        .blob(row.bodySealed), SQLValue(subscription.ends), SQLValue(subscription.heartbeat),
        .integer(subscription.delivered), SQLValue(subscription.nextTry),
        .integer(subscription.attempt), .integer(subscription.failures),
        SQLValue(subscription.looked), .text(subscription.id),
      ])
  }

  private func sealed(_ subscription: EventSubscription) throws -> EventSubscriptionRow {
    EventSubscriptionRow(
      subscription,
      bodySealed: try cipher.seal(
        subscription.body, context: Self.context(subscription.id, "body")),
      secretSealed: try cipher.seal(
        subscription.secret, context: Self.context(subscription.id, "secret")))
  }

  /// Deletes a subscription with its events; returns false if there is none.
  package func delete(
    _ id: EventSubscriptionID, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute("DELETE FROM fhir_subscriptions WHERE subscription = $1", [.text(id)]) > 0
  }

  /// Stores the number of the latest event and, after no failure, sends it at once.
  package func count(
    upTo events: Int64, of id: EventSubscriptionID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE fhir_subscriptions SET events = $1,
        next_try = CASE WHEN failures = 0 AND state IN ('requested', 'active') AND next_try > $2
          THEN $2 ELSE next_try END
      WHERE subscription = $3
      """, [.integer(events), SQLValue(now), .text(id)])
  }

  /// Stores the time up to which doses and warnings were looked for; returns false if another
  /// process looked meanwhile.
  package func look(
    upTo end: Timestamp, after start: Timestamp, of id: EventSubscriptionID,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      "UPDATE fhir_subscriptions SET looked = $1 WHERE subscription = $2 AND looked = $3",
      [SQLValue(end), .text(id), SQLValue(start)]) > 0
  }

  // MARK: Sending

  /// Leases the subscriptions for which something is due, those that have waited longest first.
  package func claim(
    limit: Int, at now: Timestamp, in writer: any SQLWriter
  ) throws -> [EventSubscription] {
    let rows: [EventSubscriptionRow] = try writer.query(
      Self.dueStatement, [SQLValue(now), SQLValue(limit)]
    ).decode()
    return try rows.map { row in
      var claimed = try open(row)
      claimed.attempt += 1
      try writer.execute(
        """
        UPDATE fhir_subscriptions SET attempt = $1, leased_until = $2 WHERE subscription = $3
        """,
        [
          .integer(claimed.attempt), SQLValue(now.adding(milliseconds: Self.lease)),
          .text(claimed.id),
        ])
      return claimed
    }
  }

  private static let dueStatement = SQLStatement(
    """
    SELECT \(EventSubscriptionRow.columns) FROM fhir_subscriptions
    WHERE state IN ('requested', 'active') AND next_try <= $1
      AND (leased_until IS NULL OR leased_until <= $1)
    ORDER BY next_try, subscription LIMIT $2 /*postgresql FOR UPDATE SKIP LOCKED */
    """)

  /// Ends an attempt: applies a change to the current row, unless another attempt has taken over.
  package func finish(
    _ claimed: EventSubscription, in writer: any SQLWriter,
    _ change: (inout EventSubscription) -> Void
  ) throws {
    guard var current = try find(claimed.id, in: writer), current.attempt == claimed.attempt
    else { return }
    change(&current)
    try writer.execute(Self.deleteLeaseStatement, [.text(current.id)])
    try write(current, in: writer)
  }

  /// Releases the leases of a process that died; only one that does not share its database may.
  package func reclaim(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "UPDATE fhir_subscriptions SET leased_until = NULL WHERE leased_until IS NOT NULL", [])
  }

  /// Turns off the subscriptions that have been in error for too long.
  package func turnOffOld(at now: Timestamp, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE fhir_subscriptions SET state = 'off', version = version + 1, changed = $1
      WHERE state = 'error' AND changed < $2
      """,
      [SQLValue(now), SQLValue(now.adding(milliseconds: -EventSubscription.longestError))])
  }

  /// Returns true if anything must be planned or sent.
  package static func isAnythingDue(
    _ now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    let due = try reader.first(
      """
      SELECT 1 FROM fhir_subscriptions
      WHERE state IN ('requested', 'active') AND next_try <= $1
        AND (leased_until IS NULL OR leased_until <= $1) LIMIT 1
      """, [SQLValue(now)])
    if due != nil { return true }
    return try reader.first("SELECT 1 FROM fhir_events LIMIT 1") != nil
  }
}
