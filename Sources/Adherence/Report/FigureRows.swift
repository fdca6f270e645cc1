// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// A month of the calendar as a running number.
package struct FigureMonth: Sendable, Hashable, Comparable {
  /// Year times twelve and the month from 0.
  package let number: Int64

  init(number: Int64) { self.number = number }

  package init(of date: CivilDate) {
    let parts = date.parts
    number = Int64(parts.year) * 12 + Int64(parts.month - 1)
  }

  /// Its first day; the first or the last day that can be told for one beyond the calendar.
  package var first: CivilDate {
    guard number >= 0 else { return .earliest }
    let date = CivilDate(
      year: Int(clamping: number / 12), month: Int(number % 12) + 1, day: 1)
    return date ?? (number < 12 * 1_000 ? .earliest : .latest)
  }

  package func adding(_ months: Int64) -> FigureMonth { FigureMonth(number: number + months) }

  package static func < (left: FigureMonth, right: FigureMonth) -> Bool {
    left.number < right.number
  }
}

/// Doses read one after the other and put together by plan and day.
struct FigureRows {
  /// The figures of a plan in a stretch of days.
  struct Piece: Sendable, Hashable {
    let plan: String
    let month: FigureMonth
    var figures: PlanFigures
  }

  private let zone: Zone
  private let now: Timestamp
  private(set) var pieces: [Piece] = []
  private var plan = ""
  private var date: CivilDate?
  private var day: PlanFigures.Day?
  /// The day that is being read, in instants.
  private var dayBegins = Int64.max
  private var dayEnds = Int64.min

  /// The figures of the doses due from one instant on and before another, by plan and month.
  static func pieces(
    patient: String, plan: String? = nil, from: Timestamp, until: Timestamp, zone: Zone,
    now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Piece] {
    guard from < until else { return [] }
    let rows: [SQLRow]
    if let plan {
      rows = try reader.query(
        """
        SELECT plan, due, state, answered_at, on_time_until, late_until, later_until FROM doses
        WHERE patient = $1 AND plan = $2 AND due >= $3 AND due < $4 AND state <> 'cancelled'
        ORDER BY plan, due
        """, [.text(patient), .text(plan), SQLValue(from), SQLValue(until)])
    } else {
      rows = try reader.query(
        """
        SELECT plan, due, state, answered_at, on_time_until, late_until, later_until FROM doses
        WHERE patient = $1 AND due >= $2 AND due < $3 AND state <> 'cancelled'
        ORDER BY plan, due
        """, [.text(patient), SQLValue(from), SQLValue(until)])
    }
    var reading = FigureRows(zone: zone, now: now)
    for row in rows { try reading.add(row) }
    reading.close()
    return reading.pieces
  }

  private init(zone: Zone, now: Timestamp) {
    self.zone = zone
    self.now = now
  }

  private mutating func add(_ row: SQLRow) throws(StorageError) {
    let plan = try row.text(0)
    let due = try row.timestamp(1)
    if plan != self.plan || due.milliseconds < dayBegins || due.milliseconds >= dayEnds {
      close()
      self.plan = plan
      let date = zone.date(at: Instant(due))
      self.date = date
      day = PlanFigures.Day(date)
      dayBegins = zone.startOfDay(date).milliseconds
      dayEnds = zone.startOfDay(date.adding(days: 1)).milliseconds
    }
    guard let outcome = try outcome(row) else {
      day?.addOpen()
      return
    }
    let hour = zone.local(at: Instant(due)).time.hour
    let delay = try (row.optionalTimestamp(3) ?? due).milliseconds - due.milliseconds
    day?.add(outcome, in: DayPart(hour: hour), delay: delay)
  }

  /// As ``DoseOutcome/init(of:now:)`` has it.
  private func outcome(_ row: SQLRow) throws(StorageError) -> DoseOutcome? {
    switch try row.text(2) {
    case "taken":
      guard let at = try row.optionalTimestamp(3) else { return .taken }
      return try at <= row.timestamp(4) ? .taken : .late
    case "skipped": return .skipped
    case "refused": return .refused
    case "open":
      let later = try row.optionalTimestamp(6) ?? now
      return try row.timestamp(5) <= now && later <= now ? .missed : nil
    case "withheld": return try row.timestamp(5) <= now ? .withheld : nil
    default: return nil
    }
  }

  private mutating func close() {
    defer { day = nil }
    guard let day, let date else { return }
    let month = FigureMonth(of: date)
    if pieces.last?.plan != plan || pieces.last?.month != month {
      pieces.append(Piece(plan: plan, month: month, figures: PlanFigures()))
    }
    pieces[pieces.count - 1].figures.add(day)
  }
}
