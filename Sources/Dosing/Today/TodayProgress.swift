// SPDX-License-Identifier: Apache-2.0

/// The number of doses planned for a local day, and of those that were taken.
package struct TodayProgress: Sendable, Hashable {
  /// The number of doses that were taken.
  package var taken: Int
  /// The number of planned doses, including those that were skipped or missed.
  package var planned: Int

  /// Creates a count.
  package init(taken: Int = 0, planned: Int = 0) {
    self.taken = taken
    self.planned = planned
  }
}
