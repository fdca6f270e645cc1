// SPDX-License-Identifier: Apache-2.0

import HeartRate
import HeartRateMonitoring
import Presentation
import Scheduling

extension HeartRateSeries {
  /// The period that a page shows.
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

    /// The number of days per point.
    var step: Int { self == .all ? 7 : 1 }
  }

  /// Creates the series of a period from a person's data.
  ///
  /// - Parameter end: The last day shown; nil for today.
  init(
    _ facts: HeartRateFacts, range: Range, end: CivilDate? = nil, warnings: [Warning],
    showsDoses: Bool
  ) {
    let step = range.step
    let today = min(end ?? facts.today, facts.today).daysSinceEpoch
    let known = facts.values.keys.min() ?? today
    // Whole weeks back from today; a long period starts no earlier than the first value.
    let first = range == .all ? max(today - range.days, known) : today - range.days + 1
    var boundaries: [Int: Double] = [:]
    for day in facts.outcome.days { boundaries[day.day] = day.finding.boundary }
    let warned = Dictionary(grouping: warnings.filter { $0.kind == .heart }) {
      $0.day.daysSinceEpoch
    }
    let points = stride(from: today, through: first, by: -step).reversed().map { day in
      let span = (day - step + 1)...day
      let values = span.compactMap { facts.values[$0] }
      return Point(
        day: CivilDate(daysSinceEpoch: day),
        value: values.isEmpty ? nil : values.reduce(0, +) / Double(values.count),
        average: Self.average(of: facts.values, on: day), boundary: boundaries[day],
        missed: showsDoses ? span.count { facts.missedDays.contains($0) } : 0,
        warnings: span.reduce(0) { $0 + (warned[$1]?.count ?? 0) })
    }
    self.init(points: points, step: step)
  }
}
