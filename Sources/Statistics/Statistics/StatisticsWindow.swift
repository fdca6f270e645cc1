// SPDX-License-Identifier: Apache-2.0
import Plans
import Scheduling
import Storage

/// The periods that are shown side by side, oldest first.
package struct StatisticsWindow: Sendable, Hashable {
  package let period: StatisticsPeriod
  /// The first day of each period, and the first day after the last one.
  package let bounds: [CivilDate]

  /// The page of periods whose last one holds a date; a date after today means today.
  package init(_ period: StatisticsPeriod, endingAt date: CivilDate, today: CivilDate) {
    self.period = period
    let last = period.start(of: min(date, today))
    var bounds = (0..<period.perPage).map { period.start($0 - period.perPage + 1, after: last) }
    bounds.append(period.start(1, after: last))
    self.bounds = bounds
  }

  /// Some days side by side.
  package init(days first: CivilDate, through last: CivilDate) {
    period = .day
    let count = max(0, last.daysSinceEpoch - first.daysSinceEpoch) + 1
    bounds = (0...count).map { first.adding(days: $0) }
  }

  package var first: CivilDate { bounds.first ?? .earliest }
  /// The last day.
  package var last: CivilDate { (bounds.last ?? .latest).adding(days: -1) }
  /// The first days of the periods.
  package var starts: ArraySlice<CivilDate> { bounds.dropLast() }

  /// The date to end the page before this one at; nil where nothing lies before it.
  package func earlier(than firstDue: CivilDate?) -> CivilDate? {
    guard let firstDue, firstDue < first, CivilDate.earliest < first else { return nil }
    return first.adding(days: -1)
  }

  /// The date to end the page after this one at; nil where it would begin after today.
  package func later(today: CivilDate) -> CivilDate? {
    guard last < today else { return nil }
    return min(period.start(period.perPage, after: period.start(of: last)), today)
  }

  /// The instant at which each period begins in a zone, and the one at which the last ends.
  package func instants(in zone: Zone) -> [Timestamp] {
    bounds.map { Timestamp(zone.startOfDay($0)) }
  }
}

/// Counts for the periods of a window.
package struct AdherenceStatistics: Sendable, Hashable {
  /// A period with its counts.
  package struct Column: Sendable, Hashable {
    /// Its first day.
    package let start: CivilDate
    package let counts: DoseCounts

    package init(start: CivilDate, counts: DoseCounts) {
      self.start = start
      self.counts = counts
    }
  }

  package let window: StatisticsWindow
  package let columns: [Column]
  /// The day of the very first dose; nil where there was none yet.
  package let firstDue: CivilDate?
  /// The days of the window on which the plan was on hold, in ascending order.
  package let paused: [ClosedRange<CivilDate>]

  /// - Parameter paused: days outside the window are left out.
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

  /// Counts doses in the days of a zone; those outside the window are left out.
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

  /// On how many days from one on and before another the plan was on hold.
  package func pausedDays(from start: CivilDate, until end: CivilDate) -> Int {
    paused.reduce(0) { sum, days in
      let first = max(days.lowerBound, start)
      let last = min(days.upperBound, end.adding(days: -1))
      return sum + max(0, last.daysSinceEpoch - first.daysSinceEpoch + 1)
    }
  }

  /// On how many days of the window the plan was on hold.
  package var pausedDays: Int {
    pausedDays(from: window.first, until: window.last.adding(days: 1))
  }

  /// All columns together.
  package var total: DoseCounts { columns.reduce(DoseCounts()) { $0 + $1.counts } }
}
