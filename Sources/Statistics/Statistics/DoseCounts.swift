// SPDX-License-Identifier: Apache-2.0

import Plans

/// How many doses ended in which way.
///
/// Medicines taken when needed give no doses and are never among them; doses that were called off
/// and those still open are not either.
package struct DoseCounts: Sendable, Hashable {
  private var counts: [DoseOutcome: Int] = [:]

  package init() {}

  package init(_ counts: [DoseOutcome: Int]) {
    for (outcome, count) in counts { self[outcome] = count }
  }

  package subscript(outcome: DoseOutcome) -> Int {
    get { counts[outcome] ?? 0 }
    set { counts[outcome] = newValue > 0 ? newValue : nil }
  }

  package var isEmpty: Bool { counts.isEmpty }

  /// The doses that could be taken and whose outcome is known: what the rate is counted in.
  ///
  /// One that a rule holds back was never to be taken and is told beside them.
  package var planned: Int {
    self[.taken] + self[.late] + self[.skipped] + self[.refused] + self[.missed]
  }

  /// Taken on time or late.
  package var takenInAll: Int { self[.taken] + self[.late] }

  /// Skipped, refused or missed.
  package var notTaken: Int { planned - takenInAll }

  /// Left out on purpose, with or without being refused.
  package var leftOut: Int { self[.skipped] + self[.refused] }

  /// The share taken in whole percent; nil without doses.
  ///
  /// 100 only when all were taken and 0 only when none was, whatever rounding says.
  package var percentTaken: Int? {
    guard planned > 0 else { return nil }
    if takenInAll == planned { return 100 }
    if takenInAll == 0 { return 0 }
    return min(max((takenInAll * 200 + planned) / (planned * 2), 1), 99)
  }

  package static func + (left: DoseCounts, right: DoseCounts) -> DoseCounts {
    var sum = left
    for (outcome, count) in right.counts { sum[outcome] += count }
    return sum
  }
}
