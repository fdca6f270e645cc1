// SPDX-License-Identifier: Apache-2.0

import Observations
import Scheduling

/// The points of a resting heart rate graph: one for each day, or for each week of long intervals.
package struct HeartRateSeries: Sendable, Hashable {
  /// The values of one day, or of one week.
  package struct Point: Sendable, Hashable {
    /// The day, or the last day of a week.
    package let day: CivilDate
    /// The value in bpm, of a week the average; nil without a measurement, which is drawn as a gap
    /// and never estimated.
    package let value: Double?
    /// The average in bpm of the seven days up to this one; nil unless at least three have a value.
    package let average: Double?
    /// The limit in bpm from which the monitoring warns; nil if there is none.
    package let boundary: Double?
    /// The number of missed doses.
    package let missed: Int
    /// The number of warnings of the monitoring.
    package let warnings: Int

    /// Creates a point; rates are in bpm.
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

  /// The points in order of time.
  package let points: [Point]
  /// The number of days from one point to the next: 1, or 7 for weeks.
  package let step: Int

  /// Creates a daily series from values only, without doses and limits.
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

  /// Creates a series.
  ///
  /// - Parameter step: The number of days from one point to the next.
  package init(points: [Point], step: Int = 1) {
    self.points = points
    self.step = step
  }

  /// Returns the average of the seven days up to a day; nil unless at least three have a value.
  ///
  /// - Parameters:
  ///   - values: The values in bpm, by days since 1970-01-01.
  ///   - day: The last day, in days since 1970-01-01.
  package static func average(of values: [Int: Double], on day: Int) -> Double? {
    let week = ((day - 6)...day).compactMap { values[$0] }
    return week.count < 3 ? nil : week.reduce(0, +) / Double(week.count)
  }

  /// True if at least one point has a value.
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
