// SPDX-License-Identifier: Apache-2.0
import Plans
import Scheduling
import Storage

/// The consecutive periods that a page shows, oldest first.
package struct StatisticsWindow: Sendable, Hashable {
  /// The length of each period.
  package let period: StatisticsPeriod
  /// The first day of each period, followed by the first day after the last period.
  package let bounds: [CivilDate]

  /// Creates a page of periods, the last of which contains a date; a date after today counts as today.
  package init(_ period: StatisticsPeriod, endingAt date: CivilDate, today: CivilDate) {
    self.period = period
    let last = period.start(of: min(date, today))
    var bounds = (0..<period.perPage).map { period.start($0 - period.perPage + 1, after: last) }
    bounds.append(period.start(1, after: last))
    self.bounds = bounds
  }

  /// Creates a window of single days, both ends included.
  package init(days first: CivilDate, through last: CivilDate) {
    period = .day
    let count = max(0, last.daysSinceEpoch - first.daysSinceEpoch) + 1
    bounds = (0...count).map { first.adding(days: $0) }
  }

  /// Creates a window of the periods that contain the days from the first to the last, both included.
  package init(_ period: StatisticsPeriod, from first: CivilDate, through last: CivilDate) {
    self.period = period
    var bounds = [period.start(of: first)]
    while let start = bounds.last, start <= last, start < .latest {
      bounds.append(period.start(1, after: start))
    }
    self.bounds = bounds
  }

  /// The first day of the window.
  package var first: CivilDate { bounds.first ?? .earliest }
  /// The last day of the window.
  package var last: CivilDate { (bounds.last ?? .latest).adding(days: -1) }
  /// The first days of the periods.
  package var starts: ArraySlice<CivilDate> { bounds.dropLast() }

  /// Returns the date at which the page before this one ends; nil if no dose was due before this page.
  ///
  /// - Parameter firstDue: The day of the very first dose; nil if there is none.
  package func earlier(than firstDue: CivilDate?) -> CivilDate? {
    guard let firstDue, firstDue < first, CivilDate.earliest < first else { return nil }
    return first.adding(days: -1)
  }

  /// Returns the date at which the page after this one ends, today at the latest; nil if this page
  /// reaches today.
  package func later(today: CivilDate) -> CivilDate? {
    guard last < today else { return nil }
    return min(period.start(period.perPage, after: period.start(of: last)), today)
  }

  /// Returns the instants at which the periods begin in a zone, followed by the one at which the last ends.
  package func instants(in zone: Zone) -> [Timestamp] {
    bounds.map { Timestamp(zone.startOfDay($0)) }
  }
}

/// The dose counts of each period of a window.
package struct AdherenceStatistics: Sendable, Hashable {
  /// A period with its counts.
  package struct Column: Sendable, Hashable {
    /// The first day of the period.
    package let start: CivilDate
    /// The counts of the doses due in the period.
    package let counts: DoseCounts

    /// Creates the column of the period that begins on a day.
    package init(start: CivilDate, counts: DoseCounts) {
      self.start = start
      self.counts = counts
    }
  }

  /// The window that was counted.
  package let window: StatisticsWindow
  /// The periods with their counts, oldest first.
  package let columns: [Column]
  /// The day of the very first dose; nil if there is none yet.
  package let firstDue: CivilDate?
  /// The days of the window on which the plan was on hold, in ascending order.
  package let paused: [ClosedRange<CivilDate>]

  /// Creates statistics from counted periods.
  ///
  /// - Parameter paused: the ranges of days on hold; days outside the window are left out.
  package init(
    window: StatisticsWindow, columns: [Column], firstDue: CivilDate?,
    paused: [ClosedRange<CivilDate>] = []
  ) {
    self.window = window
    self.columns = columns
    self.firstDue = firstDue
    let days = window.first...max(window.first, window.last)
    self.paused = paused.filter { $0.overlaps(days) }.map { $0.clamped(to: days) }
  }

  /// Counts doses in the days of a zone; doses outside the window are left out.
  package init(_ doses: [Dose], window: StatisticsWindow, zone: Zone, now: Timestamp) {
    var counts: [CivilDate: DoseCounts] = [:]
    var first: CivilDate?
    for dose in doses {
      let day = zone.date(at: Instant(dose.due))
      first = min(first ?? day, day)
      guard let outcome = DoseOutcome(of: dose, now: now) else { continue }
      counts[window.period.start(of: day), default: DoseCounts()][outcome] += 1
    }
    self.init(
      window: window,
      columns: window.starts.map { Column(start: $0, counts: counts[$0] ?? DoseCounts()) },
      firstDue: first)
  }

  /// Returns the number of days on hold from one day on and before another.
  package func pausedDays(from start: CivilDate, until end: CivilDate) -> Int {
    paused.reduce(0) { sum, days in
      let first = max(days.lowerBound, start)
      let last = min(days.upperBound, end.adding(days: -1))
      return sum + max(0, last.daysSinceEpoch - first.daysSinceEpoch + 1)
    }
  }

  /// The number of days of the window on which the plan was on hold.
  package var pausedDays: Int {
    pausedDays(from: window.first, until: window.last.adding(days: 1))
  }

  /// The counts of all periods together.
  package var total: DoseCounts { columns.reduce(DoseCounts()) { $0 + $1.counts } }
}
