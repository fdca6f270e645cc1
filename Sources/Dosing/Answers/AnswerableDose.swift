// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// A dose row with everything that an answer needs: its plan's medicine and gap, the patient's
/// zone, the answer in force, the effect that the request's event already had, and the possible
/// consequences of the answer.
///
/// It is read in one query, because every answer starts here.
package struct AnswerableDose: Sendable {
  /// The identifier of the dose.
  package let id: DoseID
  /// The patient who takes it.
  package let patient: PatientID
  /// The time at which it is due, after any move.
  package let due: Timestamp
  let onTimeUntil: Timestamp
  /// The end of the late window; from then on an open dose counts as missed.
  package let lateUntil: Timestamp
  let nextDue: Timestamp?
  let amount: Amount?
  /// The stored state, before any answer that is about to be recorded.
  package let storedState: DoseState.Stored
  let stateReason: String?
  let laterUntil: Timestamp?
  let version: Int64
  let medicine: Medicine
  let minimumGap: Int64?
  /// The reason why the plan no longer gives doses like this one; nil while it does.
  let planEnded: DoseStateReason?
  let zone: String?
  let inForce: AnswerInForce?
  let earlierEvent: EarlierEvent?
  /// The identifier of its reminder, as stored in `doses.reminder`; nil if there is none.
  package let reminder: ReminderID?
  /// The months of its plan whose statistics are closed; nil if there are none.
  package let closedMonths: ClosedMonths?
  let possible: PossibleConsequences

  var standing: AnswerRule.Standing {
    AnswerRule.Standing(
      version: version, isCancelled: storedState == .cancelled, inForce: inForce)
  }

  /// Reads a dose; nil if it has no row.
  static func read(
    _ id: DoseID, patient: PatientID, event: String?, in reader: any SQLReader
  ) throws(StorageError) -> AnswerableDose? {
    let rows = try reader.query(
      oneStatement,
      [
        SQLValue(event), .text(patient), .text(id.plan), .integer(id.era),
        .text(id.occurrence.text),
      ])
    return rows.isEmpty ? nil : try AnswerableDose(rows[...], patient: patient)
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(AnswerableDoseRow.columns), \(CountingStockRow.columns)
    FROM \(AnswerableDoseRow.tables)
    LEFT JOIN answers e ON e.patient = d.patient AND e.event = $1
    LEFT JOIN stock_uses k ON k.patient = d.patient AND k.medicine = d.plan
    \(CountingStockRow.joins)
    WHERE d.patient = $2 AND d.plan = $3 AND d.era = $4 AND d.occurrence = $5
    """)

  /// Reads a dose together with the patient to whom its plan belongs; nil if it has no row.
  static func owned(
    _ id: DoseID, event: String?, in reader: any SQLReader
  ) throws(StorageError) -> AnswerableDose? {
    let rows = try reader.query(
      ownedStatement,
      [SQLValue(event), .text(id.plan), .integer(id.era), .text(id.occurrence.text)])
    guard let first = rows.first else { return nil }
    let patient: PatientID = try first.read(AnswerableDoseRow.self).id(.patient)
    return try AnswerableDose(rows[...], patient: patient)
  }

  private static let ownedStatement = SQLStatement(
    """
    SELECT \(AnswerableDoseRow.columns), \(CountingStockRow.columns)
    FROM resource_keys o CROSS JOIN \(AnswerableDoseRow.tables)
    LEFT JOIN answers e ON e.patient = d.patient AND e.event = $1
    LEFT JOIN stock_uses k ON k.patient = d.patient AND k.medicine = d.plan
    \(CountingStockRow.joins)
    WHERE o.type = 'MedicationRequest' AND o.id = $2 AND d.patient = o.patient AND d.plan = o.id
      AND d.era = $3 AND d.occurrence = $4
    """)

  /// Reads the plan's open dose nearest to a time within its on-time or late window; nil if there is none.
  ///
  /// - Parameter event: the UUID of the request, whose earlier effect is read along with the dose.
  package static func open(
    of plan: PlanID, patient: PatientID, holding time: Timestamp, event: String?,
    in reader: any SQLReader
  ) throws(StorageError) -> AnswerableDose? {
    // Windows open at most an hour before the due time and close at most twelve hours after.
    let rows = try reader.query(
      openStatement,
      [
        SQLValue(event), .text(patient), SQLValue(time.adding(milliseconds: -12 * 3_600_000)),
        SQLValue(time.adding(milliseconds: 3_600_000)), .text(plan),
      ])
    var nearest: (distance: Int64, dose: AnswerableDose)?
    var rest = rows[...]
    while let first = rest.first {
      let key = try AnswerableDoseRow.key(first)
      var end = rest.startIndex + 1
      while end < rest.endIndex, try AnswerableDoseRow.key(rest[end]) == key { end += 1 }
      let dose = try AnswerableDose(rest[..<end], patient: patient)
      rest = rest[end...]
      guard dose.isHolding(time) else { continue }
      let distance = abs(time.milliseconds - dose.due.milliseconds)
      if distance < nearest?.distance ?? .max { nearest = (distance, dose) }
    }
    return nearest?.dose
  }

  private static let openStatement = SQLStatement(
    """
    SELECT \(AnswerableDoseRow.columns), \(CountingStockRow.columns)
    FROM \(AnswerableDoseRow.tables)
    LEFT JOIN answers e ON e.patient = d.patient AND e.event = $1
    LEFT JOIN stock_uses k ON k.patient = d.patient AND k.medicine = d.plan
    \(CountingStockRow.joins)
    WHERE d.patient = $2 AND d.due > $3 AND d.due <= $4 AND d.plan = $5 AND d.state = 'open'
    ORDER BY d.due, d.era, d.occurrence
    """)

  private func isHolding(_ time: Timestamp) -> Bool {
    let radius = onTimeUntil.milliseconds - due.milliseconds
    return time >= due.adding(milliseconds: -radius) && time < lateUntil
  }
}
