// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The commands that open, answer and cancel alerts; the caller has decided that the account may.
package enum AlertCommands {
  /// Opens an alert with its reminder, which rings from ``NewAlert/ringsFrom``; returns false if it
  /// exists already.
  ///
  /// Wake the reminder loop after the commit.
  @discardableResult
  package static func open(
    _ new: NewAlert, newIdentifier: () -> String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let subject = ReminderID(newIdentifier())
    guard try AlertRows.insert(new, subject: subject, at: now, in: writer) else { return false }
    try ReminderStore.insert(
      ReminderRow(
        patient: new.patient, subject: subject, kind: new.kind, starts: new.ringsFrom,
        due: new.due, ends: new.ends, opened: now), in: writer)
    return true
  }

  /// Records an answer to an alert: the first one wins, and a repeated one changes nothing.
  package static func answer(
    _ id: AlertID, patient: PatientID, _ answer: AlertAnswer, account: AccountID, byName: String,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(AlertError) -> Alert {
    do {
      guard let alert = try AlertRows.one(id, patient: patient, in: writer) else {
        throw AlertError.notFound
      }
      if let event = answer.event, let earlier = try press(event, patient: patient, in: writer) {
        guard earlier == (id, answer.action.rawValue) else {
          throw AlertError.eventUsedElsewhere
        }
        return alert
      }
      switch AlertRule.step(answer, by: byName, on: alert, at: now) {
      case .unchanged: return alert
      case .refuse(.answered): throw AlertError.answered(alert)
      case .refuse(.cancelled): throw AlertError.cancelled(alert)
      case .refuse(.missingMinutes): throw AlertError.missingMinutes
      case .refuse(.minutesOutOfRange(let maximum)):
        throw AlertError.minutesOutOfRange(maximum: maximum)
      case .change(let next):
        try AlertRows.update(next, in: writer)
        try keep(answer, next, account: account, byName: byName, at: now, in: writer)
        try ReminderWake.subject(next.subject, patient: patient, at: now, in: writer)
        return next
      }
    } catch let error as AlertError {
      throw error
    } catch let error as StorageError {
      throw .storage(error)
    } catch {
      throw .notFound
    }
  }

  /// Cancels the open alerts of a source that no longer exists or has changed.
  package static func cancel(
    source: String, kind: ReminderKind, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    for alert in try AlertRows.ending(after: now, patient: patient, in: writer)
    where alert.source == source && alert.kind == kind && alert.state == .open {
      try calledOff(alert, at: now, in: writer)
      try ReminderWake.subject(alert.subject, patient: patient, at: now, in: writer)
    }
  }

  /// Cancels an open alert and returns it in its new state.
  @discardableResult
  static func calledOff(_ open: Alert, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError) -> Alert
  {
    var alert = open
    alert.state = .cancelled
    alert.version += 1
    alert.changed = now
    try AlertRows.update(alert, in: writer)
    return alert
  }

  private static func press(_ event: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> (AlertID, String)?
  {
    let row = try reader.first(pressStatement, [.text(patient), .text(event)])?
      .read(AlertPressRow.self)
    guard let row else { return nil }
    return (try row.id(.alert), try row.text(.action))
  }

  private static let pressStatement = SQLStatement(
    "SELECT \(AlertPressRow.columns) FROM alert_answers WHERE patient = $1 AND event = $2")

  private static func keep(
    _ answer: AlertAnswer, _ alert: Alert, account: AccountID, byName: String,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      insertStatement,
      AlertAnswerRow(
        alert: alert, answer: answer, at: now, account: account, byName: byName
      ).values)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: alert.patient,
        resource: "Occasion", resourceID: alert.id.text, version: alert.version,
        purpose: "care", outcome: .success))
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO alert_answers (\(AlertAnswerRow.columns))
    VALUES (\(AlertAnswerRow.placeholders))
    """)
}

/// An alert with the answer recorded for an event.
enum AlertPressRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case alert, action
  }

  static let columns = SQLColumns<Column>()
}

/// A row of `alert_answers`, written once and never changed.
struct AlertAnswerRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, alert, version, action, event, minutes, at, account, byName
  }

  static let columns = SQLColumns<Column>()

  let alert: Alert
  let answer: AlertAnswer
  let at: Timestamp
  let account: AccountID
  let byName: String

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(alert.patient)
    case .alert: .text(alert.id)
    case .version: .integer(alert.version)
    case .action: .text(answer.action.rawValue)
    case .event: SQLValue(answer.event)
    case .minutes: SQLValue(answer.minutes)
    case .at: SQLValue(at)
    case .account: .text(account)
    case .byName: .text(byName)
    }
  }
}

/// Queries for alerts; the caller has decided that access is allowed.
package enum AlertQueries {
  /// Returns an alert of the patient; nil if there is none.
  package static func alert(_ id: AlertID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Alert?
  {
    try AlertRows.one(id, patient: patient, in: reader)
  }

  /// Returns the alerts of a patient that end after an instant, by due time.
  package static func ending(after instant: Timestamp, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [Alert]
  {
    try AlertRows.ending(after: instant, patient: patient, in: reader)
  }

  /// Returns at most `limit` alerts of a patient that changed after an instant, the earliest change
  /// first.
  package static func changed(
    after instant: Timestamp, patient: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [Alert] {
    try AlertRows.changed(after: instant, patient: patient, limit: limit, in: reader)
  }
}
