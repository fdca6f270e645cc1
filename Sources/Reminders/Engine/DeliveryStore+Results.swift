// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Deliveries after they were sent.
///
/// A result of another attempt changes nothing.
extension DeliveryStore {
  /// Ends deliveries that their services accepted.
  static func handedOver(
    _ deliveries: [DeliveryID], attempt: Int64, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> [HandedOverDelivery] {
    try writer.query(
      """
      UPDATE deliveries SET state = 'done', outcome = 'handedOver', handed_over = $1,
        lease_until = NULL, trouble = NULL, changed = $1
      WHERE attempt = $2 AND state = 'waiting' AND delivery IN (
      """, [SQLValue(now), .integer(attempt)], in: deliveries.map { .text($0) },
      " RETURNING \(HandedOverDelivery.columns)"
    ).decode()
  }

  /// Schedules another attempt for a delivery.
  static func retry(
    _ result: DeliveryResult, at next: Timestamp, trouble: String, now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET next_try = $1, lease_until = NULL, trouble = $2, changed = $3
      WHERE patient = $4 AND delivery = $5 AND attempt = $6 AND state = 'waiting'
      """,
      [
        SQLValue(next), .text(trouble), SQLValue(now), .text(result.patient),
        .text(result.delivery), .integer(result.attempt),
      ])
  }

  /// Ends a delivery that cannot be delivered.
  ///
  /// - Returns: nil if the result is of another attempt.
  static func end(
    _ result: DeliveryResult, as outcome: DeliveryOutcome, trouble: String?, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> EndedDelivery? {
    try writer.query(
      endStatement,
      [
        .text(outcome.rawValue), SQLValue(trouble), SQLValue(now), .text(result.patient),
        .text(result.delivery), .integer(result.attempt),
      ]
    ).first?.decode()
  }

  private static let endStatement = SQLStatement(
    """
    UPDATE deliveries SET state = 'done', outcome = $1, lease_until = NULL, trouble = $2,
      changed = $3
    WHERE patient = $4 AND delivery = $5 AND attempt = $6 AND state = 'waiting'
    RETURNING \(EndedDelivery.columns)
    """)

  static func channel(
    of delivery: DeliveryID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> ReminderChannel? {
    let name: String? = try reader.first(
      "SELECT channel FROM deliveries WHERE patient = $1 AND delivery = $2",
      [.text(patient), .text(delivery)])?.value()
    return name.flatMap(ReminderChannel.init(rawValue:))
  }

  /// Records that a device showed a delivery; the first time is kept.
  static func shown(
    _ delivery: DeliveryID, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE deliveries SET shown = $1, changed = $1
      WHERE patient = $2 AND delivery = $3 AND shown IS NULL
      """, [SQLValue(now), .text(patient), .text(delivery)])
  }

  /// Returns the recipient and the address of a delivery; nil if there is no such delivery.
  static func place(
    of delivery: DeliveryID, in reader: any SQLReader
  ) throws(StorageError) -> DeliveryPlace? {
    try reader.first(placeStatement, [.text(delivery)])?.decode()
  }

  private static let placeStatement = SQLStatement(
    "SELECT \(DeliveryPlace.columns) FROM deliveries WHERE delivery = $1")
}

/// A delivery that a service accepted.
struct HandedOverDelivery: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case subject, generation, channel, address
  }

  static let columns = SQLColumns<Column>()

  let subject: ReminderID
  let generation: Int64
  let channel: ReminderChannel
  let address: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    subject = try row.id(.subject)
    generation = try row.integer(.generation)
    channel = try row.named(.channel)
    address = try row.text(.address)
  }
}

/// A delivery that could not be delivered.
struct EndedDelivery: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case subject, generation, step, recipient, channel, address, doses
  }

  static let columns = SQLColumns<Column>()

  let subject: ReminderID
  let generation: Int64
  let step: Int
  let recipient: AccountID
  let channel: ReminderChannel
  let address: String
  let doses: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    subject = try row.id(.subject)
    generation = try row.integer(.generation)
    step = Int(clamping: try row.integer(.step))
    recipient = try row.id(.recipient)
    channel = try row.named(.channel)
    address = try row.text(.address)
    doses = try row.text(.doses)
  }
}

/// The recipient and the address of a delivery.
struct DeliveryPlace: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, channel, address, recipient
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let channel: ReminderChannel
  let address: String
  let recipient: AccountID

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    channel = try row.named(.channel)
    address = try row.text(.address)
    recipient = try row.id(.recipient)
  }
}
