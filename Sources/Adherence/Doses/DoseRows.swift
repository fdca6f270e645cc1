// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage

/// Reads dose rows with the medicine's name and the answer in force.
enum DoseRows {
  static func one(_ id: DoseID, patient: PatientID, now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> Dose?
  {
    let row = try reader.first(
      """
      SELECT d.plan, d.era, d.occurrence, d.due, d.on_time_until, d.late_until, d.next_due,
        d.amount_value, d.amount_unit, d.amount_code, d.state, d.state_reason, d.later_until,
        d.version, COALESCE(p.shown_name, p.medicine_name), a.answer, a.action, a.at, a.recorded, a.by_name, a.reason,
        a.amount_value, a.amount_unit
      FROM doses d
      JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
      LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
      WHERE d.patient = $1 AND d.plan = $2 AND d.era = $3 AND d.occurrence = $4
      """,
      [.text(patient), .text(id.plan), .integer(id.era), .text(id.occurrence.text)])
    guard let row else { return nil }
    return try dose(row, patient: patient, now: now)
  }

  /// Rows due in [from, until), by the index on the due time; where there are more than `most`,
  /// one more than that, any of them.
  static func between(
    _ from: Timestamp, _ until: Timestamp, patient: PatientID, most: Int, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    let rows = try reader.query(
      """
      SELECT d.plan, d.era, d.occurrence, d.due, d.on_time_until, d.late_until, d.next_due,
        d.amount_value, d.amount_unit, d.amount_code, d.state, d.state_reason, d.later_until,
        d.version, COALESCE(p.shown_name, p.medicine_name), a.answer, a.action, a.at, a.recorded, a.by_name, a.reason,
        a.amount_value, a.amount_unit
      FROM doses d
      JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
      LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
      WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3
      LIMIT $4
      """,
      [
        .text(patient), .integer(from.milliseconds), .integer(until.milliseconds),
        .integer(Int64(most) + 1),
      ])
    var doses: [Dose] = []
    doses.reserveCapacity(rows.count)
    for row in rows { doses.append(try dose(row, patient: patient, now: now)) }
    return doses
  }

  /// The columns that ``dose(_:patient:now:)`` reads; conditions on `d` follow.
  static let selection: SQLText = """
    SELECT d.plan, d.era, d.occurrence, d.due, d.on_time_until, d.late_until, d.next_due,
      d.amount_value, d.amount_unit, d.amount_code, d.state, d.state_reason, d.later_until,
      d.version, COALESCE(p.shown_name, p.medicine_name), a.answer, a.action, a.at, a.recorded, a.by_name, a.reason,
      a.amount_value, a.amount_unit
    FROM doses d
    JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
    LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
    """

  /// The rows that a reminder holds.
  static func of(
    subject: String, patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    let rows = try reader.query(
      """
      SELECT d.plan, d.era, d.occurrence, d.due, d.on_time_until, d.late_until, d.next_due,
        d.amount_value, d.amount_unit, d.amount_code, d.state, d.state_reason, d.later_until,
        d.version, COALESCE(p.shown_name, p.medicine_name), a.answer, a.action, a.at, a.recorded, a.by_name, a.reason,
        a.amount_value, a.amount_unit
      FROM doses d
      JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
      LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
      WHERE d.reminder = $1 AND d.patient = $2
      """, [.text(subject), .text(patient)])
    var doses: [Dose] = []
    doses.reserveCapacity(rows.count)
    for row in rows { doses.append(try dose(row, patient: patient, now: now)) }
    return doses
  }

  static func dose(_ row: SQLRow, patient: PatientID, now: Timestamp)
    throws(StorageError) -> Dose
  {
    let occurrence = try row.text(2)
    guard let occurrenceID = OccurrenceID(text: occurrence) else {
      throw .unexpectedValue(column: 2, expected: .text)
    }
    guard let stored = DoseState.Stored(rawValue: try row.text(10)) else {
      throw .unexpectedValue(column: 10, expected: .text)
    }
    return Dose(
      id: DoseID(plan: try row.id(0), era: try row.integer(1), occurrence: occurrenceID),
      patient: patient,
      medicineName: try row.text(14),
      due: try row.timestamp(3),
      onTimeUntil: try row.timestamp(4),
      lateUntil: try row.timestamp(5),
      nextDue: try row.optionalTimestamp(6),
      amount: try amount(row, value: 7, unit: 8, code: 9),
      stored: stored,
      stateReason: try row.optionalText(11),
      laterUntil: try row.optionalTimestamp(12),
      version: try row.integer(13),
      answer: try answer(row),
      now: now)
  }

  private static func answer(_ row: SQLRow) throws(StorageError) -> DoseAnswer? {
    guard let id = try row.optionalText(15) else { return nil }
    guard let action = AnswerAction(rawValue: try row.text(16)) else {
      throw .unexpectedValue(column: 16, expected: .text)
    }
    return DoseAnswer(
      id: AnswerID(id),
      action: action,
      at: try row.timestamp(17),
      recorded: try row.timestamp(18),
      by: try row.text(19),
      reason: try row.optionalText(20),
      amount: try amount(row, value: 21, unit: 22, code: nil))
  }

  private static func amount(_ row: SQLRow, value: Int, unit: Int, code: Int?)
    throws(StorageError) -> Amount?
  {
    guard let text = try row.optionalText(value) else { return nil }
    let code = if let code { try row.optionalText(code) } else { String?.none }
    return Amount(stored: text, unit: try row.optionalText(unit) ?? "", code: code)
  }
}
