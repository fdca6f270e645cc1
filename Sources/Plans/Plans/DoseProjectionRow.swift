// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage

/// A dose row as the planner sees it.
package struct DoseProjectionRow: Sendable, Hashable, SQLRowType {
  package enum Column: Int, SQLColumn {
    case plan, era, occurrence, due, onTimeUntil, lateUntil, nextDue
    case amountValue, amountUnit, amountCode, state, stateReason, laterUntil, version, answer
  }

  package static let columns = SQLColumns<Column>()

  package let era: Int64
  package let occurrence: OccurrenceID
  package var due: Timestamp
  package var onTimeUntil: Timestamp
  package var lateUntil: Timestamp
  package var nextDue: Timestamp?
  package var amount: Amount?
  package var state: DoseState.Stored
  package var stateReason: DoseStateReason?
  package var laterUntil: Timestamp?
  package var version: Int64
  var hasAnswer: Bool

  /// Whether nothing was said about it yet: what is not yet due may then be planned anew.
  package var isProjection: Bool {
    !hasAnswer && laterUntil == nil
      && (state == .open || state == .withheld || state == .cancelled)
  }

  /// Whether the reminder was put off and no outcome was said: it may still be called off.
  var isPutOff: Bool { state == .open && laterUntil != nil }

  /// The row called off; a reminder put off falls away with it.
  func cancelled(_ reason: DoseStateReason) -> DoseProjectionRow {
    var row = self
    row.state = .cancelled
    row.stateReason = reason
    row.laterUntil = nil
    row.hasAnswer = false
    row.version += 1
    return row
  }

  /// A dose as it comes from the rules.
  ///
  /// - Parameters:
  ///   - moved: when it is due instead, where a person moved this one; its neighbours stay.
  ///   - nextMoved: when the one after it is due, where that was moved too.
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
