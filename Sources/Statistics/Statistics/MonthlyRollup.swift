// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// Rolls up the statistics of ended months, so that long periods are read quickly.
///
/// A month is rolled up a week after its end, when none of its doses can change by time alone. A
/// later answer or correction removes its month from the rollup in the same transaction, so that
/// rolled-up months always match the doses.
package enum MonthlyRollup {
  /// The time after its end at which a month is rolled up, in milliseconds: longer than any late window.
  static let settling: Int64 = 7 * 86_400_000
  /// The time after a late change at which it is rolled up again, in milliseconds.
  static let rest: Int64 = 60_000
  /// The number of months of a plan that are rolled up at once.
  static let monthsAtOnce: Int64 = 12

  /// True if a plan may have an ended month that is not rolled up.
  package static func isDue(now: Timestamp, in reader: any SQLReader) throws(StorageError) -> Bool {
    try PlanStore.hasStatistics(dueAt: now, in: reader)
  }

  /// Rolls up ended months of a few plans.
  ///
  /// - Parameter limit: The maximum number of plans.
  /// - Returns: The number of plans that were processed.
  package static func round(
    now: Timestamp, limit: Int, zones: ZoneCatalog, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    let plans = try PlanStore.statistics(dueAt: now, limit: limit, in: writer)
    for plan in plans {
      let isSameZone = plan.statisticsZone == plan.zone
      try MonthlyPlanRollup(
        patient: plan.patient, plan: plan.plan, zone: (try? zones.zone(plan.zone)) ?? .utc,
        zoneName: plan.zone, now: now, writer: writer
      ).goOn(
        through: isSameZone ? MonthlyStatistics(number: plan.statisticsThrough) : nil,
        plannedThrough: plan.isRinging ? plan.plannedThrough : nil)
    }
    return plans.count
  }

  /// Marks the month of a dose, and later ones, for a new rollup, because its outcome changed after the month
  /// ended.
  ///
  /// Until then they are counted from the doses.
  static func changed(
    _ due: Timestamp, closed: ClosedMonths?, plan: PlanID, patient: PatientID, now: Timestamp,
    zones: ZoneCatalog, in writer: any SQLWriter
  ) throws(StorageError) {
    guard due < now.adding(milliseconds: -settling), let closed else { return }
    let zone = (try? zones.zone(closed.zone)) ?? .utc
    let month = MonthlyStatistics(of: zone.date(at: Instant(due)))
    guard month.number < closed.before else { return }
    // Not at once, because one late answer is usually followed by more.
    try PlanStore.unfold(
      plan, patient: patient, from: month, next: now.adding(milliseconds: rest), in: writer)
  }

  /// Marks all months of a patient for a new rollup, because another zone has different days.
  static func forget(of patient: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try PlanStore.unfoldAll(of: patient, in: writer)
  }

  /// Rolls up all stored months again from the doses.
  ///
  /// - Returns: The number of months whose stored statistics did not match the doses.
  package static func remake(now: Timestamp, zones: ZoneCatalog, in writer: any SQLWriter)
    throws(StorageError) -> Int
  {
    var wrong = 0
    for row in try PlanStore.folded(in: writer) {
      let (patient, plan, through) = (row.patient, row.plan, row.statisticsThrough)
      let before = try kept(plan, patient: patient, before: through, in: writer)
      let rollup = MonthlyPlanRollup(
        patient: patient, plan: plan, zone: (try? zones.zone(row.statisticsZone)) ?? .utc,
        zoneName: row.statisticsZone, now: now, writer: writer)
      try rollup.fold(
        from: MonthlyStatistics(number: 0), until: MonthlyStatistics(number: through))
      let after = try kept(plan, patient: patient, before: through, in: writer)
      let months = Set(before.keys).union(after.keys)
      wrong += months.count { before[$0] != after[$0] }
    }
    return wrong
  }

  private static func kept(
    _ plan: PlanID, patient: PatientID, before month: Int64, in reader: any SQLReader
  ) throws(StorageError) -> [Int64: [UInt8]] {
    var months: [Int64: [UInt8]] = [:]
    let rows: [MonthlyStatisticsRow] = try reader.query(
      keptStatement, [.text(patient), .text(plan), .integer(month)]
    ).decode()
    for row in rows { months[row.month] = row.statistics }
    return months
  }

  private static let keptStatement = SQLStatement(
    """
    SELECT \(MonthlyStatisticsRow.columns) FROM monthly_statistics
    WHERE patient = $1 AND plan = $2 AND month < $3
    """)
}

extension AnswerConsequence {
  /// Removes the month of an answered dose from the rollup if that month has ended.
  package static let rollup = AnswerConsequence("rollup") {
    (recorded, ledger) throws(AnswerError) in
    guard let dose = recorded.dose?.before else { return }
    try storing { () throws(StorageError) in
      try MonthlyRollup.changed(
        dose.due, closed: dose.closedMonths, plan: dose.id.plan, patient: dose.patient,
        now: ledger.context.now, zones: ledger.context.zones, in: ledger.writer)
    }
  }
}

extension ZoneConsequence {
  /// Asks for a new rollup of all months of a patient, whose days change with the time zone.
  package static let rollup = ZoneConsequence(
    "rollup"
  ) { (patient, _, writer) throws(StorageError) in
    try MonthlyRollup.forget(of: patient, in: writer)
  }
}

/// The rollup of one plan.
private struct MonthlyPlanRollup {
  let patient: PatientID
  let plan: PlanID
  let zone: Zone
  let zoneName: String
  let now: Timestamp
  let writer: any SQLWriter

  /// Rolls up the next months and stores the progress and the time of the next rollup.
  ///
  /// - Parameters:
  ///   - through: the first month not rolled up yet; nil if there is none, or in another zone.
  ///   - plannedThrough: the end of the plan's rows; nil if it gives no more doses.
  func goOn(through: MonthlyStatistics?, plannedThrough: Timestamp?) throws(StorageError) {
    // The clock may have been set back, and a plan may be behind: time without rows has not ended.
    let settled = min(
      now.adding(milliseconds: -MonthlyRollup.settling), plannedThrough ?? now)
    let end = MonthlyStatistics(of: zone.date(at: Instant(settled)))
    var begin = through ?? MonthlyStatistics(number: 0)
    if begin.number <= 0 {
      let first = try writer.first(
        "SELECT due FROM doses WHERE patient = $1 AND plan = $2 ORDER BY due LIMIT 1",
        [.text(patient), .text(plan)])?.value(as: Timestamp.self)
      try writer.execute(
        "DELETE FROM monthly_statistics WHERE patient = $1 AND plan = $2",
        [.text(patient), .text(plan)])
      begin =
        first.map { MonthlyStatistics(of: zone.date(at: Instant($0))) } ?? end
    }
    let reached = min(max(begin, end), begin.adding(MonthlyRollup.monthsAtOnce))
    try fold(from: begin, until: reached)
    // A plan that is behind is checked again when it may have caught up.
    let following = Timestamp(zone.startOfDay(reached.adding(1).first))
      .adding(milliseconds: MonthlyRollup.settling)
    let next =
      reached < end ? now : max(following, now.adding(milliseconds: 3_600_000))
    try PlanStore.fold(
      plan, patient: patient, before: reached, zone: zoneName, next: next, in: writer)
  }

  /// Stores the statistics of some months, replacing earlier ones.
  func fold(from first: MonthlyStatistics, until end: MonthlyStatistics) throws(StorageError) {
    guard first < end else { return }
    try writer.execute(
      """
      DELETE FROM monthly_statistics WHERE patient = $1 AND plan = $2 AND month >= $3 AND month < $4
      """, [.text(patient), .text(plan), .integer(first.number), .integer(end.number)])
    let pieces = try StatisticsRows.pieces(
      patient: patient, plan: plan, from: Timestamp(zone.startOfDay(first.first)),
      until: Timestamp(zone.startOfDay(end.first)), zone: zone, now: now, in: writer)
    for piece in pieces {
      let row = MonthlyStatisticsRow(
        patient: patient, plan: plan, month: piece.month.number, statistics: piece.statistics.bytes)
      try writer.execute(Self.insertStatement, row.values)
    }
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO monthly_statistics (\(MonthlyStatisticsRow.columns)) VALUES (\(MonthlyStatisticsRow.placeholders))
    """)
}

/// A row of `monthly_statistics`: the statistics of a plan in a month that has ended.
struct MonthlyStatisticsRow: SQLReadableRow, SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, month, statistics
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID
  let month: Int64
  let statistics: [UInt8]

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .plan: .text(plan)
    case .month: .integer(month)
    case .statistics: .blob(statistics)
    }
  }
}

extension MonthlyStatisticsRow {
  init(_ row: ColumnReader<Column>) throws(StorageError) {
    self.init(
      patient: try row.id(.patient), plan: try row.id(.plan), month: try row.integer(.month),
      statistics: try row.blob(.statistics))
  }
}
