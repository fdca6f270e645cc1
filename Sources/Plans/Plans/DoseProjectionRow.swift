// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage

/// A row of `doses` as the planner reads and writes it.
package struct DoseProjectionRow: Sendable, Hashable, SQLRowType {
  /// The columns that planning needs.
  package enum Column: Int, SQLColumn {
    case plan, era, occurrence, due, onTimeUntil, lateUntil, nextDue
    case amountValue, amountUnit, amountCode, state, stateReason, laterUntil, version, answer
  }

  /// The columns of `doses`.
  package static let columns = SQLColumns<Column>()

  /// The era of the plan, counted from 1.
  package let era: Int64
  /// The occurrence within the era.
  package let occurrence: OccurrenceID
  /// The time at which the dose is due.
  package var due: Timestamp
  /// The last moment of the on-time window.
  package var onTimeUntil: Timestamp
  /// The end of the late window.
  package var lateUntil: Timestamp
  /// The plan's next dose; nil if there is none.
  package var nextDue: Timestamp?
  /// The planned amount; nil if the plan states none.
  package var amount: Amount?
  /// The stored state.
  package var state: DoseState.Stored
  /// The reason for which it is withheld or cancelled; nil in other states.
  package var stateReason: DoseStateReason?
  /// The time until which the person put the dose off; nil if they did not.
  package var laterUntil: Timestamp?
  /// The version of the row, which grows with each change.
  package var version: Int64
  var hasAnswer: Bool

  /// True if no answer was given yet, so that a future dose may be planned again.
  package var isProjection: Bool {
    !hasAnswer && laterUntil == nil
      && (state == .open || state == .withheld || state == .cancelled)
  }

  /// True if the reminder was put off and the dose has no outcome: it may still be cancelled.
  var isPutOff: Bool { state == .open && laterUntil != nil }

  /// Returns the row as cancelled, without its postponed reminder.
  func cancelled(_ reason: DoseStateReason) -> DoseProjectionRow {
    var row = self
    row.state = .cancelled
    row.stateReason = reason
    row.laterUntil = nil
    row.hasAnswer = false
    row.version += 1
    return row
  }

  /// Creates the row of a dose from the rules, open and in its first version.
  ///
  /// - Parameters:
  ///   - moved: the due time to which a person moved this dose; its neighbours stay.
  ///   - nextMoved: the due time of the next dose, if that one was moved too.
  package init(
    _ dose: PlannedDose, era: Int64, in timeline: PlanTimeline, movedTo moved: Timestamp? = nil,
    nextMovedTo nextMoved: Timestamp? = nil
  ) {
    self.era = era
    occurrence = dose.occurrence
    let at = moved.map { Instant($0) } ?? dose.due
    due = Timestamp(milliseconds: at.milliseconds)
    let next = nextMoved.map { Instant($0) } ?? timeline.next(after: dose.due)
    let window = DoseWindow.between(
      due: at, next: next, previous: timeline.last(before: dose.due))
    onTimeUntil = Timestamp(milliseconds: window.onTimeUntil(at).milliseconds)
    lateUntil = Timestamp(milliseconds: window.lateUntil(at).milliseconds)
    nextDue = next.map { Timestamp(milliseconds: $0.milliseconds) }
    amount = dose.amount
    state = .open
    version = 1
    hasAnswer = false
  }

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    guard let occurrence = OccurrenceID(text: try row.text(.occurrence)) else {
      throw row.unexpected(.occurrence)
    }
    self.occurrence = occurrence
    era = try row.integer(.era)
    due = try row.timestamp(.due)
    onTimeUntil = try row.timestamp(.onTimeUntil)
    lateUntil = try row.timestamp(.lateUntil)
    nextDue = try row.optionalTimestamp(.nextDue)
    amount = try row.optionalText(.amountValue).flatMap { value throws(StorageError) in
      Amount(
        value: value, unit: try row.optionalText(.amountUnit) ?? "",
        code: try row.optionalText(.amountCode))
    }
    state = try row.named(.state)
    stateReason = try row.optionalText(.stateReason).flatMap { DoseStateReason(rawValue: $0) }
    laterUntil = try row.optionalTimestamp(.laterUntil)
    version = try row.integer(.version)
    hasAnswer = try row.optionalText(.answer) != nil
  }
}
