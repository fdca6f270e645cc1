// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// A calendar month as a consecutive number.
package struct MonthlyStatistics: Sendable, Hashable, Comparable {
  /// The year times twelve, plus the month from 0 to 11.
  package let number: Int64

  init(number: Int64) { self.number = number }

  /// Creates the month that contains a date.
  package init(of date: CivilDate) {
    let parts = date.parts
    number = Int64(parts.year) * 12 + Int64(parts.month - 1)
  }

  /// The first day of the month; the earliest or latest possible date for a month outside the calendar.
  package var first: CivilDate {
    guard number >= 0 else { return .earliest }
    let date = CivilDate(
      year: Int(clamping: number / 12), month: Int(number % 12) + 1, day: 1)
    return date ?? (number < 12 * 1_000 ? .earliest : .latest)
  }

  /// Returns the month a number of months later; earlier if negative.
  package func adding(_ months: Int64) -> MonthlyStatistics {
    MonthlyStatistics(number: number + months)
  }

  /// True if the left month comes before the right one.
  package static func < (left: MonthlyStatistics, right: MonthlyStatistics) -> Bool {
    left.number < right.number
  }
}

/// Groups doses by plan and day: the single source of all statistics.
struct StatisticsRows {
  /// The statistics of a plan in a range of days.
  struct Piece: Sendable, Hashable {
    let plan: PlanID
    let month: MonthlyStatistics
    var statistics: PlanStatistics
  }

  private(set) var pieces: [Piece] = []
  private var plan = PlanID("")
  private var date: CivilDate?
  private var day: PlanStatistics.Day?

  /// Returns the statistics of the doses due from one instant on and before another, by plan and month.
  static func pieces(
    patient: PatientID, plan: PlanID? = nil, from: Timestamp, until: Timestamp, zone: Zone,
    now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Piece] {
    var rows = StatisticsRows()
    try StatisticsDose.each(
      patient: patient, plan: plan, from: from, until: until, zone: zone, now: now, in: reader
    ) { rows.add($0) }
    rows.close()
    return rows.pieces
  }

  /// Returns the statistics of doses sorted by plan and then by due time, for all plans together.
  static func total(_ doses: [StatisticsDose]) -> PlanStatistics {
    var rows = StatisticsRows()
    for dose in doses { rows.add(dose) }
    rows.close()
    return rows.pieces.reduce(into: PlanStatistics()) { $0 += $1.statistics }
  }

  private mutating func add(_ dose: StatisticsDose) {
    if dose.plan != plan || dose.date != date {
      close()
      plan = dose.plan
      date = dose.date
      day = PlanStatistics.Day(dose.date)
    }
    guard let outcome = dose.outcome else {
      day?.addOpen()
      return
    }
    day?.add(outcome, in: dose.part, delay: dose.delay)
  }

  private mutating func close() {
    defer { day = nil }
    guard let day, let date else { return }
    let month = MonthlyStatistics(of: date)
    if pieces.last?.plan != plan || pieces.last?.month != month {
      pieces.append(Piece(plan: plan, month: month, statistics: PlanStatistics()))
    }
    pieces[pieces.count - 1].statistics.add(day)
  }
}
