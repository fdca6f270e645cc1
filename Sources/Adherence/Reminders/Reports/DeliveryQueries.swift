// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Scheduling
import Storage

/// The deliveries of a patient; the caller has decided that they may be seen.
///
/// Who is told of a message is between those who write: it is in no list.
extension ReminderQueries {
  /// Those whose earliest due time lies from an instant on and before another, by due time, then by
  /// when they were planned.
  package static func deliveries(
    patient: PatientID, from: Timestamp, until: Timestamp, accounts: AccountStore,
    in reader: any SQLReader
  ) throws(StorageError) -> [Delivery] {
    let rows = try reader.query(
      """
      SELECT d.delivery, d.patient, d.doses, d.subject, d.due, d.rung, d.channel, d.address,
        d.attempt, d.planned, d.handed_over, d.shown, d.answered, d.outcome, d.trouble,
        d.generation, d.changed, d.recipient, COALESCE(s.host, c.host), a.email_sealed, r.kind
      FROM deliveries d
      JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
      LEFT JOIN push_subscriptions s ON s.subscription = d.address
      LEFT JOIN channel_addresses c ON c.address = d.address
      LEFT JOIN accounts a ON a.account = d.recipient
      WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3 AND r.kind <> 'message'
      ORDER BY d.due, d.planned, d.delivery
      """, [.text(patient), SQLValue(from), SQLValue(until)])
    return try deliveries(rows, accounts: accounts)
  }

  /// Those of some patients' that have changed since an instant, the earliest change first.
  package static func changed(
    patient: PatientID, after: Timestamp, limit: Int, accounts: AccountStore,
    in reader: any SQLReader
  ) throws(StorageError) -> [Delivery] {
    let rows = try reader.query(
      """
      SELECT d.delivery, d.patient, d.doses, d.subject, d.due, d.rung, d.channel, d.address,
        d.attempt, d.planned, d.handed_over, d.shown, d.answered, d.outcome, d.trouble,
        d.generation, d.changed, d.recipient, COALESCE(s.host, c.host), a.email_sealed, r.kind
      FROM deliveries d
      JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
      LEFT JOIN push_subscriptions s ON s.subscription = d.address
      LEFT JOIN channel_addresses c ON c.address = d.address
      LEFT JOIN accounts a ON a.account = d.recipient
      WHERE d.patient = $1 AND d.changed > $2 AND r.kind <> 'message'
      ORDER BY d.changed, d.delivery LIMIT $3
      """, [.text(patient), SQLValue(after), SQLValue(limit)])
    return try deliveries(rows, accounts: accounts)
  }

  /// All that was planned, sent and shown for a dose, in the order in which it was planned.
  package static func story(
    _ dose: DoseID, patient: PatientID, accounts: AccountStore, in reader: any SQLReader
  ) throws(StorageError) -> [Delivery] {
    let row = try reader.first(
      """
      SELECT due, reminder FROM doses
      WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
      """,
      [
        .text(patient), .text(dose.plan), .integer(dose.era), .text(dose.occurrence.text),
      ])
    guard let row else { return [] }
    let due = try row.timestamp(0)
    // A group is known by its earliest due time, at most a late window before the dose's own.
    let near = try deliveries(
      patient: patient, from: due.adding(milliseconds: -13 * 3_600_000),
      until: due.adding(milliseconds: 1), accounts: accounts, in: reader)
    var found = near.filter { $0.doses.contains(dose) }
    if let subject = try row.optionalText(1) {
      let rows = try reader.query(
        """
        SELECT d.delivery, d.patient, d.doses, d.subject, d.due, d.rung, d.channel, d.address,
          d.attempt, d.planned, d.handed_over, d.shown, d.answered, d.outcome, d.trouble,
          d.generation, d.changed, d.recipient, COALESCE(s.host, c.host), a.email_sealed, r.kind
        FROM deliveries d
        JOIN reminders r ON r.patient = d.patient AND r.subject = d.subject
        LEFT JOIN push_subscriptions s ON s.subscription = d.address
        LEFT JOIN channel_addresses c ON c.address = d.address
        LEFT JOIN accounts a ON a.account = d.recipient
        WHERE d.patient = $1 AND d.subject = $2
        """, [.text(patient), .text(subject)])
      let known = Set(found.map(\.id))
      found += try deliveries(rows, accounts: accounts).filter {
        $0.doses.contains(dose) && !known.contains($0.id)
      }
    }
    return found.sorted { ($0.planned, $0.id) < ($1.planned, $1.id) }
  }

  private static func deliveries(_ rows: [SQLRow], accounts: AccountStore)
    throws(StorageError) -> [Delivery]
  {
    var found: [Delivery] = []
    found.reserveCapacity(rows.count)
    for row in rows { found.append(try Delivery(row, accounts: accounts)) }
    return found
  }
}
