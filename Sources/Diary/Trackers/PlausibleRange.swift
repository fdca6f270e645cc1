// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The numbers that a measurement can have, and the ones that it usually has.
package struct PlausibleRange: Sendable, Hashable {
  /// The answer to whether a number is plausible.
  package enum Verdict: Sendable, Hashable {
    case likely, unlikely, impossible
  }

  /// The numbers that are accepted at all.
  package let possible: ClosedRange<Decimal>
  /// The numbers that are accepted without a question.
  package let likely: ClosedRange<Decimal>

  /// Returns the verdict on a number.
  package func verdict(on number: Decimal) -> Verdict {
    guard possible.contains(number) else { return .impossible }
    return likely.contains(number) ? .likely : .unlikely
  }

  /// Returns the numbers at which the verdict changes: the least possible, the least and the greatest likely, and the
  /// greatest possible one.
  ///
  /// - Parameter unit: the unit of the numbers; nil for the first one of their kind.
  package func limits(in unit: DiaryUnit? = nil) -> [Decimal] {
    [possible.lowerBound, likely.lowerBound, likely.upperBound, possible.upperBound]
      .map { unit?.exactly($0) ?? $0 }
  }

  /// The upper pressure in mmHg.
  package static let systolic = PlausibleRange(possible: 40...300, likely: 70...220)
  /// The lower pressure in mmHg.
  package static let diastolic = PlausibleRange(possible: 20...200, likely: 40...130)
}
