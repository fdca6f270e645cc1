// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A change of a resource that subscriptions may wait for.
package struct RecordedEvent: Sendable, Hashable {
  /// The patient of the resource.
  package let patient: PatientID
  /// The type of the resource.
  package let type: String
  /// The id of the resource.
  package let id: String
  /// The version that the change made.
  package let version: Int64
  /// The time of the change.
  package let happened: Timestamp
}

/// An event of one subscription.
package struct EventNotification: Sendable, Hashable {
  /// The patient whom it is about.
  package let patient: PatientID
  /// The number of the event within its subscription, from 1.
  package let number: Int64
  /// The type of the resource that it is about.
  package let type: String
  /// The id of that resource.
  package let id: String
  /// The version of that resource; nil for the current one.
  package let version: Int64?
  /// The time of the event.
  package let happened: Timestamp

  /// Creates an event.
  package init(
    patient: PatientID, number: Int64, type: String, id: String, version: Int64?,
    happened: Timestamp
  ) {
    self.patient = patient
    self.number = number
    self.type = type
    self.id = id
    self.version = version
    self.happened = happened
  }
}

/// A row of `fhir_events`.
struct RecordedEventRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, type, id, version, happened }

  static let columns = SQLColumns<Column>()

  let event: RecordedEvent

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    event = RecordedEvent(
      patient: try row.id(.patient), type: try row.text(.type), id: try row.text(.id),
      version: try row.integer(.version), happened: try row.timestamp(.happened))
  }
}

/// A new row of `fhir_notifications`.
struct NewEventNotificationRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, subscription, number, type, id, version, happened, planned
  }

  static let columns = SQLColumns<Column>()

  let notification: EventNotification
  let subscription: EventSubscriptionID
  let planned: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(notification.patient)
    case .subscription: .text(subscription)
    case .number: .integer(notification.number)
    case .type: .text(notification.type)
    case .id: .text(notification.id)
    case .version: SQLValue(notification.version)
    case .happened: SQLValue(notification.happened)
    case .planned: SQLValue(planned)
    }
  }
}

/// The columns of an ``EventNotification``.
struct EventNotificationRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, number, type, id, version, happened }

  static let columns = SQLColumns<Column>()

  let notification: EventNotification

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    notification = EventNotification(
      patient: try row.id(.patient), number: try row.integer(.number),
      type: try row.text(.type), id: try row.text(.id),
      version: try row.optionalInteger(.version), happened: try row.timestamp(.happened))
  }
}

/// The tables `fhir_events` and `fhir_notifications`: every statement that changes them.
///
/// `Scripts/check-tables.py` rejects such statements elsewhere.
package enum EventNotificationStore {
  /// The time for which notifications are kept, in milliseconds: a week.
  package static let kept: Int64 = 7 * 86_400_000

  // MARK: Events

  /// Records the version of a resource that was just written, if anyone has a subscription.
  ///
  /// A version that was written at another time has its event already.
  static func record(
    _ type: String, _ id: String, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO fhir_events (patient, type, id, version, happened)
      SELECT r.patient, r.type, r.id, r.version, r.last_updated FROM resources r
      WHERE r.patient = $1 AND r.type = $2 AND r.id = $3 AND r.last_updated = $4
        AND EXISTS (SELECT 1 FROM fhir_subscriptions s WHERE s.state <> 'off')
      ON CONFLICT (patient, type, id, version) DO NOTHING
      """, [.text(patient), .text(type), .text(id), SQLValue(now)])
  }

  /// Returns the earliest recorded events.
  package static func waiting(
    limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> [RecordedEvent] {
    try writer.query(waitingStatement, [SQLValue(limit)])
      .decode(as: RecordedEventRow.self).map(\.event)
  }

  private static let waitingStatement = SQLStatement(
    """
    SELECT \(RecordedEventRow.columns) FROM fhir_events
    ORDER BY happened, patient, type, id, version LIMIT $1 /*postgresql FOR UPDATE SKIP LOCKED */
    """)

  /// Removes an event that all subscriptions have taken.
  package static func remove(
    _ event: RecordedEvent, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM fhir_events WHERE patient = $1 AND type = $2 AND id = $3 AND version = $4",
      [.text(event.patient), .text(event.type), .text(event.id), .integer(event.version)])
  }

  // MARK: Notifications

  /// Adds an event to a subscription.
  package static func add(
    _ notification: EventNotification, to subscription: EventSubscriptionID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      addStatement,
      NewEventNotificationRow(
        notification: notification, subscription: subscription, planned: now
      ).values)
  }

  private static let addStatement = SQLStatement(
    """
    INSERT INTO fhir_notifications (\(NewEventNotificationRow.columns))
    VALUES (\(NewEventNotificationRow.placeholders))
    """)

  /// Returns the events of a subscription between two numbers, both included, in order.
  package static func of(
    _ subscription: EventSubscriptionID, from first: Int64, through last: Int64, limit: Int,
    in reader: any SQLReader
  ) throws(StorageError) -> [EventNotification] {
    try reader.query(
      rangeStatement,
      [.text(subscription), .integer(first), .integer(last), SQLValue(limit)]
    ).decode(as: EventNotificationRow.self).map(\.notification)
  }

  private static let rangeStatement = SQLStatement(
    """
    SELECT \(EventNotificationRow.columns) FROM fhir_notifications
    WHERE subscription = $1 AND number >= $2 AND number <= $3 ORDER BY number LIMIT $4
    """)

  /// Deletes the notifications that are older than a week.
  package static func forgetOld(
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM fhir_notifications WHERE planned < $1",
      [SQLValue(now.adding(milliseconds: -kept))])
  }
}
