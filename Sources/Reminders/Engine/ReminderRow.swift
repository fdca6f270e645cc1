// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The state of a reminder: still ringing, or closed.
package enum ReminderState: String, Sendable, Hashable, CaseIterable {
  case ringing, closed
}

/// The outcome of a closed reminder.
package enum ReminderOutcome: String, Sendable, Hashable, CaseIterable {
  /// Every dose was answered.
  case answered
  /// It was handed over but not answered in time.
  case expired
  /// Nothing was handed over in time; its doses went into a summary.
  case missed
  /// There was no recipient with an address.
  case unreachable
  /// No dose is left to ring for: all were stopped, moved or cancelled.
  case cancelled
}

/// A row of `reminders`.
package struct ReminderRow: Sendable, Hashable {
  /// The patient whom the reminder is about.
  package let patient: PatientID
  /// The identifier of the reminder.
  package let subject: ReminderID
  let kind: ReminderKind
  var generation: Int64
  /// The time from which the steps are counted; later if a step is late.
  var started: Timestamp
  /// The number of the next step, from 0.
  var step: Int
  /// The escalation policy of this generation, from its first step on: later choices apply to the
  /// next generation, except for consent, which is checked whenever something is sent.
  var escalation: EscalationPolicy?
  /// The time at which the engine next works on the reminder.
  package var nextAt: Timestamp
  /// The earliest due time of its doses.
  var due: Timestamp
  var ends: Timestamp
  /// The latest time for a first hand-over.
  var freshUntil: Timestamp
  /// The time of the first hand-over of this generation.
  var handedOver: Timestamp?
  /// The state of the reminder.
  package var state: ReminderState
  /// The outcome.
  ///
  /// It is kept when a closed reminder is woken, and then shows that it was closed.
  package var outcome: ReminderOutcome?
  let opened: Timestamp
  var closed: Timestamp?

  /// The time after ringing during which a dose may still be handed over for the first time, in milliseconds.
  static let freshMilliseconds: Int64 = 3_600_000

  /// Creates a reminder that starts to ring at an instant.
  package init(
    patient: PatientID, subject: ReminderID, kind: ReminderKind, starts: Timestamp, due: Timestamp,
    ends: Timestamp, opened: Timestamp
  ) {
    self.patient = patient
    self.subject = subject
    self.kind = kind
    generation = 1
    started = starts
    step = 0
    nextAt = starts
    self.due = due
    self.ends = ends
    freshUntil = starts.adding(milliseconds: Self.freshMilliseconds)
    state = .ringing
    self.opened = opened
  }

  /// The start of the generation, even if its steps were late.
  var begin: Timestamp { freshUntil.adding(milliseconds: -Self.freshMilliseconds) }

  /// Returns the next generation of the reminder, which starts to ring at an instant.
  package func next(starts: Timestamp, due: Timestamp, ends: Timestamp) -> ReminderRow {
    var row = self
    row.generation += 1
    row.started = starts
    row.step = 0
    row.escalation = nil
    row.nextAt = starts
    row.due = due
    row.ends = ends
    row.freshUntil = starts.adding(milliseconds: Self.freshMilliseconds)
    row.handedOver = nil
    row.state = .ringing
    row.outcome = nil
    row.closed = nil
    return row
  }

  /// Closes the reminder with an outcome; the time of an earlier close is kept.
  package mutating func close(_ outcome: ReminderOutcome, at now: Timestamp) {
    state = .closed
    self.outcome = outcome
    closed = closed ?? now
  }
}

extension ReminderRow: SQLWritableRow, SQLReadableRow {
  /// The columns of the table.
  package enum Column: Int, SQLColumn {
    case patient, subject, kind, generation, started, step, nextAt, due, ends, freshUntil
    case handedOver, state, outcome, opened, closed, escalation
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>()

  /// Creates a reminder from a row; an escalation policy that cannot be read becomes nil.
  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    subject = try row.id(.subject)
    kind = try row.named(.kind)
    generation = try row.integer(.generation)
    started = try row.timestamp(.started)
    step = Int(clamping: try row.integer(.step))
    nextAt = try row.timestamp(.nextAt)
    due = try row.timestamp(.due)
    ends = try row.timestamp(.ends)
    freshUntil = try row.timestamp(.freshUntil)
    handedOver = try row.optionalTimestamp(.handedOver)
    state = try row.named(.state)
    outcome = try row.optionalText(.outcome).flatMap(ReminderOutcome.init(rawValue:))
    opened = try row.timestamp(.opened)
    closed = try row.optionalTimestamp(.closed)
    escalation = try row.optionalText(.escalation).flatMap(EscalationPolicy.init(text:))
  }

  /// Returns the value stored in a column.
  package func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .subject: .text(subject)
    case .kind: .text(kind.rawValue)
    case .generation: .integer(generation)
    case .started: SQLValue(started)
    case .step: SQLValue(step)
    case .nextAt: SQLValue(nextAt)
    case .due: SQLValue(due)
    case .ends: SQLValue(ends)
    case .freshUntil: SQLValue(freshUntil)
    case .handedOver: SQLValue(handedOver)
    case .state: .text(state.rawValue)
    case .outcome: SQLValue(outcome?.rawValue)
    case .opened: SQLValue(opened)
    case .closed: SQLValue(closed)
    case .escalation: SQLValue(escalation?.text)
    }
  }
}

extension SQLRow {
  /// Returns the value of a column with a fixed set of words.
  func named<Name: RawRepresentable<String>>(_ column: Int) throws(StorageError) -> Name {
    guard let name = Name(rawValue: try text(column)) else {
      throw .unexpectedValue(column: column, expected: .text)
    }
    return name
  }
}
