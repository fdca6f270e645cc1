// SPDX-License-Identifier: Apache-2.0

import Localization
import Plans
import Scheduling
import Statistics

/// Puts statistics and their periods into words.
package struct ChartFormatter: Sendable {
  /// The language of the words.
  package let localizer: Localizer

  /// Creates a formatter for one language.
  package init(localizer: Localizer) {
    self.localizer = localizer
  }

  // MARK: Periods

  /// Returns the full name of a period for the table: `Mon 2 Mar`, `Week 10, Mon 2 Mar – Sun 8
  /// Mar`, `March 2026`.
  package func name(of start: CivilDate, _ period: StatisticsPeriod) -> String {
    switch period {
    case .day: return date(start, .short)
    case .week:
      return localizer.text(
        "chart.week",
        [
          "number": .text(String(CalendarWeek(of: start).number)),
          "first": .text(date(start, .short)), "last": .text(date(start.adding(days: 6), .short)),
        ])
    case .month: return localizer.month(start.month, year: start.year)
    case .year: return String(localizer.shownYear(start.year))
    }
  }

  /// Returns the labels of a column: a short name, and below it the month or year if it changes.
  func tick(
    of start: CivilDate, _ period: StatisticsPeriod, isFirst: Bool
  ) -> (name: String, under: String?) {
    switch period {
    case .day:
      let under = isFirst || start.day == 1 ? localizer.month(start.month, .short) : nil
      return (String(start.day), under)
    case .week:
      let week = CalendarWeek(of: start)
      let name = localizer.text("chart.tick-week", ["number": .text(String(week.number))])
      let under = isFirst || week.number == 1 ? String(localizer.shownYear(week.year)) : nil
      return (name, under)
    case .month:
      let under = isFirst || start.month == 1 ? String(localizer.shownYear(start.year)) : nil
      return (localizer.month(start.month, .short), under)
    case .year:
      return (String(localizer.shownYear(start.year)), nil)
    }
  }

  /// Returns the interval from the first to the last day: `16 February 2026 – 1 March 2026`.
  package func range(_ first: CivilDate, _ last: CivilDate) -> String {
    localizer.text(
      "chart.range", ["first": .text(date(first, .medium)), "last": .text(date(last, .medium))])
  }

  // MARK: Counts

  /// Returns the share of doses taken, `13 of 14 (93%)`; a dash if there are no doses.
  package func rate(_ counts: DoseCounts) -> String {
    guard let percent = counts.percentTaken else { return localizer.text("chart.no-doses-short") }
    return localizer.text(
      "chart.rate",
      [
        "taken": .number(counts.takenInAll), "planned": .number(counts.planned),
        "percent": .number(percent),
      ])
  }

  /// Returns one to three sentences about an interval: doses taken, not taken, not counted.
  package func sentences(_ counts: DoseCounts, from first: CivilDate, to last: CivilDate)
    -> [String]
  {
    let range = MessageArgument.text(range(first, last))
    guard let percent = counts.percentTaken else {
      return [localizer.text("chart.none", ["range": range])] + withheld(counts)
    }
    var sentences = [
      localizer.text(
        "chart.taken",
        [
          "range": range, "taken": .number(counts.takenInAll),
          "planned": .number(counts.planned), "percent": .number(percent),
          "late": .number(counts[.late]),
        ])
    ]
    let rest = [DoseOutcome.skipped, .refused, .missed].compactMap { outcome -> String? in
      guard counts[outcome] > 0 else { return nil }
      return localizer.text(
        "chart.count",
        ["outcome": .text(outcome.rawValue), "count": .number(counts[outcome])])
    }
    if !rest.isEmpty {
      sentences.append(
        localizer.text("chart.not-taken", ["list": .text(localizer.list(rest))]))
    }
    return sentences + withheld(counts)
  }

  /// Returns a sentence that names the days with missed doses; empty if there are none or more than
  /// four.
  package func missed(on days: [CivilDate]) -> [String] {
    guard (1...Self.mostNamed).contains(days.count) else { return [] }
    let names = days.map { date($0, .short) }
    return [localizer.text("charts.missed-on", ["days": .text(localizer.list(names))])]
  }

  private static let mostNamed = 4

  /// Returns a sentence about the time of day at which fewest doses are taken, or that none stands
  /// out.
  package func parts(_ statistics: PlanStatistics) -> String {
    let rows = DayPart.allCases.map { (part: $0, counts: statistics.counts(in: $0)) }
      .filter { $0.counts.planned > 0 }
    guard rows.contains(where: { $0.counts.notTaken > 0 }) else {
      return localizer.text("charts.parts-all")
    }
    // Compares shares by cross-multiplication, so that nothing is rounded.
    func isLower(_ left: DoseCounts, _ right: DoseCounts) -> Bool {
      left.takenInAll * right.planned < right.takenInAll * left.planned
    }
    let lowest = rows.filter { row in !rows.contains { isLower($0.counts, row.counts) } }
    guard lowest.count < rows.count || rows.count == 1 else {
      return localizer.text("charts.parts-even")
    }
    let names = lowest.map { row in
      localizer.text(
        "chart.column",
        [
          "name": .text(localizer.text("charts.part", ["part": .text(row.part.rawValue)])),
          "rate": .text(rate(row.counts)),
        ])
    }
    return localizer.text("charts.parts-lowest", ["parts": .text(localizer.list(names))])
  }

  /// Returns a sentence about the days on which the medicine was on hold; empty if there were none.
  package func paused(_ days: Int) -> [String] {
    days > 0 ? [localizer.text("chart.paused", ["count": .number(days)])] : []
  }

  /// Returns the name of an outcome for tables, legends and filters.
  package func name(of outcome: DoseOutcome) -> String {
    localizer.text("parts.state", ["state": .text(outcome.rawValue)])
  }

  private func withheld(_ counts: DoseCounts) -> [String] {
    guard counts[.withheld] > 0 else { return [] }
    return [localizer.text("chart.withheld", ["count": .number(counts[.withheld])])]
  }

  private func date(_ day: CivilDate, _ style: DateStyle) -> String {
    let (year, month, number) = day.parts
    return localizer.date(
      LocalDay(year: year, month: month, day: number, isoWeekday: day.weekday.rawValue), style)
  }
}
