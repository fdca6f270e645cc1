// SPDX-License-Identifier: Apache-2.0

import HTML
import Localization
import Scheduling
import Web

/// The resting heart rate as a drawing: values, average and limit, with a lane of missed doses and
/// one of warnings below.
///
/// The lanes share the time axis only; they do not prove a cause.
package struct HeartRateChart: PagePart {
  /// The points to draw.
  package let series: HeartRateSeries
  /// The formatter of days.
  package let clock: MedicineClock
  /// The element identifier of the sentence that describes the drawing.
  package let labelledBy: String
  /// True if missed doses and warnings are known, and so have their lanes.
  var hasLanes = true

  /// Creates the drawing.
  ///
  /// - Parameters:
  ///   - labelledBy: The element identifier of the sentence that describes the drawing.
  ///   - hasLanes: True if missed doses and warnings are known and get their lanes.
  package init(
    series: HeartRateSeries, clock: MedicineClock, labelledBy: String, hasLanes: Bool = true
  ) {
    self.series = series
    self.clock = clock
    self.labelledBy = labelledBy
    self.hasLanes = hasLanes
  }

  private var localizer: Localizer { clock.localizer }

  // Positions in percent of the drawing.
  private static let left = 11.0
  private static let width = 87.0
  private static let top = 3.0
  private static let missedLane = 76.0
  private static let missedDays = 82.0
  private static let warningLane = 89.0
  private static let ticks = 97.0
  private var height: Double { hasLanes ? 66 : 84 }
  /// The most points for which dots are drawn, so that they don't touch.
  private static let mostDots = 100

  /// The drawing as an inline SVG with the role of an image.
  package var markup: Markup {
    """
    <svg class="chart heart-graph" role="img" aria-labelledby="\(labelledBy)" focusable="false">\
    \(scale)\(days)\
    <svg x="\(percent(Self.left))" y="\(percent(Self.top))" width="\(percent(Self.width))" \
    height="\(percent(height))" viewBox="0 0 1000 1000" preserveAspectRatio="none">\
    \(above)\(line("boundary", \.boundary))\(line("average", \.average))\(line("value", \.value))</svg>\
    \(dots)\(limit)\(marks)</svg>
    """
  }

  /// A light band above the limit, where there is one.
  private var above: Markup {
    """
    \(each: stretches(\.boundary), { points in
      let ends = [points.first, points.last].compactMap { $0?.split(separator: ",").first }
      return """
        <polygon class="heart-above" points="\(points.joined(separator: " ")) \
        \(each: ends.reversed(), { "\($0),0 " })"/>
        """ as Markup
    })
    """
  }

  /// The label at the end of the dashed limit line.
  private var limit: Markup {
    guard
      let index = series.points.lastIndex(where: { $0.boundary != nil }),
      let boundary = series.points[index].boundary
    else { return Markup() }
    let text = localizer.text(
      "heart-rate-monitoring.limit-label", ["bpm": .number(Int(boundary.rounded()))])
    return """
      <text class="heart-limit" x="\(x(index))" \
      y="\(percent(Self.top + height * (1 - share(boundary))))" dy="-0.5em" \
      text-anchor="\(place(index) < 0.4 ? "start" : "end")">\(text)</text>
      """
  }

  private var scale: Markup {
    let bounds = series.bounds
    let middle = ((bounds.lowerBound + bounds.upperBound) / 2).rounded()
    return "\(each: [bounds.lowerBound, middle, bounds.upperBound], level)"
  }

  private func level(_ value: Double) -> Markup {
    let y = percent(Self.top + height * (1 - share(value)))
    return """
      <line class="chart-level" x1="\(percent(Self.left))" x2="100%" y1="\(y)" y2="\(y)"/>\
      <text class="chart-number" x="\(percent(Self.left - 1.5))" y="\(y)" dy="0.35em" \
      text-anchor="end">\(localizer.number(Int(value)))</text>
      """
  }

  private var days: Markup {
    guard let first = series.points.first, let last = series.points.last else { return Markup() }
    return """
      <text class="chart-tick" x="\(percent(Self.left))" y="\(percent(Self.ticks))">\
      \(clock.text(first.day, .short))</text>\
      <text class="chart-tick" x="100%" y="\(percent(Self.ticks))" text-anchor="end">\
      \(clock.text(last.day, .short))</text>
      """
  }

  /// Runs of consecutive points; a day without a value is a gap.
  private func stretches(_ value: KeyPath<HeartRateSeries.Point, Double?>) -> [[String]] {
    var lines: [[String]] = [[]]
    for (index, point) in series.points.enumerated() {
      guard let number = point[keyPath: value] else {
        lines.append([])
        continue
      }
      lines[lines.count - 1].append(
        "\(tenths(place(index) * 1_000)),\(tenths((1 - share(number)) * 1_000))")
    }
    return lines.filter { $0.count > 1 }
  }

  private func line(_ name: String, _ value: KeyPath<HeartRateSeries.Point, Double?>) -> Markup {
    """
    \(each: stretches(value), { points in
      """
      <polyline class="heart-\(name)" points="\(points.joined(separator: " "))" fill="none" \
      vector-effect="non-scaling-stroke"/>
      """ as Markup
    })
    """
  }

  private var dots: Markup {
    guard series.points.count <= Self.mostDots else { return Markup() }
    return """
      \(each: Array(series.points.enumerated()), { index, point in
        point.value.map { value in
          """
          <circle class="heart-dot" cx="\(x(index))" \
          cy="\(percent(Self.top + height * (1 - share(value))))" r="\(series.points.count > 45 ? 3 : 4)"/>
          """ as Markup
        } ?? Markup()
      })
      """
  }

  private var marks: Markup {
    guard hasLanes else { return Markup() }
    return """
      \(each: Array(series.points.enumerated()), { index, point in
        """
        \(if: point.missed > 0, mark("missed", "×", index, Self.missedLane))\
        \(if: point.warnings > 0, mark("warned", "▲", index, Self.warningLane))
        """ as Markup
      })\(each: datedDays, { index in
        """
        <text class="chart-tick heart-date" x="\(x(index))" y="\(percent(Self.missedDays))" dy="0.35em" \
        text-anchor="middle">\(series.points[index].day.day)</text>
        """ as Markup
      })
      """
  }

  /// The days of the lane below the drawing that have room for their date.
  private var datedDays: [Int] {
    guard series.step == 1, series.points.count <= Self.mostDated else { return [] }
    let room = max(1, (series.points.count + 11) / 12)
    var dated: [Int] = []
    for (index, point) in series.points.enumerated() where point.missed > 0 {
      if let last = dated.last, index - last < room { continue }
      dated.append(index)
    }
    return dated
  }

  /// The most days with a bare day number; beyond a month it would be ambiguous.
  private static let mostDated = 31

  private func mark(_ name: String, _ sign: String, _ index: Int, _ lane: Double) -> Markup {
    """
    <text class="heart-\(name)" x="\(x(index))" y="\(percent(lane))" dy="0.35em" \
    text-anchor="middle">\(sign)</text>
    """
  }

  // MARK: Places

  private func place(_ index: Int) -> Double {
    series.points.count < 2 ? 0.5 : Double(index) / Double(series.points.count - 1)
  }

  private func x(_ index: Int) -> String { percent(Self.left + Self.width * place(index)) }

  private func share(_ value: Double) -> Double {
    let bounds = series.bounds
    return (value - bounds.lowerBound) / (bounds.upperBound - bounds.lowerBound)
  }

  private func percent(_ number: Double) -> String { "\(tenths(number))%" }

  private func tenths(_ number: Double) -> String {
    let rounded = Int((number * 10).rounded())
    return rounded % 10 == 0 ? "\(rounded / 10)" : "\(Double(rounded) / 10)"
  }
}
