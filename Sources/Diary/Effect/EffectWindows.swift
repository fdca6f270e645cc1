// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// The days whose values are compared for a change of a medicine.
///
/// The 28 days before the change are compared with 28 days after it. The day of the change and the 7 days after it are
/// left out, because a medicine may need time. Other changes cut both periods: the first one begins after the 7 days of
/// the change before, and the second one ends before the next change.
package struct EffectWindows: Sendable, Hashable {
  /// The length of each period in days.
  package static let length = 28
  /// The number of days after a change that are left out, in addition to its own.
  package static let washIn = 7
  /// The least number of days with a value in each period.
  package static let fewest = 10

  /// The days before the change; nil if there are none.
  package let before: ClosedRange<CivilDate>?
  /// The days after the change; nil if there are none yet.
  package let after: ClosedRange<CivilDate>?

  /// Creates the periods around a change.
  ///
  /// - Parameters:
  ///   - changes: the days of all changes, in any order.
  ///   - today: the last day that can count.
  package init(around change: CivilDate, among changes: [CivilDate], today: CivilDate) {
    let previous = changes.filter { $0 < change }.max()
    let next = changes.filter { $0 > change }.min()
    let begin = max(
      change.adding(days: -Self.length), previous?.adding(days: Self.washIn + 1) ?? .earliest)
    let end = change.adding(days: -1)
    before = begin <= end ? begin...end : nil
    let start = change.adding(days: Self.washIn + 1)
    let stop = min(
      start.adding(days: Self.length - 1), next?.adding(days: -1) ?? .latest, today)
    after = start <= stop ? start...stop : nil
  }

  /// Compares the daily values of both periods.
  package func outcome(_ values: [EffectDay]) -> EffectOutcome {
    func within(_ days: ClosedRange<CivilDate>?) -> [Double] {
      guard let days else { return [] }
      return values.filter { days.contains($0.day) }.map(\.value)
    }
    let (left, right) = (within(before), within(after))
    let missing = (max(0, Self.fewest - left.count), max(0, Self.fewest - right.count))
    guard missing == (0, 0), let estimate = EffectEstimate(before: left, after: right) else {
      return .tooFew(before: missing.0, after: missing.1)
    }
    return .compared(estimate)
  }
}

/// The value of a measure on one day.
package struct EffectDay: Sendable, Hashable {
  /// The day.
  package let day: CivilDate
  /// The mean of the day's values.
  package let value: Double

  /// Creates the value of a day.
  package init(day: CivilDate, value: Double) {
    self.day = day
    self.value = value
  }
}

/// The result of a comparison.
package enum EffectOutcome: Sendable, Hashable {
  case compared(EffectEstimate)
  /// There are too few days with a value; the numbers of days that are missing.
  case tooFew(before: Int, after: Int)
}
