// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Reminders
import Scheduling
import Storage
import TimeZones

/// Opens reminders that a supply runs out or a pack expires soon: once each at 30, 7 and 1 days and at the
/// lead time, and every day once nothing is left.
///
/// `stock_notices` records the notices in the transaction that opens the reminder, so that none is sent
/// twice. A later pack or count allows the same notice again when its time comes.
package enum StockNotices {
  static let levels = [1, 7, 30]
  /// The interval of checks if nothing changes, in milliseconds.
  static let pause: Int64 = 3_600_000
  /// The time for which a notice is sent, in milliseconds.
  static let worth: Int64 = 12 * 3_600_000
  /// The minutes of the person's day between which notices are sent.
  static let hours = 9 * 60..<20 * 60
  private static let runOut = "run-out"

  /// Returns patients with supplies whose next check is due.
  package static func due(_ now: Timestamp, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [PatientID]
  {
    try reader.query(
      """
      SELECT DISTINCT patient FROM stocks WHERE ended IS NULL AND next_check <= $1
      ORDER BY patient LIMIT $2
      """, [SQLValue(now), SQLValue(limit)]
    ).values()
  }

  /// Checks the due supplies of a patient and opens a reminder if there is something to send.
  ///
  /// Wake the reminder loop after the commit.
  ///
  /// - Returns: True if a reminder was opened.
  package static func look(
    at owner: PatientID, now: Timestamp, zones: ZoneCatalog, newIdentifier: () -> String,
    in writer: any SQLWriter
  ) throws(PlanError) -> Bool {
    try planning {
      let due: [StockID] = try writer.query(
        """
        SELECT stock FROM stocks WHERE patient = $1 AND ended IS NULL AND next_check <= $2
        ORDER BY stock
        """, [.text(owner), SQLValue(now)]
      ).values()
      let zone = try PeopleQueries.zone(owner, zones: zones, in: writer)
      let today = zone.date(at: Instant(now))
      let subject = ReminderID(newIdentifier())
      var isTold = false
      for id in due {
        guard let stock = try StockRows.one(id, owner: owner, in: writer) else { continue }
        let isNew = try look(
          at: stock, today: today, subject: subject, now: now, zones: zones, in: writer)
        isTold = isTold || isNew
        try StockStore.setNextCheck(now.adding(milliseconds: pause), of: stock, in: writer)
      }
      guard isTold else { return false }
      let quiet = try EscalationReading.quietHours([owner], zones: zones, in: writer)[owner]
      let moment = moment(now, zone: zone, quiet: quiet)
      try ReminderStore.insert(
        ReminderRow(
          patient: owner, subject: subject, kind: .stock, starts: moment, due: moment,
          ends: moment.adding(milliseconds: worth), opened: now), in: writer)
      return true
    }
  }

  // MARK: One stock

  private static func look(
    at stock: Stock, today: CivilDate, subject: ReminderID, now: Timestamp, zones: ZoneCatalog,
    in writer: any SQLWriter
  ) throws -> Bool {
    let lead = stock.noticeDays
    let forecast = try StockQueries.forecast(
      of: stock, days: max(31, lead + 1), now: now, zones: zones, in: writer)
    let zone = try PeopleQueries.zone(stock.owner, zones: zones, in: writer)
    let days = forecast.runsOut.map {
      zone.date(at: Instant($0)).daysSinceEpoch - today.daysSinceEpoch
    }
    try StockMarks.keep(
      of: stock, StockMarks.standing(stock, forecast, daysLeft: days, today: today),
      runsOut: forecast.runsOut ?? now, day: today.adding(days: days ?? 0), now: now, in: writer)
    try forget(of: stock, days: days, today: today, in: writer)
    guard !stock.isQuiet else { return false }
    let number = try StockLedger.last(of: stock.id, owner: stock.owner, in: writer)
    func tell(_ key: String, _ reached: [Int], daily: Int? = nil) throws -> Bool {
      var isNew = false
      // Only the closest threshold is sent; it covers the others.
      let all = (daily.map { [$0] } ?? []) + reached
      for (index, level) in all.enumerated() {
        let row = StockNoticeRow(
          owner: stock.owner, stock: stock.id, subject: key, level: level, toldNumber: number,
          toldAt: now, reminder: index == 0 ? subject : nil)
        let isAdded = try writer.execute(insertStatement, row.values) > 0
        if index == 0 { isNew = isAdded }
      }
      return isNew
    }
    var isTold = false
    if let days {
      let reached = Set(levels + (lead > 0 ? [lead] : [])).sorted().filter { days <= $0 }
      let isGone = days <= 0 || stock.left(on: today) <= .zero
      isTold = try tell(runOut, reached, daily: isGone ? -today.daysSinceEpoch : nil)
    }
    for lot in stock.lots where lot.left > .zero && !lot.isVoid && !lot.isKept {
      guard let last = lot.lastDay, last >= today else { continue }
      let left = last.daysSinceEpoch - today.daysSinceEpoch
      let isNew = try tell("expiry \(lot.id)", levels.filter { left <= $0 })
      isTold = isTold || isNew
    }
    return isTold
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO stock_notices (\(StockNoticeRow.columns)) VALUES (\(StockNoticeRow.placeholders))
    ON CONFLICT (patient, stock, subject, level) DO NOTHING
    """)

  /// Allows notices again that a new pack makes possible, and those that could not be sent.
  private static func forget(
    of stock: Stock, days: Int?, today: CivilDate, in writer: any SQLWriter
  ) throws {
    let place = [SQLValue.text(stock.owner), .text(stock.id)]
    try writer.execute(
      """
      DELETE FROM stock_notices WHERE patient = $1 AND stock = $2 AND reminder IN (
        SELECT r.subject FROM reminders r
        WHERE r.patient = $1 AND r.kind = 'stock' AND r.outcome IN ('missed', 'cancelled'))
      """, place)
    try writer.execute(
      """
      DELETE FROM stock_notices WHERE patient = $1 AND stock = $2 AND subject = 'run-out'
        AND level >= 0 AND level < $3 AND EXISTS (
          SELECT 1 FROM stock_entries e WHERE e.owner = $1 AND e.stock = $2
            AND e.kind IN ('added', 'counted') AND e.number > stock_notices.told_number)
      """, place + [SQLValue(days ?? Int.max)])
    try writer.execute(
      """
      DELETE FROM stock_notices WHERE patient = $1 AND stock = $2 AND level < 0 AND level <> $3
      """, place + [SQLValue(-today.daysSinceEpoch)])
  }

  /// Returns the next time of day at which a notice may be sent, outside quiet hours.
  static func moment(_ now: Timestamp, zone: Zone, quiet: EscalationTiming?) -> Timestamp {
    var moment = now
    for _ in 0..<4 {
      let local = zone.local(at: Instant(moment))
      let minute = local.time.secondsOfDay / 60
      if !hours.contains(minute) {
        let date = minute < hours.lowerBound ? local.date : local.date.adding(days: 1)
        if let time = ClockTime(secondsOfDay: hours.lowerBound * 60),
          let next = zone.instant(of: date, at: time)
        {
          moment = Timestamp(next.instant)
        }
      }
      guard let end = quiet?.held(at: moment) else { return moment }
      moment = end
    }
    return moment
  }
}

/// The source that tells the reminder engine if a supply notice still applies.
package struct StockNoticeSource: StandingSource {
  /// Creates the source; it has no state of its own.
  package init() {}

  /// Returns false if a pack or a count has come since, if tracking has ended, or if notifications are off.
  package func stands(
    _ reminder: ReminderRow, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM stock_notices n
      JOIN stocks s ON s.patient = n.patient AND s.stock = n.stock
      WHERE n.patient = $1 AND n.reminder = $2 AND s.ended IS NULL AND s.is_quiet = 0
        AND (n.subject <> 'run-out' OR NOT EXISTS (
          SELECT 1 FROM stock_entries e WHERE e.owner = n.patient AND e.stock = n.stock
            AND e.kind IN ('added', 'counted') AND e.number > n.told_number))
      LIMIT 1
      """, [.text(reminder.patient), .text(reminder.subject)]) != nil
  }
}

/// A row of `stock_notices`: a notice about a supply, with its number of days ahead.
struct StockNoticeRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, stock, subject, level, toldNumber, toldAt, reminder
  }

  static let columns = SQLColumns<Column>()

  let owner: PatientID
  let stock: StockID
  let subject: String
  let level: Int
  let toldNumber: Int64
  let toldAt: Timestamp
  let reminder: ReminderID?

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(owner)
    case .stock: .text(stock)
    case .subject: .text(subject)
    case .level: SQLValue(level)
    case .toldNumber: .integer(toldNumber)
    case .toldAt: SQLValue(toldAt)
    case .reminder: SQLValue(reminder)
    }
  }
}
