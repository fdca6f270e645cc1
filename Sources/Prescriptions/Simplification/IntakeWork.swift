// SPDX-License-Identifier: Apache-2.0

/// The work spent on a proposal.
///
/// It is counted rather than timed, so that the same medicines always give the same times.
struct IntakeWork: Sendable {
  /// The standard budget: a fraction of a second for any plan.
  static let standard = 20_000_000

  /// The cost of evaluating one choice, or two medicines together, in addition to their doses.
  private static let step = 4

  let most: Int
  private(set) var done = 0

  init(most: Int = standard) { self.most = most }

  var isUsedUp: Bool { done >= most }

  /// Counts a choice of times of one medicine.
  mutating func judge() { done += Self.step }

  /// Counts the doses of two medicines, pair by pair.
  mutating func compare(_ pairs: Int) { done += Self.step + pairs }
}
