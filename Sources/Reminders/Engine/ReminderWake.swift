// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage

/// Wakes reminders after a change.
///
/// The engine's next step reads the rest from the database.
package enum ReminderWake {
  /// The time for which a summary collects answers, in milliseconds: it may contain the doses of months, and
  /// checks all of them each time.
  static let gathering: Int64 = 2_000

  /// Wakes a reminder; a closed one rings again if one of its doses is open.
  ///
  /// - Parameter mayWait: true if a summary may be checked a little later, because none of its doses can ring
  ///   any more.
  package static func subject(
    _ subject: ReminderID, patient: PatientID, at now: Timestamp, mayWait: Bool = false,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let summaryAt = mayWait ? now.adding(milliseconds: gathering) : now
    try ReminderStore.wake(
      subject, patient: patient, at: now, summaryAt: summaryAt, in: writer)
  }

  /// Wakes the reminders of a plan's doses that may still ring, and releases the doses that were skipped
  /// while the plan was not active.
  static func plan(_ plan: PlanID, patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    let rows = try writer.query(
      takenUpStatement,
      [
        .text(patient), SQLValue(now.adding(milliseconds: -longestWindow)),
        SQLValue(now.adding(milliseconds: longestWindow)),
      ])
    var subjects: Set<ReminderID> = []
    for row in rows {
      let row = row.read(TakenUpDoseRow.self)
      guard try row.id(.plan) == plan else { continue }
      let subject: ReminderID = try row.id(.reminder)
      if subject != RingingDoses.never {
        subjects.insert(subject)
      } else if try row.text(.state) == DoseState.Stored.open.rawValue,
        try row.timestamp(.lateUntil) > now
      {
        let key = DoseKey(
          patient: patient, plan: plan, era: try row.integer(.era),
          occurrence: try row.text(.occurrence))
        try DoseStore.release(key, ringsAt: now, in: writer)
      }
    }
    for subject in subjects.sorted() {
      try self.subject(subject, patient: patient, at: now, in: writer)
    }
  }

  private static let takenUpStatement = SQLStatement(
    """
    SELECT \(TakenUpDoseRow.columns) FROM doses
    WHERE patient = $1 AND due > $2 AND due <= $3 AND reminder IS NOT NULL
    """)

  /// Applies a patient's new choices to reminders that ring: the time of the next step, and the
  /// quiet hours that hold back steps after the first.
  static func escalation(of patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try ReminderStore.wakeEscalations(of: patient, at: now, in: writer)
    // Retries deliveries that wait for another attempt, so that no one has to ask twice.
    try DeliveryStore.tryAgain(for: patient, at: now, in: writer)
  }

  /// Releases doses whose reminder weekends or a holiday delay; the next step applies the new choices.
  static func held(of patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    for subject in try ReminderStore.held(after: now, patient: patient, in: writer) {
      // Doses that a person postponed keep their time.
      let released = try DoseStore.releaseHeld(
        by: subject, patient: patient, at: now, in: writer)
      if released > 0 { try self.subject(subject, patient: patient, at: now, in: writer) }
    }
  }

  /// The longest late window, twelve hours, with an hour to spare, in milliseconds.
  private static let longestWindow: Int64 = 13 * 3_600_000
}

extension PlanConsequence {
  /// Wakes the reminders of the plan's doses.
  package static let reminders = PlanConsequence(
    "reminders"
  ) { (event, plan, patient, writer) throws(StorageError) in
    guard case .planned(let now) = event else { return }
    try ReminderWake.plan(plan, patient: patient, at: now, in: writer)
  }
}

extension ZoneConsequence {
  /// Applies the clock of the new zone to delayed doses and ringing reminders.
  package static let reminders = ZoneConsequence(
    "reminders"
  ) { (patient, context, writer) throws(StorageError) in
    try ReminderWake.held(of: patient, at: context.now, in: writer)
    try ReminderWake.escalation(of: patient, at: context.now, in: writer)
  }
}

/// A dose that is in a reminder or will never ring.
enum TakenUpDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, reminder, era, occurrence, state, lateUntil
  }

  static let columns = SQLColumns<Column>()
}
