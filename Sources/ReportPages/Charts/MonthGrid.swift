// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Presentation
import Scheduling
import Statistics
import Web

/// A month as a calendar: weeks as rows, with a mark in each day for each dose, in time order.
///
/// Widths are relative and heights are multiples of the text size, so that it fills its space while
/// its text keeps its size.
struct MonthGrid: PagePart {
  let statistics: DayStatistics
  /// A day of the month.
  let month: CivilDate
  let weekStart: Weekday
  let words: ChartFormatter
  /// The element identifier of the sentence that describes the drawing.
  let labelledBy: String

  private var localizer: Localizer { words.localizer }

  // Heights in hundredths of the text size.
  private static let head = 160
  private static let dayLine = 150
  private static let markStep = 120
  private static let mark = 108
  private static let leastCell = 300

  var markup: Markup {
    let weeks = Self.weeks(of: month, startingOn: weekStart)
    let height = Self.head + cellHeight * weeks.count
    return """
      <svg class="chart month-grid" role="img" aria-labelledby="\(labelledBy)" focusable="false" \
      height="\(Self.rem(height))">\(each: Array((weeks.first ?? []).indices), weekday)\
      \(each: Array(weeks.enumerated()), { row, week in
        "\(each: Array(week.enumerated()), { column, day in cell(day, row, column) })" as Markup
      })</svg>
      """
  }

  // MARK: Layout

  /// Returns the weeks of a month, each with seven days; nil for days of other months.
  static func weeks(of date: CivilDate, startingOn start: Weekday) -> [[CivilDate?]] {
    let first = StatisticsPeriod.month.start(of: date)
    let end = StatisticsPeriod.month.start(1, after: first)
    let before = (first.weekday.rawValue - start.rawValue + 7) % 7
    var weeks: [[CivilDate?]] = []
    var offset = -before
    while first.daysSinceEpoch + offset < end.daysSinceEpoch {
      weeks.append(
        (0..<7).map { column in
          let number = first.daysSinceEpoch + offset + column
          let isInside = number >= first.daysSinceEpoch && number < end.daysSinceEpoch
          return isInside ? CivilDate(daysSinceEpoch: number) : nil
        })
      offset += 7
      if CivilDate(daysSinceEpoch: first.daysSinceEpoch + offset) == .latest { break }
    }
    return weeks
  }

  /// The most doses of one day in this month.
  private var most: Int {
    let end = StatisticsPeriod.month.start(1, after: StatisticsPeriod.month.start(of: month))
    return statistics.doses.keys.filter {
      $0 < end && $0 >= StatisticsPeriod.month.start(of: month)
    }.map { statistics.marks(on: $0).count }.max() ?? 0
  }

  /// The number of marks side by side.
  private var side: Int { min(max((most + 4) / 5, 1), 3) }

  private var cellHeight: Int {
    max(Self.dayLine + (most + side - 1) / side * Self.markStep + 50, Self.leastCell)
  }

  private static func rem(_ hundredths: Int) -> String {
    let rest = hundredths % 100
    return "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest)rem"
  }

  private func x(_ column: Int) -> String { AdherenceChart.share(10_000 * column / 7) }

  // MARK: Drawing

  private func weekday(_ column: Int) -> Markup {
    let day = (weekStart.rawValue - 1 + column) % 7 + 1
    return """
      <text class="chart-tick" x="\(AdherenceChart.share(10_000 * (2 * column + 1) / 14))" \
      y="\(Self.rem(105))" text-anchor="middle">\
      \(localizer.capitalized(localizer.weekday(day, .short)))</text>
      """
  }

  private func cell(_ day: CivilDate?, _ row: Int, _ column: Int) -> Markup {
    guard let day else { return Markup() }
    let kind = statistics.kind(of: day)
    let doses = statistics.marks(on: day)
    let isPaused = statistics.isPaused(day) && day <= statistics.today
    // If another medicine had doses, the pause is a strip at the edge.
    let strip: Markup = """
      x="7%" y="\(Self.rem(cellHeight - 42))" width="86%" height="0.28rem"
      """
    let place: Markup = """
      x="3%" y="\(Self.rem(8))" width="94%" height="\(Self.rem(cellHeight - 16))" rx="7"
      """
    return """
      <svg x="\(x(column))" y="\(Self.rem(Self.head + row * cellHeight))" width="14.28%" \
      height="\(Self.rem(cellHeight))">\(title(day))\
      <rect class="day-cell day-cell-\(style(kind))" \(place)/>\
      \(if: isPaused, PausedBand.block(doses.isEmpty ? place : strip))\
      \(if: isPaused && doses.isEmpty, pausedLetter)\
      \(each: Array(doses.enumerated()), mark)\
      \(if: day == statistics.today, "<rect class=\"day-today\" \(place)/>")\
      <text class="day-number\(if: isPaused && doses.isEmpty, " day-number-paused")" x="8%" y="\(Self.rem(108))">\
      \(day.day)</text>\(if: statistics.isCovered(day), Self.check)</svg>
      """
  }

  private func title(_ day: CivilDate) -> Markup {
    let counts = statistics.counts(on: day)
    guard counts.planned > 0 else { return Markup() }
    let text = localizer.text(
      "chart.column",
      ["name": .text(words.name(of: day, .day)), "rate": .text(words.rate(counts))])
    return "<title>\(text)</title>"
  }

  private func style(_ kind: DayStatistics.Kind) -> String {
    switch kind {
    case .before: "before"
    case .ahead: "ahead"
    case .paused: "paused"
    case .free: "free"
    case .planned: "planned"
    }
  }

  private func mark(_ index: Int, _ dose: StatisticsDose) -> Markup {
    let width = 8_600 / side
    let left = 700 + index % side * width
    let top = Self.dayLine + index / side * Self.markStep
    let place: Markup = """
      x="\(AdherenceChart.share(left))" y="\(Self.rem(top))" \
      width="\(AdherenceChart.share(width - 200))" height="\(Self.rem(Self.mark))"
      """
    return DayMark(dose).block(place)
  }

  private var pausedLetter: Markup {
    DayMark.letter(
      localizer.text("charts.letter", ["state": "paused"]), "open", x: "50%",
      y: Self.rem(Self.dayLine + Self.mark / 2))
  }

  /// All planned doses were taken: a filled disc with a tick.
  static let check: Markup = """
    <svg x="62%" y="0.32rem" width="34%" height="0.9rem" viewBox="0 0 16 16" \
    preserveAspectRatio="xMaxYMid meet">\(checkShape)</svg>
    """

  static let checkShape: Markup = """
    <circle class="day-check" cx="8" cy="8" r="7.5"/>\
    <path class="day-check-tick" d="m4.4 8.3 2.5 2.5 4.7-5.2"/>
    """
}
