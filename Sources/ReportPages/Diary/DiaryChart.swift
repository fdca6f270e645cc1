// SPDX-License-Identifier: Apache-2.0

import Diary
import Foundation
import HTML
import Localization
import Presentation
import Storage
import Web

/// The values of a tracker over time as a small drawing; blood pressure has a second line.
struct DiaryChart: PagePart {
  /// The entries, the latest first.
  let entries: [DiaryEntry]
  let tracker: Tracker
  let words: DiaryFormatter

  private static let id = "diary-sentence"

  // Positions in percent of the drawing.
  private static let left = 11.0
  private static let width = 87.0
  private static let top = 4.0
  private static let height = 80.0
  private static let ticks = 97.0

  /// The figure; empty if there are fewer than two numbers.
  var markup: Markup {
    let drawn = tracker.shape.isDrawn ? Array(entries.reversed()) : []
    let values = drawn.compactMap { shown($0.draft.value) }
    let lower = drawn.compactMap { Self.lower($0.draft.value) }
    guard values.count > 1, let first = drawn.first, let last = drawn.last,
      let least = (values + lower).min(), let most = (values + lower).max()
    else { return Markup() }
    let sentence = words.localizer.text(
      "diary.chart",
      [
        "count": .number(values.count), "low": .text(number(values.min() ?? least)),
        "high": .text(number(values.max() ?? most)),
      ])
    let frame = Frame(
      from: first.draft.at.milliseconds, until: last.draft.at.milliseconds, least: least,
      most: most)
    return """
      <figure class="chart-figure"><figcaption id="\(Self.id)"><p>\(sentence)</p></figcaption>\
      <svg class="chart heart-graph" role="img" aria-labelledby="\(Self.id)" focusable="false">\
      \(level(least, frame))\(level(most, frame))\
      <svg x="\(percent(Self.left))" y="\(percent(Self.top))" width="\(percent(Self.width))" \
      height="\(percent(Self.height))" viewBox="0 0 1000 1000" preserveAspectRatio="none">\
      \(line("heart-value", drawn, frame) { shown($0) })\
      \(if: !lower.isEmpty, line("heart-average", drawn, frame, Self.lower))</svg>\
      <text class="chart-tick" x="\(percent(Self.left))" y="\(percent(Self.ticks))">\
      \(words.clock.text(words.clock.day(of: first.draft.at), .short))</text>\
      <text class="chart-tick" x="100%" y="\(percent(Self.ticks))" text-anchor="end">\
      \(words.clock.text(words.clock.day(of: last.draft.at), .short))</text></svg></figure>
      """
  }

  /// The bounds of the drawing.
  private struct Frame {
    let from: Int64
    let until: Int64
    let least: Double
    let most: Double

    func x(_ at: Int64) -> Double {
      until > from ? Double(at - from) / Double(until - from) * 1_000 : 0
    }

    /// Returns the height above the lowest value, from 0 to 1.
    func share(_ value: Double) -> Double {
      most > least ? (value - least) / (most - least) : 0.5
    }
  }

  /// Returns the number to draw, in the unit in which the person enters it.
  private func shown(_ value: DiaryValue) -> Double? {
    guard let number = value.number else { return nil }
    let unit = value.unit == nil ? nil : words.unit(of: tracker)
    return NSDecimalNumber(decimal: unit?.converted(number) ?? number).doubleValue
  }

  private static func lower(_ value: DiaryValue) -> Double? {
    guard case .pressure(_, let diastolic) = value else { return nil }
    return Double(diastolic)
  }

  private func line(
    _ style: String, _ drawn: [DiaryEntry], _ frame: Frame, _ value: (DiaryValue) -> Double?
  ) -> Markup {
    let points = drawn.compactMap { entry -> String? in
      guard let number = value(entry.draft.value) else { return nil }
      let x = Self.rounded(frame.x(entry.draft.at.milliseconds))
      return "\(x),\(Self.rounded((1 - frame.share(number)) * 1_000))"
    }
    return """
      <polyline class="\(style)" points="\(points.joined(separator: " "))" fill="none" \
      vector-effect="non-scaling-stroke"/>
      """
  }

  private func level(_ value: Double, _ frame: Frame) -> Markup {
    let y = percent(Self.top + Self.height * (1 - frame.share(value)))
    return """
      <line class="chart-level" x1="\(percent(Self.left))" x2="100%" y1="\(y)" y2="\(y)"/>\
      <text class="chart-number" x="\(percent(Self.left - 1.5))" y="\(y)" dy="0.35em" \
      text-anchor="end">\(number(value))</text>
      """
  }

  private func number(_ value: Double) -> String {
    words.localizer.number(Decimal((value * 10).rounded()) / 10)
  }

  private func percent(_ value: Double) -> String { "\(Self.rounded(value))%" }

  private static func rounded(_ value: Double) -> Double { (value * 10).rounded() / 10 }
}
