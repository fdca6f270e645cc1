// SPDX-License-Identifier: Apache-2.0

import Adherence
import HeartRateMonitoring
import Scheduling

/// What a graph of the resting heart rate shows: a point for each day, or for each week of long stretches.
struct WatchSeries: Sendable, Hashable {
  enum Range: String, Sendable, Hashable, CaseIterable {
    case week, month, quarter, year, all

    var days: Int {
      switch self {
      case .week: 7
      case .month: 28
      case .quarter: 91
      case .year: 365
      case .all: 5 * 365
      }
    }

    /// Days that one point stands for.
    var step: Int { self == .all ? 7 : 1 }
  }

  struct Point: Sendable, Hashable {
    let day: CivilDate
    /// In bpm; nil for a day without a value, which is a gap and never guessed.
    let value: Double?
    /// Of the seven days up to this one, where three of them have a value.
    let average: Double?
    let boundary: Double?
    let missed: Int
    let warnings: Int
  }

  let points: [Point]
  let step: Int

  init(_ facts: WatchFacts, range: Range, warnings: [Warning], showsDoses: Bool) {
    step = range.step
    let today = facts.today.daysSinceEpoch
    let known = facts.values.keys.min() ?? today
    // Whole weeks back from today, and nothing before the first value of a long stretch.
    let first = range == .all ? max(today - range.days, known) : today - range.days + 1
    var boundaries: [Int: Double] = [:]
    for day in facts.outcome.days { boundaries[day.day] = day.finding.boundary }
    let warned = Dictionary(grouping: warnings.filter { $0.kind == .heart }) {
      $0.day.daysSinceEpoch
    }
    let step = step
    points = stride(from: today, through: first, by: -step).reversed().map { day in
      let span = (day - step + 1)...day
      let values = span.compactMap { facts.values[$0] }
      let week = ((day - 6)...day).compactMap { facts.values[$0] }
      return Point(
        day: CivilDate(daysSinceEpoch: day),
        value: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count),
        average: week.count < 3 ? nil : week.reduce(0, +) / Double(week.count),
        boundary: boundaries[day],
        missed: showsDoses ? span.count { facts.missedDays.contains($0) } : 0,
        warnings: span.reduce(0) { $0 + (warned[$1]?.count ?? 0) })
    }
  }

  var hasValues: Bool { points.contains { $0.value != nil } }

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
