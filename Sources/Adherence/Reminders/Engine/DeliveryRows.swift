// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The rows of `deliveries` as planning writes them.
enum DeliveryRows {
  /// Whether something of a reminder's generation is still on its way.
  static func isWaiting(_ row: ReminderRow, in reader: any SQLReader) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM deliveries
      WHERE patient = $1 AND subject = $2 AND generation = $3 AND state = 'waiting' LIMIT 1
      """, [.text(row.patient), .text(row.subject), .integer(Int64(row.generation))]) != nil
  }

  /// Adds the delivery of a rung to an address; a key that was planned before stays as it is, and an address
  /// that has had as many of the generation as one channel may bring gets no more.
  static func plan(
    _ delivery: DeliveryID, row: ReminderRow, rung: Int, to address: RungAddress, doses: String,
    now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    // Fewer rungs cannot bring more than one each.
    if rung >= Ladder.mostOfChannel {
      let count = try writer.first(
        """
        SELECT COUNT(*) FROM deliveries
        WHERE patient = $1 AND subject = $2 AND generation = $3 AND recipient = $4 AND address = $5
        """,
        [
          .text(row.patient), .text(row.subject), .integer(row.generation),
          .text(address.recipient), .text(address.address),
        ])
      guard try count?.integer(0) ?? 0 < Int64(Ladder.mostOfChannel) else { return }
    }
    try writer.execute(
      """
      INSERT INTO deliveries (patient, delivery, subject, generation, rung, recipient, channel,
        address, doses, due, planned, state, next_try, attempt, changed)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 'waiting', $11, 0, $11)
      ON CONFLICT (patient, subject, generation, rung, recipient, address) DO NOTHING
      """,
      [
        .text(row.patient), .text(delivery), .text(row.subject), .integer(row.generation),
        SQLValue(rung), .text(address.recipient), .text(address.channel.rawValue),
        .text(address.address), .text(doses), SQLValue(row.due), SQLValue(now),
      ])
  }

  /// Ends what waits for a reminder that has closed, and stamps what an answer followed.
  ///
  /// A delivery that is being sent right now is left to its result.
  static func finish(
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
}
