// SPDX-License-Identifier: Apache-2.0

import Observations
import Scheduling

/// What a graph of the resting heart rate shows: a point for each day, or for each week of long stretches.
package struct HeartRateSeries: Sendable, Hashable {
  package struct Point: Sendable, Hashable {
    package let day: CivilDate
    /// In bpm; nil for a day without a value, which is a gap and never guessed.
    package let value: Double?
    /// Of the seven days up to this one, where three of them have a value.
    package let average: Double?
    package let boundary: Double?
    package let missed: Int
    package let warnings: Int

    package init(
      day: CivilDate, value: Double?, average: Double?, boundary: Double?, missed: Int,
      warnings: Int
    ) {
      self.day = day
      self.value = value
      self.average = average
      self.boundary = boundary
      self.missed = missed
      self.warnings = warnings
    }
  }

  package let points: [Point]
  package let step: Int

  /// Makes a point of each day from values alone: what is not known of doses and limits is left out.
  init(_ values: [VitalDayValue], from first: CivilDate, to last: CivilDate) {
    var known: [Int: Double] = [:]
    for value in values {
      guard let day = CivilDate(text: value.day) else { continue }
      known[day.daysSinceEpoch] = Double(value.thousandths) / 1_000
    }
    self.init(
      points: (first.daysSinceEpoch...max(first, last).daysSinceEpoch).map { day in
        Point(
          day: CivilDate(daysSinceEpoch: day), value: known[day],
          average: Self.average(of: known, on: day), boundary: nil, missed: 0, warnings: 0)
      })
  }

  package init(points: [Point], step: Int = 1) {
    self.points = points
    self.step = step
  }

  /// The average of the seven days up to one; nil unless three of them have a value.
  package static func average(of values: [Int: Double], on day: Int) -> Double? {
    let week = ((day - 6)...day).compactMap { values[$0] }
    return week.count < 3 ? nil : week.reduce(0, +) / Double(week.count)
  }

  package var hasValues: Bool { points.contains { $0.value != nil } }

  /// The lowest and highest bpm of the drawing, in whole tens: at least twenty apart, so that small changes do
  /// not look large.
  var bounds: ClosedRange<Double> {
    let all = points.flatMap { [$0.value, $0.average, $0.boundary].compactMap(\.self) }
    let low = all.min() ?? 50
    let high = all.max() ?? 80
    let middle = (low + high) / 2
    let half = max((high - low) / 2 + 2, 10)
    return ((middle - half) / 10).rounded(.down) * 10...((middle + half) / 10).rounded(.up) * 10
  }
}
