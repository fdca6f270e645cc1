// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Scheduling
import Statistics
import Web

/// The outcomes of doses, period by period, as a drawing.
///
/// Positions are shares of the width and height, so that the drawing fills the available room while
/// its text keeps its size.
package struct AdherenceChart: PagePart {
  /// The statistics to draw.
  package let statistics: AdherenceStatistics
  /// The kind of drawing.
  package let style: ChartStyle
  /// The formatter of labels and titles.
  package let words: ChartFormatter
  /// The element identifier of the sentence that describes the drawing.
  package let labelledBy: String
  /// The current day, whose column is marked.
  package let today: CivilDate
  /// The number of doses planned in each column, drawn as a line across it; empty for no lines.
  package var targets: [Int] = []
  /// True if columns are days of a week: they show the weekday, and blocks show their counts.
  package var isWeek = false
  /// True if the page already contains the patterns that the drawing refers to.
  package var hasPatterns = false

  /// Creates a drawing of statistics.
  ///
  /// - Parameters:
  ///   - labelledBy: The element identifier of the sentence that describes the drawing.
  ///   - targets: The number of doses planned in each column; empty for no lines.
  package init(
    statistics: AdherenceStatistics, style: ChartStyle, words: ChartFormatter, labelledBy: String,
    today: CivilDate,
    targets: [Int] = [], isWeek: Bool = false, hasPatterns: Bool = false
  ) {
    self.statistics = statistics
    self.style = style
    self.words = words
    self.labelledBy = labelledBy
    self.today = today
    self.targets = targets
    self.isWeek = isWeek
    self.hasPatterns = hasPatterns
  }

  /// In hundredths of a percent of the height.
  private static let top = 900
  /// The top of bands, above the highest bar, so that they are visible behind it.
  private static let bandTop = 200
  /// The minimum width of a band, so that a single day of a year is visible.
  private static let leastBand = 100
  private static let ground = 8000
  /// The height of the lowest block with room for its count.
  private static let leastCounted = 750
  private static let tickLine = 8850
  private static let underLine = 9750

  private var columns: [AdherenceStatistics.Column] { statistics.columns }

  /// The drawing as an inline SVG with the role of an image.
  package var markup: Markup {
    """
    <svg class="chart" role="img" aria-labelledby="\(labelledBy)" focusable="false">\
    \(if: !hasPatterns, ChartSeries.patterns)\(pausedDays)\(scale)\
    \(each: Array(columns.enumerated()), tick)\(style == .bars ? bars : lines)\
    \(each: Array(targets.enumerated()), target)</svg>
    """
  }

  // MARK: Scale

  /// Returns the number at the top: even, so that the middle is whole, and round if large.
  static func highest(_ largest: Int) -> Int {
    if largest <= 1 { return 1 }
    let step = largest <= 20 ? 2 : largest <= 100 ? 10 : largest <= 500 ? 20 : 200
    return (largest + step - 1) / step * step
  }

  private var highest: Int {
    Self.highest(max(columns.map(\.counts.planned).max() ?? 0, targets.max() ?? 0))
  }

  /// The width of the numbers at the side, in hundredths of a percent of the width.
  private var side: Int { 500 + 230 * String(highest).count }

  private var columnWidth: Int { (10_000 - side) / max(columns.count, 1) }

  private func centre(_ index: Int) -> Int { side + columnWidth * index + columnWidth / 2 }

  private func height(_ count: Int) -> Int { (Self.ground - Self.top) * count / highest }

  private var scale: Markup {
    let values = highest == 1 ? [0, 1] : [0, highest / 2, highest]
    let axis: Markup = """
      <text class="chart-number" x="0" y="\(Self.share(Self.bandTop))" dy="0.35em">\
      \(words.localizer.text("charts.doses"))</text>
      """
    return "\(if: isWeek, axis)\(each: values, level)"
  }

  private func level(_ value: Int) -> Markup {
    let y = Self.share(Self.ground - height(value))
    return """
      <line class="\(value == 0 ? "chart-ground" : "chart-level")" x1="\(Self.share(side - 100))" \
      x2="100%" y1="\(y)" y2="\(y)"/>\
      <text class="chart-number" x="\(Self.share(side - 250))" y="\(y)" dy="0.35em" \
      text-anchor="end">\(words.localizer.number(value))</text>
      """
  }

  private func tick(_ index: Int, _ column: AdherenceStatistics.Column) -> Markup {
    if isWeek { return weekday(index, column.start) }
    let (name, text) = words.tick(
      of: column.start, statistics.window.period, isFirst: index == 0)
    let under = index == 0 && secondIsNamed ? nil : text
    let fromLast = columns.count - 1 - index
    let isNow = column.start <= today && today < nextStart(index)
    let rarity = fromLast % 4 == 0 ? "" : fromLast % 2 == 0 ? " chart-tick-half" : " chart-tick-odd"
    let x = Self.share(centre(index))
    // The first name is about the whole line, so it starts at its beginning.
    let place = index == 0 ? Self.share(side) : x
    let below = under.map { text in
      """
      <text class="chart-under" x="\(place)" y="\(Self.share(Self.underLine))"\
      \(if: index > 0, " text-anchor=\"middle\"")>\(text)</text>
      """ as Markup
    }
    return """
      <text class="chart-tick chart-tick-\(statistics.window.period.rawValue)\(rarity)\
      \(isNow ? " chart-tick-now" : "")" x="\(x)" y="\(Self.share(Self.tickLine))" \
      text-anchor="middle">\(name)</text>\(below)
      """
  }

  private func weekday(_ index: Int, _ day: CivilDate) -> Markup {
    let x = Self.share(centre(index))
    let name = words.localizer.capitalized(words.localizer.weekday(day.weekday.rawValue, .short))
    let style: Markup = day == today ? " chart-tick-now" : ""
    return """
      <text class="chart-tick\(style)" x="\(x)" y="\(Self.share(Self.tickLine))" \
      text-anchor="middle">\(name)</text>\
      <text class="chart-under\(style)" x="\(x)" y="\(Self.share(Self.underLine))" \
      text-anchor="middle">\(day.day)</text>
      """
  }

  /// True if the second column has a second label line, which would touch that of the first.
  private var secondIsNamed: Bool {
    columns.dropFirst().first.map {
      words.tick(of: $0.start, statistics.window.period, isFirst: false).under != nil
    } ?? false
  }

  private func nextStart(_ index: Int) -> CivilDate { statistics.window.bounds[index + 1] }

  // MARK: Paused days

  /// Bands over the days on which the medicine was on hold.
  private var pausedDays: Markup {
    guard !statistics.paused.isEmpty else { return Markup() }
    return "\(if: !hasPatterns, PausedBand.pattern)\(each: statistics.paused, band)"
  }

  private func band(_ days: ClosedRange<CivilDate>) -> Markup {
    let begin = place(of: days.lowerBound)
    let width = max(place(of: days.upperBound.adding(days: 1)) - begin, Self.leastBand)
    return PausedBand.block(
      """
      x="\(Self.share(begin))" y="\(Self.share(Self.bandTop))" width="\(Self.share(width))" \
      height="\(Self.share(Self.ground - Self.bandTop))"
      """)
  }

  /// Returns the start of a day, in hundredths of a percent of the width.
  private func place(of day: CivilDate) -> Int {
    let bounds = statistics.window.bounds
    guard let index = bounds.dropLast().lastIndex(where: { $0 <= day }) else { return side }
    let days = max(1, bounds[index + 1].daysSinceEpoch - bounds[index].daysSinceEpoch)
    let gone = min(days, day.daysSinceEpoch - bounds[index].daysSinceEpoch)
    return side + columnWidth * index + columnWidth * gone / days
  }

  // MARK: Bars

  private var bars: Markup { "\(each: Array(columns.enumerated()), bar)" }

  private func bar(_ index: Int, _ column: AdherenceStatistics.Column) -> Markup {
    guard column.counts.planned > 0 else { return Markup() }
    let width = columnWidth * 66 / 100
    let x = Self.share(centre(index) - width / 2)
    var below = 0
    var blocks = Markup()
    for series in ChartSeries.allCases {
      let count = series.count(column.counts)
      guard count > 0 else { continue }
      let bottom = height(below)
      below += count
      let top = height(below)
      blocks += series.block(
        """
        x="\(x)" y="\(Self.share(Self.ground - top))" width="\(Self.share(width))" \
        height="\(Self.share(top - bottom))" rx="3"
        """)
      if isWeek, top - bottom >= Self.leastCounted {
        blocks += """
          <text class="chart-letter chart-letter-\(series.rawValue)" x="\(Self.share(centre(index)))" \
          y="\(Self.share(Self.ground - (top + bottom) / 2))" dy="0.35em" text-anchor="middle">\
          \(words.localizer.number(count))</text>
          """
      }
    }
    return "<g>\(title(column))\(blocks)</g>"
  }

  private func target(_ index: Int, _ planned: Int) -> Markup {
    guard planned > 0, index < columns.count else { return Markup() }
    let y = Self.share(Self.ground - height(planned))
    return """
      <line class="chart-target" x1="\(Self.share(centre(index) - columnWidth * 46 / 100))" \
      x2="\(Self.share(centre(index) + columnWidth * 46 / 100))" y1="\(y)" y2="\(y)"/>
      """
  }

  private func title(_ column: AdherenceStatistics.Column) -> Markup {
    let name = words.name(of: column.start, statistics.window.period)
    let text = words.localizer.text(
      "chart.column", ["name": .text(name), "rate": .text(words.rate(column.counts))])
    return "<title>\(text)</title>"
  }

  // MARK: Lines

  private var lines: Markup { "\(each: ChartLine.allCases.reversed(), line)" }

  /// Returns lines that join consecutive periods with doses; a period without doses is a gap.
  private func line(_ line: ChartLine) -> Markup {
    var segments = Markup()
    var marks = Markup()
    var last: (x: String, y: String)?
    for (index, column) in columns.enumerated() {
      guard column.counts.planned > 0 else {
        last = nil
        continue
      }
      let x = Self.share(centre(index))
      let y = Self.share(Self.ground - height(line.count(column.counts)))
      if let last {
        segments += """
          <line class="chart-line chart-line-\(line.rawValue)" x1="\(last.x)" y1="\(last.y)" \
          x2="\(x)" y2="\(y)"/>
          """
      }
      marks += "<g>\(title(column))\(line.mark(x: x, y: y))</g>"
      last = (x, y)
    }
    return segments + marks
  }

  /// Returns hundredths of a percent in SVG notation, such as `12.34%`.
  package static func share(_ hundredths: Int) -> String {
    let rest = abs(hundredths % 100)
    let whole = "\(hundredths < 0 && hundredths > -100 ? "-" : "")\(hundredths / 100)"
    if rest == 0 { return "\(whole)%" }
    return "\(whole).\(rest < 10 ? "0" : "")\(rest)%"
  }
}
