// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The table `deliveries`: planned and ended here, and claimed and completed in the files next to this one.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change the table.
package enum DeliveryStore {
  /// Returns true if a delivery of a reminder's generation is still pending.
  static func isWaiting(_ row: ReminderRow, in reader: any SQLReader) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM deliveries
      WHERE patient = $1 AND subject = $2 AND generation = $3 AND state = 'waiting' LIMIT 1
      """, [.text(row.patient), .text(row.subject), .integer(Int64(row.generation))]) != nil
  }

  /// Adds the delivery of a step to an address.
  ///
  /// An existing key stays as it is, and an address that has reached the maximum for one channel in a
  /// generation gets no more.
  static func plan(
    _ delivery: DeliveryID, row: ReminderRow, step: Int, to address: EscalationAddress,
    doses: String,
    now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    // Fewer steps cannot exceed the limit, as each brings at most one.
    if step >= EscalationPolicy.mostOfChannel {
      let count: Int? = try writer.first(
        """
        SELECT COUNT(*) FROM deliveries
        WHERE patient = $1 AND subject = $2 AND generation = $3 AND recipient = $4 AND address = $5
        """,
        [
          .text(row.patient), .text(row.subject), .integer(row.generation),
          .text(address.recipient), .text(address.address),
        ])?.value()
      guard count ?? 0 < EscalationPolicy.mostOfChannel else { return }
    }
    try writer.execute(
      insertStatement,
      NewDeliveryRow(
        delivery: delivery, reminder: row, step: step, address: address, doses: doses, planned: now
      ).values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO deliveries (\(NewDeliveryRow.columns)) VALUES (\(NewDeliveryRow.placeholders))
    ON CONFLICT (patient, subject, generation, step, recipient, address) DO NOTHING
    """)

  /// Ends the waiting deliveries of a closed reminder and records answers.
  ///
  /// A delivery that is being sent right now is left to its result.
  package static func finish(
    _ row: ReminderRow, wasOutcome: ReminderOutcome?, now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let isAnswered = row.outcome == .answered
    let outcome: DeliveryOutcome = isAnswered ? .answered : .stale
    try writer.execute(
      """
      UPDATE deliveries SET state = 'done', outcome = $1, changed = $2
      WHERE patient = $3 AND subject = $4 AND state = 'waiting' AND lease_until IS NULL
      """,
      [.text(outcome.rawValue), SQLValue(now), .text(row.patient), .text(row.subject)])
    guard isAnswered, wasOutcome != .answered else { return }
    try writer.execute(
      """
      UPDATE deliveries SET answered = $1, changed = $2
      WHERE patient = $3 AND subject = $4 AND handed_over IS NOT NULL AND answered IS NULL
      """,
      [
        SQLValue(min(row.nextAt, now)), SQLValue(now), .text(row.patient), .text(row.subject),
      ])
  }

  /// Deletes deliveries that have ended and were planned before an instant.
  ///
  /// - Returns: the number of deliveries.
  static func forget(
    before instant: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute(
      """
      DELETE FROM deliveries WHERE (patient, delivery) IN (
        SELECT patient, delivery FROM deliveries WHERE planned < $1 AND state = 'done'
        ORDER BY planned LIMIT $2)
      """, [SQLValue(instant), SQLValue(limit)])
  }
}

/// A new delivery, to be tried at once.
struct NewDeliveryRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, delivery, subject, generation, step, recipient, channel, address, doses
    case due, planned, state, nextTry, attempt, changed
  }

  static let columns = SQLColumns<Column>()

  let delivery: DeliveryID
  let reminder: ReminderRow
  let step: Int
  let address: EscalationAddress
  let doses: String
  let planned: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(reminder.patient)
    case .delivery: .text(delivery)
    case .subject: .text(reminder.subject)
    case .generation: .integer(reminder.generation)
    case .step: SQLValue(step)
    case .recipient: .text(address.recipient)
    case .channel: .text(address.channel.rawValue)
    case .address: .text(address.address)
    case .doses: .text(doses)
    case .due: SQLValue(reminder.due)
    case .planned, .nextTry, .changed: SQLValue(planned)
    case .state: .text("waiting")
    case .attempt: .integer(0)
    }
  }
}
