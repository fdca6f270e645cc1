// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// Lets something ring that is no dose, and answers it; the caller has decided that the account may.
package enum OccasionCommands {
  /// Makes an occasion with its reminder, which rings from the moment named on; false where it is
  /// known already.
  ///
  /// Wake the reminder loop after the commit.
  @discardableResult
  package static func open(
    _ new: NewOccasion, newIdentifier: () -> String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let subject = newIdentifier()
    guard try OccasionRows.insert(new, subject: subject, at: now, in: writer) else { return false }
    try ReminderStore.insert(
      ReminderRow(
        patient: new.patient, subject: subject, kind: new.kind, starts: new.ringsFrom,
        due: new.due, ends: new.ends, opened: now), in: writer)
    return true
  }

  /// Takes an answer; the first one wins, and a repeated one is found and changes nothing.
  package static func answer(
    _ id: String, patient: PatientID, _ answer: OccasionAnswer, account: AccountID, byName: String,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(OccasionError) -> Occasion {
    do {
      guard let occasion = try OccasionRows.one(id, patient: patient, in: writer) else {
        throw OccasionError.notFound
      }
      if let event = answer.event, let earlier = try press(event, patient: patient, in: writer) {
        guard earlier == (id, answer.action.rawValue) else {
          throw OccasionError.eventUsedElsewhere
        }
        return occasion
      }
      switch OccasionRule.step(answer, by: byName, on: occasion, at: now) {
      case .unchanged: return occasion
      case .refuse(.answered): throw OccasionError.answered(occasion)
      case .refuse(.cancelled): throw OccasionError.cancelled(occasion)
      case .refuse(.missingMinutes): throw OccasionError.missingMinutes
      case .refuse(.minutesOutOfRange(let maximum)):
        throw OccasionError.minutesOutOfRange(maximum: maximum)
      case .change(let next):
        try OccasionRows.update(next, in: writer)
        try keep(answer, next, account: account, byName: byName, at: now, in: writer)
        try ReminderWake.subject(next.subject, patient: patient, at: now, in: writer)
        return next
      }
    } catch let error as OccasionError {
      throw error
    } catch let error as StorageError {
      throw .storage(error)
    } catch {
      throw .notFound
    }
  }

  /// Calls off the open occasions that come from something that is gone or changed.
  package static func cancel(
    source: String, kind: ReminderKind, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    for occasion in try OccasionRows.ending(after: now, patient: patient, in: writer)
    where occasion.source == source && occasion.kind == kind && occasion.state == .open {
      try calledOff(occasion, at: now, in: writer)
      try ReminderWake.subject(occasion.subject, patient: patient, at: now, in: writer)
    }
  }

  /// Calls an open occasion off, and returns it as it is then.
  @discardableResult
  static func calledOff(_ open: Occasion, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError) -> Occasion
  {
    var occasion = open
    occasion.state = .cancelled
    occasion.version += 1
    occasion.changed = now
    try OccasionRows.update(occasion, in: writer)
    return occasion
  }

  private static func press(_ event: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> (String, String)?
  {
    let row = try reader.first(pressStatement, [.text(patient), .text(event)])?
      .read(OccasionPressRow.self)
    guard let row else { return nil }
    return (try row.text(.occasion), try row.text(.action))
  }

  private static let pressStatement = SQLStatement(
    "SELECT \(OccasionPressRow.columns) FROM occasion_answers WHERE patient = $1 AND event = $2")

  private static func keep(
    _ answer: OccasionAnswer, _ occasion: Occasion, account: AccountID, byName: String,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      insertStatement,
      OccasionAnswerRow(
        occasion: occasion, answer: answer, at: now, account: account, byName: byName
      ).values)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: occasion.patient,
        resource: "Occasion", resourceID: occasion.id, version: occasion.version,
        purpose: "care", outcome: .success))
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO occasion_answers (\(OccasionAnswerRow.columns))
    VALUES (\(OccasionAnswerRow.placeholders))
    """)
}

/// The answer that an event gave, with the occasion that it was for.
enum OccasionPressRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case occasion, action
  }

  static let columns = SQLColumns<Column>()
}

/// A row of `occasion_answers`, as it is written once and kept.
struct OccasionAnswerRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, occasion, version, action, event, minutes, at, account, byName
  }

  static let columns = SQLColumns<Column>()

  let occasion: Occasion
  let answer: OccasionAnswer
  let at: Timestamp
  let account: AccountID
  let byName: String

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(occasion.patient)
    case .occasion: .text(occasion.id)
    case .version: .integer(occasion.version)
    case .action: .text(answer.action.rawValue)
    case .event: SQLValue(answer.event)
    case .minutes: SQLValue(answer.minutes)
    case .at: SQLValue(at)
    case .account: .text(account)
    case .byName: .text(byName)
    }
  }
}

/// Questions about what rings besides doses; the caller has decided that they may be asked.
package enum OccasionQueries {
  package static func occasion(_ id: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Occasion?
  {
    try OccasionRows.one(id, patient: patient, in: reader)
  }

  /// Those that end after an instant, by due time.
  package static func ending(after instant: Timestamp, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [Occasion]
  {
    try OccasionRows.ending(after: instant, patient: patient, in: reader)
  }

  /// Those that changed after an instant, the earliest change first.
  package static func changed(
    after instant: Timestamp, patient: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [Occasion] {
    try OccasionRows.changed(after: instant, patient: patient, limit: limit, in: reader)
  }
}
