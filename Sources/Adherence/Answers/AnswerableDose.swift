// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// A dose row with all that an answer needs: its plan's medicine and gap, the patient's zone, the
/// answer in force, and what the request's event has already done.
///
/// Read in one query, since every answer starts here.
struct AnswerableDose: Sendable {
  let id: DoseID
  let patient: PatientID
  let due: Timestamp
  let onTimeUntil: Timestamp
  let lateUntil: Timestamp
  let nextDue: Timestamp?
  let amount: Amount?
  let storedState: DoseState.Stored
  let stateReason: String?
  let laterUntil: Timestamp?
  let version: Int64
  let medicine: Medicine
  let minimumGap: Int64?
  /// Why the plan no longer makes doses like this one; nil while it does.
  let planEnded: DoseStateReason?
  let zone: String?
  let inForce: AnswerInForce?
  let earlierEvent: EarlierEvent?
  /// The subject that rings for it, as kept in `doses.reminder`.
  let reminder: String?

  var standing: AnswerRule.Standing {
    AnswerRule.Standing(
      version: version, isCancelled: storedState == .cancelled, inForce: inForce)
  }

  static func read(
    _ id: DoseID, patient: PatientID, event: String?, in reader: any SQLReader
  ) throws(StorageError) -> AnswerableDose? {
    let row = try reader.first(
      """
      SELECT d.due, d.on_time_until, d.late_until, d.next_due,
        d.amount_value, d.amount_unit, d.amount_code,
        d.state, d.state_reason, d.later_until, d.version,
        p.medicine_name, p.ingredients, p.minimum_gap, p.status, p.unplanned_reason, p.era,
        u.zone,
        a.answer, a.action, a.at, a.recorded, a.by_name, a.reason,
        a.amount_value, a.amount_unit, a.dose_version, a.administration,
        e.plan, e.era, e.occurrence, e.action, e.administration, d.reminder,
        (SELECT COUNT(*) FROM stock_uses k WHERE k.patient = d.patient AND k.medicine = d.plan),
        p.shown_name
      FROM doses d
      JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
      LEFT JOIN people u ON u.patient = d.patient
      LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
      LEFT JOIN answers e ON e.patient = d.patient AND e.event = $1
      WHERE d.patient = $2 AND d.plan = $3 AND d.era = $4 AND d.occurrence = $5
      """,
      [
        SQLValue(event), .text(patient), .text(id.plan), .integer(id.era),
        .text(id.occurrence.text),
      ])
    guard let row else { return nil }
    return try AnswerableDose(id, patient: patient, row: row)
  }

  private init(_ id: DoseID, patient: PatientID, row: SQLRow) throws(StorageError) {
    self.id = id
    self.patient = patient
    due = try row.timestamp(0)
    onTimeUntil = try row.timestamp(1)
    lateUntil = try row.timestamp(2)
    nextDue = try row.optionalTimestamp(3)
    let planned = Amount(
      column: try row.optionalText(4), unit: try row.optionalText(5),
      code: try row.optionalText(6))
    amount = planned
    guard let stored = DoseState.Stored(rawValue: try row.text(7)) else {
      throw .unexpectedValue(column: 7, expected: .text)
    }
    storedState = stored
    stateReason = try row.optionalText(8)
    laterUntil = try row.optionalTimestamp(9)
    version = try row.integer(10)
    medicine = Medicine(
      plan: id.plan, name: try row.text(11), shownName: try row.optionalText(35),
      ingredients: try row.text(12),
      mayHaveStock: try row.integer(34) > 0)
    minimumGap = try row.optionalInteger(13)
    planEnded =
      if try row.text(14) == "on-hold" {
        .paused
      } else if try row.text(14) != "active" {
        .stopped
      } else if try row.optionalText(15) != nil {
        .unplanned
      } else if try row.integer(16) != id.era {
        .edit
      } else {
        nil
      }
    zone = try row.optionalText(17)
    inForce = try Self.inForce(row, planned: planned)
    earlierEvent =
      try row.optionalText(31) == nil
      ? nil
      : EarlierEvent(
        plan: try row.optionalID(28), era: try row.optionalInteger(29),
        occurrence: try row.optionalText(30), action: try row.text(31),
        administration: try row.optionalID(32))
    reminder = try row.optionalText(33)
  }

  private static func inForce(
    _ row: SQLRow, planned: Amount?
  ) throws(StorageError) -> AnswerInForce? {
    guard let answer = try row.optionalText(18), let version = try row.optionalInteger(26) else {
      return nil
    }
    guard let action = AnswerAction(rawValue: try row.text(19)) else {
      throw .unexpectedValue(column: 19, expected: .text)
    }
    var amount = Amount(
      column: try row.optionalText(24), unit: try row.optionalText(25), code: nil)
    if let planned, planned.isSameQuantity(as: amount) { amount = planned }
    return AnswerInForce(
      id: AnswerID(answer), action: action, at: try row.timestamp(20),
      recorded: try row.timestamp(21),
      by: try row.text(22), reason: try row.optionalText(23), amount: amount,
      doseVersion: version, administration: try row.optionalID(27))
  }
}

/// A medicine as plans and intakes name it.
struct Medicine: Sendable, Hashable {
  /// nil for a free entry.
  let plan: PlanID?
  let name: String
  /// The name shown to people; for a free entry, the name that was typed.
  let shownName: String
  /// The `ingredients` column.
  let ingredients: String
  /// Whether a stock may count it: false where it was looked up, so that nothing is asked again.
  let mayHaveStock: Bool

  init(
    plan: PlanID?, name: String, shownName: String? = nil, ingredients: String,
    mayHaveStock: Bool = true
  ) {
    self.plan = plan
    self.name = name
    self.shownName = shownName ?? name
    self.ingredients = ingredients
    self.mayHaveStock = mayHaveStock
  }

  init(_ row: PlanRow) {
    self.init(
      plan: row.plan, name: row.medicineName, shownName: row.shownName,
      ingredients: row.ingredients)
  }
}

extension Amount {
  /// An amount from its columns; nil when there is none.
  init?(column value: String?, unit: String?, code: String?) {
    guard let value else { return nil }
    self.init(stored: value, unit: unit ?? "", code: code)
  }
}
