// SPDX-License-Identifier: Apache-2.0

import Adherence
import HTML
import Localization

/// Resting heart rate by day as a line, with the table of the same values beside it.
struct HeartChart: PagePart {
  let values: [VitalDayValue]
  let localizer: Localizer

  private static let width = 320.0
  private static let height = 96.0
  private static let edge = 8.0

  var markup: Markup {
    guard values.count > 1, let low = values.map(\.thousandths).min(),
      let high = values.map(\.thousandths).max()
    else { return Markup() }
    let label = localizer.text(
      "heart.chart",
      [
        "low": .text(HeartWords.amount(low, .restingHeartRate, localizer)),
        "high": .text(HeartWords.amount(high, .restingHeartRate, localizer)),
        "days": .number(values.count),
      ])
    // A range of at least ten beats, so that small changes do not look large.
    let middle = Double(low + high) / 2
    let span = max(Double(high - low), 10_000)
    let points = values.enumerated().map { index, value in
      let x =
        Self.edge + (Self.width - 2 * Self.edge) * Double(index) / Double(values.count - 1)
      let share = 0.5 - (Double(value.thousandths) - middle) / span
      let y = Self.edge + (Self.height - 2 * Self.edge) * share
      return "\(Int(x * 10) / 10),\(Int(y * 10) / 10)"
    }.joined(separator: " ")
    return """
      <svg class="heart-chart" viewBox="0 0 \(Int(Self.width)) \(Int(Self.height))" role="img" \
      aria-label="\(label)"><polyline points="\(points)" fill="none" stroke="currentColor" \
      stroke-width="2" stroke-linejoin="round"/></svg>
      """
  }
}
