// SPDX-License-Identifier: Apache-2.0
import Scheduling
import Storage

/// A dose row as the planner sees it.
struct DoseProjectionRow: Sendable, Hashable {
  let era: Int64
  let occurrence: OccurrenceID
  var due: Timestamp
  var onTimeUntil: Timestamp
  var lateUntil: Timestamp
  var nextDue: Timestamp?
  var amount: Amount?
  var state: DoseState.Stored
  var stateReason: DoseStateReason?
  var laterUntil: Timestamp?
  var version: Int64
  var hasAnswer: Bool

  /// Whether nothing was said about it yet: what is not yet due may then be planned anew.
  var isProjection: Bool {
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
  init(
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

  private init(_ row: SQLRow) throws(StorageError) {
    era = try row.integer(0)
    guard let occurrence = OccurrenceID(text: try row.text(1)) else {
      throw .unexpectedValue(column: 1, expected: .text)
    }
    self.occurrence = occurrence
    due = try row.timestamp(2)
    onTimeUntil = try row.timestamp(3)
    lateUntil = try row.timestamp(4)
    nextDue = try row.optionalTimestamp(5)
    amount = try row.optionalText(6).flatMap { value throws(StorageError) in
      Amount(value: value, unit: try row.optionalText(7) ?? "", code: try row.optionalText(8))
    }
    guard let state = DoseState.Stored(rawValue: try row.text(9)) else {
      throw .unexpectedValue(column: 9, expected: .text)
    }
    self.state = state
    stateReason = try row.optionalText(10).flatMap { DoseStateReason(rawValue: $0) }
    laterUntil = try row.optionalTimestamp(11)
    version = try row.integer(12)
    hasAnswer = try row.optionalText(13) != nil
  }
}

extension DoseProjectionRow {
  /// A plan's rows due after an instant.
  ///
  /// Read by the patient's due times, so that the cost does not grow with the plan's age. Of two at one moment, as a
  /// dose called off and one moved there, the same comes first always: else looking would seem a change.
  static func load(
    _ plan: String, patient: String, dueAfter instant: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [DoseProjectionRow] {
    let rows = try reader.query(
      """
      SELECT era, occurrence, due, on_time_until, late_until, next_due, amount_value, amount_unit,
        amount_code, state, state_reason, later_until, version, answer, plan
      FROM doses WHERE patient = $1 AND due > $2
      ORDER BY due, plan, era, occurrence
      """, [.text(patient), SQLValue(instant)])
    var doses: [DoseProjectionRow] = []
    for row in rows where try row.text(14) == plan { doses.append(try DoseProjectionRow(row)) }
    return doses
  }

  /// The rows of all plans of a patient due after an instant, each in the same order.
  static func byPlan(
    patient: String, dueAfter instant: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [String: [DoseProjectionRow]] {
    let rows = try reader.query(
      """
      SELECT era, occurrence, due, on_time_until, late_until, next_due, amount_value, amount_unit,
        amount_code, state, state_reason, later_until, version, answer, plan
      FROM doses WHERE patient = $1 AND due > $2
      ORDER BY due, plan, era, occurrence
      """, [.text(patient), SQLValue(instant)])
    var doses: [String: [DoseProjectionRow]] = [:]
    for row in rows { doses[try row.text(14), default: []].append(try DoseProjectionRow(row)) }
    return doses
  }

  static func exists(
    _ occurrence: OccurrenceID, era: Int64, plan: String, patient: String,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM doses WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4
      """, [.text(patient), .text(plan), .integer(era), .text(occurrence.text)]) != nil
  }

  /// Adds the row; one that exists is a fact or a projection already made, and stays.
  func insert(plan: String, patient: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until, next_due,
        amount_value, amount_unit, amount_code, state, state_reason, version)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)
      ON CONFLICT (patient, plan, era, occurrence) DO NOTHING
      """,
      [
        .text(patient), .text(plan), .integer(era), .text(occurrence.text), SQLValue(due),
        SQLValue(onTimeUntil), SQLValue(lateUntil), SQLValue(nextDue), SQLValue(amount?.value),
        SQLValue(amount?.unit), SQLValue(amount?.code), .text(state.rawValue),
        SQLValue(stateReason?.rawValue), .integer(version),
      ])
  }

  func update(plan: String, patient: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE doses SET due = $1, on_time_until = $2, late_until = $3, next_due = $4,
        amount_value = $5, amount_unit = $6, amount_code = $7, state = $8, state_reason = $9,
        version = $10, later_until = $11, answer = CASE WHEN $12 = 1 THEN answer END
      WHERE patient = $13 AND plan = $14 AND era = $15 AND occurrence = $16
      """,
      [
        SQLValue(due), SQLValue(onTimeUntil), SQLValue(lateUntil), SQLValue(nextDue),
        SQLValue(amount?.value), SQLValue(amount?.unit), SQLValue(amount?.code),
        .text(state.rawValue), SQLValue(stateReason?.rawValue), .integer(version),
        SQLValue(laterUntil), .integer(hasAnswer ? 1 : 0), .text(patient), .text(plan),
        .integer(era), .text(occurrence.text),
      ])
  }

  func delete(plan: String, patient: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "DELETE FROM doses WHERE patient = $1 AND plan = $2 AND era = $3 AND occurrence = $4",
      [.text(patient), .text(plan), .integer(era), .text(occurrence.text)])
  }
}
