// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// A break of a medicine that begins or ends tomorrow.
package struct CycleTurn: Sendable, Hashable {
  /// The event: the break begins or ends.
  package enum Kind: String, Sendable, Hashable, CaseIterable {
    case breakBegins = "break-begins"
    case breakEnds = "break-ends"
  }

  /// The plan with the cycle.
  package let plan: PlanID
  /// The medicine's name as shown to people.
  package let medicineName: String
  /// The event of tomorrow.
  package let kind: Kind
}

/// Days on and days off, stored next to a plan so that Today never has to read prescriptions for them.
struct CycleDays: Sendable, Hashable {
  /// The first day of the first cycle.
  let first: CivilDate
  let daysOn: Int
  let daysOff: Int
  /// The last day; nil for none.
  let last: CivilDate?

  /// Reads the cycle of a plan's rules: days on from the first day, then a break or placebo tablets.
  init?(_ rules: [PlanRule], zone: Zone) {
    for rule in rules {
      guard case .calendar(.daysOfCycle(let days, let length), _) = rule.pattern,
        days.count < length, days == Set(1...max(days.count, 1))
      else { continue }
      first = rule.anchorDate
      daysOn = days.count
      daysOff = length - days.count
      last = rule.end.map { zone.date(at: $0.excludedInstant.adding(milliseconds: -1)) }
      return
    }
    return nil
  }

  init(first: CivilDate, daysOn: Int, daysOff: Int, last: CivilDate?) {
    self.first = first
    self.daysOn = daysOn
    self.daysOff = daysOff
    self.last = last
  }

  /// Returns the event that begins on the day after a date; nil before the first cycle and after the last
  /// day.
  func turn(after date: CivilDate) -> CycleTurn.Kind? {
    let tomorrow = date.adding(days: 1)
    let day = first.days(until: tomorrow)
    guard day > 0, last.map({ tomorrow <= $0 }) ?? true else { return nil }
    switch day % (daysOn + daysOff) {
    case 0: return .breakEnds
    case daysOn: return .breakBegins
    default: return nil
    }
  }
}

/// The rows of `plan_cycles`.
package enum CycleRows {
  /// Stores the cycle of a plan; a plan without a cycle has no row.
  static func note(
    _ cycle: CycleDays?, plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    guard let cycle else {
      try writer.execute(
        "DELETE FROM plan_cycles WHERE patient = $1 AND plan = $2", [.text(patient), .text(plan)])
      return
    }
    try writer.execute(
      noteStatement, PlanCycleRow(patient: patient, plan: plan, cycle: cycle).values)
  }

  private static let noteStatement = SQLStatement(
    """
    INSERT INTO plan_cycles (\(PlanCycleRow.columns)) VALUES (\(PlanCycleRow.placeholders))
    ON CONFLICT (patient, plan) DO UPDATE SET first_day = excluded.first_day,
      days_on = excluded.days_on, days_off = excluded.days_off, last_day = excluded.last_day
    """)

  /// Returns the breaks of a patient's active medicines that begin or end on the day after `date`,
  /// by the medicine's name.
  package static func turns(
    patient: PatientID, after date: CivilDate, in reader: any SQLReader
  ) throws(StorageError) -> [CycleTurn] {
    var turns: [CycleTurn] = []
    for row in try reader.query(turnsStatement, [.text(patient)]) {
      let row = row.read(NamedCycleRow.self)
      guard let kind = try CycleDays(row).turn(after: date) else { continue }
      turns.append(
        CycleTurn(
          plan: try row.id(.plan), medicineName: try row.text(.medicineName), kind: kind))
    }
    return turns
  }

  private static let turnsStatement = SQLStatement(
    """
    SELECT \(NamedCycleRow.columns)
    FROM plan_cycles c JOIN plans p ON p.patient = c.patient AND p.plan = c.plan
    WHERE c.patient = $1 AND p.status = 'active' AND p.unplanned_reason IS NULL
    ORDER BY p.medicine_name, c.plan
    """)
}

/// A complete row of `plan_cycles`.
struct PlanCycleRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, firstDay, daysOn, daysOff, lastDay
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let cycle: CycleDays

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .firstDay: .text(cycle.first.text)
    case .daysOn: SQLValue(cycle.daysOn)
    case .daysOff: SQLValue(cycle.daysOff)
    case .lastDay: SQLValue(cycle.last?.text)
    }
  }
}

/// A cycle with its medicine's name.
enum NamedCycleRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, medicineName, firstDay, daysOn, daysOff, lastDay
  }

  static let columns = SQLColumns<Column>(
    of: "c", [.medicineName: "COALESCE(p.shown_name, p.medicine_name)"])
}

extension CycleDays {
  fileprivate init(_ row: ColumnReader<NamedCycleRow.Column>) throws(StorageError) {
    guard let first = CivilDate(text: try row.text(.firstDay)) else {
      throw row.unexpected(.firstDay)
    }
    self.init(
      first: first, daysOn: Int(clamping: try row.integer(.daysOn)),
      daysOff: Int(clamping: try row.integer(.daysOff)),
      last: try row.optionalText(.lastDay).flatMap { CivilDate(text: $0) })
  }
}
