// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The table `alerts`.
enum AlertRows {
  static func one(_ id: AlertID, patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> Alert?
  {
    try read(reader.query(oneStatement, [.text(patient), .text(id)])).first
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(AlertRow.columns) FROM alerts o WHERE o.patient = $1 AND o.alert = $2")

  /// Returns the alerts of some reminders, by the reminder's identifier.
  static func of(_ subjects: [ReminderRow], in reader: any SQLReader) throws(StorageError)
    -> [ReminderID: Alert]
  {
    guard !subjects.isEmpty else { return [:] }
    let rows = try reader.query(
      """
      SELECT \(AlertRow.columns) FROM reminders r
      JOIN alerts o ON o.patient = r.patient AND o.subject = r.subject
      WHERE r.subject IN (
      """, [], in: subjects.map { .text($0.subject) })
    return Dictionary(try read(rows).map { ($0.subject, $0) }) { first, _ in first }
  }

  /// Returns the alert of one reminder.
  static func of(subject: ReminderID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Alert?
  {
    try read(reader.query(ofSubjectStatement, [.text(patient), .text(subject)])).first
  }

  private static let ofSubjectStatement = SQLStatement(
    "SELECT \(AlertRow.columns) FROM alerts o WHERE o.patient = $1 AND o.subject = $2")

  /// Returns the alerts that end after an instant, by due time.
  static func ending(
    after instant: Timestamp, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Alert] {
    try read(reader.query(endingStatement, [.text(patient), SQLValue(instant)]))
  }

  private static let endingStatement = SQLStatement(
    """
    SELECT \(AlertRow.columns) FROM alerts o
    WHERE o.patient = $1 AND o.ends > $2 ORDER BY o.due, o.alert
    """)

  /// Returns the alerts that changed after an instant, the earliest change first.
  static func changed(
    after instant: Timestamp, patient: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [Alert] {
    try read(
      reader.query(changedStatement, [.text(patient), SQLValue(instant), SQLValue(limit)]))
  }

  private static let changedStatement = SQLStatement(
    """
    SELECT \(AlertRow.columns) FROM alerts o
    WHERE o.patient = $1 AND o.changed > $2 ORDER BY o.changed, o.alert LIMIT $3
    """)

  /// Adds an alert; returns false if it exists already.
  static func insert(
    _ new: NewAlert, subject: ReminderID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      insertStatement, NewAlertRow(alert: new, subject: subject, changed: now).values) > 0
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO alerts (\(NewAlertRow.columns)) VALUES (\(NewAlertRow.placeholders))
    ON CONFLICT (patient, alert) DO NOTHING
    """)

  /// Deletes an alert that was never delivered, with its reminder.
  static func remove(_ alert: Alert, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "DELETE FROM alerts WHERE patient = $1 AND subject = $2",
      [.text(alert.patient), .text(alert.subject)])
    try ReminderStore.delete(alert.subject, patient: alert.patient, in: writer)
  }

  static func update(_ alert: Alert, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE alerts SET rings_from = $1, generation = $2, state = $3, version = $4,
        answered = $5, answered_by = $6, changed = $7
      WHERE patient = $8 AND alert = $9
      """,
      [
        SQLValue(alert.ringsFrom), .integer(alert.generation),
        .text(alert.state.rawValue), .integer(alert.version),
        SQLValue(alert.answered), SQLValue(alert.answeredBy), SQLValue(alert.changed),
        .text(alert.patient), .text(alert.id),
      ])
  }

  private static func read(_ rows: [SQLRow]) throws(StorageError) -> [Alert] {
    var found: [Alert] = []
    found.reserveCapacity(rows.count)
    for row in rows { found.append(try Alert(row.read(AlertRow.self))) }
    return found
  }
}

/// The row behind each ``Alert``.
enum AlertRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, alert, kind, source, subject, due, ringsFrom, ends, generation, isCritical
    case state, version, answered, answeredBy, changed
  }

  static let columns = SQLColumns<Column>(of: "o")
}

extension Alert {
  fileprivate init(_ row: ColumnReader<AlertRow.Column>) throws(StorageError) {
    self.init(
      patient: try row.id(.patient), id: try row.id(.alert), kind: try row.named(.kind),
      source: try row.text(.source), subject: try row.id(.subject),
      due: try row.timestamp(.due), ringsFrom: try row.timestamp(.ringsFrom),
      ends: try row.timestamp(.ends), generation: try row.integer(.generation),
      isCritical: try row.bool(.isCritical), state: try row.named(.state),
      version: try row.integer(.version), answered: try row.optionalTimestamp(.answered),
      answeredBy: try row.optionalText(.answeredBy), changed: try row.timestamp(.changed))
  }
}

/// A new row of `alerts`.
struct NewAlertRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, alert, kind, source, subject, due, ringsFrom, ends, generation, isCritical
    case state, version, changed
  }

  static let columns = SQLColumns<Column>()

  let alert: NewAlert
  let subject: ReminderID
  let changed: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(alert.patient)
    case .alert: .text(alert.id)
    case .kind: .text(alert.kind.rawValue)
    case .source: .text(alert.source)
    case .subject: .text(subject)
    case .due: SQLValue(alert.due)
    case .ringsFrom: SQLValue(alert.ringsFrom)
    case .ends: SQLValue(alert.ends)
    case .generation, .version: .integer(1)
    case .isCritical: SQLValue(alert.isCritical)
    case .state: .text(Alert.State.open.rawValue)
    case .changed: SQLValue(changed)
    }
  }
}
