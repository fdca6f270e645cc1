// SPDX-License-Identifier: Apache-2.0

import Plans

/// The number of doses by outcome.
///
/// Intakes of as-needed medicines are not doses and are not counted, nor are cancelled and open doses.
package struct DoseCounts: Sendable, Hashable {
  private var counts: [DoseOutcome: Int] = [:]

  /// Creates counts of zero.
  package init() {}

  /// Creates counts by outcome; numbers below 1 count as zero.
  package init(_ counts: [DoseOutcome: Int]) {
    for (outcome, count) in counts { self[outcome] = count }
  }

  /// The number of doses with an outcome; a number below 0 is set as 0.
  package subscript(outcome: DoseOutcome) -> Int {
    get { counts[outcome] ?? 0 }
    set { counts[outcome] = newValue > 0 ? newValue : nil }
  }

  /// True if every count is zero.
  package var isEmpty: Bool { counts.isEmpty }

  /// The number of doses that could be taken and whose outcome is known: the basis of the rate.
  ///
  /// Doses withheld by a rule could not be taken and are counted separately.
  package var planned: Int {
    self[.taken] + self[.late] + self[.skipped] + self[.refused] + self[.missed]
  }

  /// The number of doses taken, on time or late.
  package var takenInAll: Int { self[.taken] + self[.late] }

  /// The number of doses skipped, refused or missed.
  package var notTaken: Int { planned - takenInAll }

  /// The number of doses intentionally not taken: skipped or refused.
  package var leftOut: Int { self[.skipped] + self[.refused] }

  /// The share of planned doses taken, in whole percent; nil without planned doses.
  ///
  /// It is 100 only if all were taken and 0 only if none was, regardless of rounding.
  package var percentTaken: Int? {
    guard planned > 0 else { return nil }
    if takenInAll == planned { return 100 }
    if takenInAll == 0 { return 0 }
    return min(max((takenInAll * 200 + planned) / (planned * 2), 1), 99)
  }

  /// Returns the sum of two counts, outcome by outcome.
  package static func + (left: DoseCounts, right: DoseCounts) -> DoseCounts {
    var sum = left
    for (outcome, count) in right.counts { sum[outcome] += count }
    return sum
  }
}
