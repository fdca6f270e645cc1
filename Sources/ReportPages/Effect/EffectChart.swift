// SPDX-License-Identifier: Apache-2.0

import Diary
import HTML
import Scheduling
import Statistics
import Web

/// Doses, values and changes of a medicine over one time axis, as an inline SVG with the role of an image.
///
/// All positions are percents, so that it fits any width; colours are those of the page, light or dark.
struct EffectChart: PagePart {
  let content: EffectContent
  let words: EffectText
  /// The element identifier of the sentences that describe the drawing.
  let labelledBy: String

  private static let left = 13.0
  private static let width = 85.0
  private static let doseTop = 6.0
  private static let doseHeight = 14.0
  private static let valueTop = 27.0
  private static let valueBottom = 91.0
  private static let gap = 7.0
  private static let ticks = 98.0

  private var columns: [AdherenceStatistics.Column] { content.doses.columns }
  private var count: Double { Double(max(1, columns.count)) }

  var markup: Markup {
    """
    <svg class="chart heart-graph" role="img" aria-labelledby="\(labelledBy)" focusable="false">\
    \(doses)\(each: Array(content.series.enumerated()), { panel($0, $1) })\
    \(changes)\(days)</svg>
    """
  }

  // MARK: Doses

  /// A bar for each period with doses: the taken part from below, the rest above it.
  private var doses: Markup {
    let ground = Self.percent(Self.doseTop + Self.doseHeight)
    return """
      <line class="chart-ground" x1="\(Self.percent(Self.left))" x2="100%" y1="\(ground)" y2="\(ground)"/>\
      \(each: Array(columns.enumerated()), { bar($0, $1) })
      """
  }

  private func bar(_ index: Int, _ column: AdherenceStatistics.Column) -> Markup {
    let counts = column.counts
    guard counts.planned > 0 else { return Markup() }
    let share = Double(counts.takenInAll) / Double(counts.planned)
    let taken = Self.doseHeight * share
    let step = Self.width / count
    let place = (x: Self.percent(Self.left + step * (Double(index) + 0.1)), width: step * 0.8)
    func block(_ name: Markup, _ top: Double, _ height: Double) -> Markup {
      guard height > 0 else { return Markup() }
      return """
        <rect class="\(name)" x="\(place.x)" y="\(Self.percent(top))" \
        width="\(Self.percent(place.width))" height="\(Self.percent(height))"/>
        """
    }
    return """
      \(block("chart-ground-missed", Self.doseTop, Self.doseHeight - taken))\
      \(block("chart-block-taken", Self.doseTop + Self.doseHeight - taken, taken))
      """
  }

  // MARK: Values

  /// The place of one measure in the drawing, and its scale.
  private struct Panel {
    let low: Double
    let high: Double
    let top: Double
    let height: Double

    /// Returns the place of a value between the lowest and the highest, from 0 to 1.
    func share(_ value: Double) -> Double { high > low ? (value - low) / (high - low) : 0.5 }

    func y(_ value: Double) -> Double { top + height * (1 - share(value)) }

    var levels: [Double] { high > low ? [low, high] : [low] }
  }

  private func panel(_ index: Int, _ series: EffectSeries) -> Markup {
    let means = content.means(of: series)
    let values = means.compactMap(\.self)
    guard let low = values.min(), let high = values.max() else { return Markup() }
    let panels = Double(content.series.count)
    let height = (Self.valueBottom - Self.valueTop - Self.gap * (panels - 1)) / panels
    let panel = Panel(
      low: low, high: high, top: Self.valueTop + (height + Self.gap) * Double(index),
      height: height)
    return """
      \(each: panel.levels, { level($0, panel.y($0)) })\
      <svg x="\(Self.percent(Self.left))" y="\(Self.percent(panel.top))" \
      width="\(Self.percent(Self.width))" height="\(Self.percent(height))" viewBox="0 0 1000 1000" \
      preserveAspectRatio="none">\(each: Self.runs(means), { line($0, panel) })</svg>\
      \(each: Array(means.enumerated()), { dot($0, $1, panel) })
      """
  }

  private func line(_ run: [(Int, Double)], _ panel: Panel) -> Markup {
    var points: [String] = []
    for (index, value) in run {
      let x = (Double(index) + 0.5) / count * 1_000
      let y = (1 - panel.share(value)) * 1_000
      points.append("\(Self.tenths(x)),\(Self.tenths(y))")
    }
    return """
      <polyline class="heart-value" points="\(points.joined(separator: " "))" fill="none" \
      vector-effect="non-scaling-stroke"/>
      """
  }

  private func dot(_ index: Int, _ value: Double?, _ panel: Panel) -> Markup {
    guard let value else { return Markup() }
    let radius = columns.count > 45 ? "2" : "3.5"
    return """
      <circle class="heart-dot" cx="\(x(index))" cy="\(Self.percent(panel.y(value)))" r="\(radius)"/>
      """
  }

  private func level(_ value: Double, _ y: Double) -> Markup {
    """
    <line class="chart-level" x1="\(Self.percent(Self.left))" x2="100%" y1="\(Self.percent(y))" \
    y2="\(Self.percent(y))"/>\
    <text class="chart-number" x="\(Self.percent(Self.left - 1.5))" y="\(Self.percent(y))" dy="0.35em" \
    text-anchor="end">\(words.number(value))</text>
    """
  }

  /// Returns the runs of consecutive periods with a value, each of at least two.
  static func runs(_ values: [Double?]) -> [[(Int, Double)]] {
    var runs: [[(Int, Double)]] = [[]]
    for (index, value) in values.enumerated() {
      if let value {
        runs[runs.count - 1].append((index, value))
      } else {
        runs.append([])
      }
    }
    return runs.filter { $0.count > 1 }
  }

  // MARK: Changes and days

  /// A line for each day with a change, with its number in the list below the drawing.
  private var changes: Markup {
    """
    \(each: Array(content.changes.enumerated()), { mark($0 + 1, $1) })
    """
  }

  private func mark(_ number: Int, _ change: EffectChange) -> Markup {
    let x = x(index(of: change.day))
    return """
      <line class="heart-boundary" x1="\(x)" x2="\(x)" y1="\(Self.percent(Self.doseTop - 1))" \
      y2="\(Self.percent(Self.valueBottom))"/>\
      <text class="heart-limit" x="\(x)" y="\(Self.percent(Self.doseTop - 2))" \
      text-anchor="middle">\(number)</text>
      """
  }

  private var days: Markup {
    guard let first = columns.first else { return Markup() }
    return """
      <text class="chart-tick" x="\(Self.percent(Self.left))" y="\(Self.percent(Self.ticks))">\
      \(words.day(first.start))</text>\
      <text class="chart-tick" x="100%" y="\(Self.percent(Self.ticks))" text-anchor="end">\
      \(words.day(content.today))</text>
      """
  }

  /// Returns the period that contains a day.
  private func index(of day: CivilDate) -> Int {
    columns.lastIndex { $0.start <= day } ?? 0
  }

  private func x(_ index: Int) -> String {
    Self.percent(Self.left + Self.width * (Double(index) + 0.5) / count)
  }

  private static func percent(_ number: Double) -> String { "\(tenths(number))%" }

  private static func tenths(_ number: Double) -> String {
    let rounded = Int((number * 10).rounded())
    return rounded % 10 == 0 ? "\(rounded / 10)" : "\(Double(rounded) / 10)"
  }
}
