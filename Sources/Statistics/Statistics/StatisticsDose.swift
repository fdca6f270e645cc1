// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// A dose as statistics count it: its day, the part of the day and its outcome.
///
/// Cancelled doses are left out.
package struct StatisticsDose: Sendable, Hashable {
  /// The plan of the dose.
  package let plan: PlanID
  /// The time at which it was due.
  package let due: Timestamp
  /// The day on which it was due, in the zone of the statistics.
  package let date: CivilDate
  /// The part of the day in which it was due.
  package let part: DayPart
  /// The outcome; nil while the dose can still be taken or decided about.
  package let outcome: DoseOutcome?
  /// The milliseconds from the due time to the intake or another answer; 0 without one, negative if it was
  /// early.
  package let delay: Int64

  /// Creates a dose to count.
  package init(
    plan: PlanID, due: Timestamp, date: CivilDate, part: DayPart, outcome: DoseOutcome?,
    delay: Int64 = 0
  ) {
    self.plan = plan
    self.due = due
    self.date = date
    self.part = part
    self.outcome = outcome
    self.delay = delay
  }

  /// Passes on the doses due from one instant on and before another, by plan and then by due time.
  static func each(
    patient: PatientID, plan: PlanID? = nil, from: Timestamp, until: Timestamp, zone: Zone,
    now: Timestamp, in reader: any SQLReader, _ body: (StatisticsDose) -> Void
  ) throws(StorageError) {
    guard from < until else { return }
    let rows: [SQLRow]
    if let plan {
      rows = try reader.query(
        ofPlanStatement, [.text(patient), .text(plan), SQLValue(from), SQLValue(until)])
    } else {
      rows = try reader.query(
        ofAllStatement, [.text(patient), SQLValue(from), SQLValue(until)])
    }
    var day = StatisticsDay(zone: zone)
    for row in rows {
      let row = row.read(StatisticsDoseRow.self)
      let due = try row.timestamp(.due)
      let date = day.date(of: due)
      let hour = zone.local(at: Instant(due)).time.hour
      body(
        StatisticsDose(
          plan: try row.id(.plan), due: due, date: date, part: DayPart(hour: hour),
          outcome: try outcome(row, now: now),
          delay: try (row.optionalTimestamp(.answeredAt) ?? due).milliseconds - due.milliseconds))
    }
  }

  private static let ofPlanStatement = SQLStatement(
    """
    SELECT \(StatisticsDoseRow.columns) FROM doses
    WHERE patient = $1 AND plan = $2 AND due >= $3 AND due < $4 AND state <> 'cancelled'
    ORDER BY plan, due
    """)

  private static let ofAllStatement = SQLStatement(
    """
    SELECT \(StatisticsDoseRow.columns) FROM doses
    WHERE patient = $1 AND due >= $2 AND due < $3 AND state <> 'cancelled'
    ORDER BY plan, due
    """)

  /// Returns the outcome, like ``DoseOutcome/init(of:now:)``.
  private static func outcome(
    _ row: ColumnReader<StatisticsDoseRow.Column>, now: Timestamp
  ) throws(StorageError) -> DoseOutcome? {
    switch try row.text(.state) {
    case "taken":
      guard let at = try row.optionalTimestamp(.answeredAt) else { return .taken }
      return try at <= row.timestamp(.onTimeUntil) ? .taken : .late
    case "skipped": return .skipped
    case "refused": return .refused
    case "open":
      let later = try row.optionalTimestamp(.laterUntil) ?? now
      return try row.timestamp(.lateUntil) <= now && later <= now ? .missed : nil
    case "withheld": return try row.timestamp(.lateUntil) <= now ? .withheld : nil
    default: return nil
    }
  }
}

/// The columns of a ``StatisticsDose``.
enum StatisticsDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, due, state, answeredAt, onTimeUntil, lateUntil, laterUntil
  }

  static let columns = SQLColumns<Column>()
}

/// A cache of the last day in a zone, because most doses fall on the previous dose's day.
private struct StatisticsDay {
  let zone: Zone
  private var known = CivilDate.earliest
  private var begins = Int64.max
  private var ends = Int64.min

  init(zone: Zone) { self.zone = zone }

  mutating func date(of due: Timestamp) -> CivilDate {
    if due.milliseconds >= begins, due.milliseconds < ends { return known }
    known = zone.date(at: Instant(due))
    begins = zone.startOfDay(known).milliseconds
    ends = zone.startOfDay(known.adding(days: 1)).milliseconds
    return known
  }
}
