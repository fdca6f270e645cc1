// SPDX-License-Identifier: Apache-2.0

/// How much a proposal may cost in all, counted and not timed, so that the same medicines always give the same times.
struct IntakeWork: Sendable {
  /// A fraction of a second, whatever is planned.
  static let standard = 20_000_000

  /// What looking at one choice of times, or at two medicines beside each other, costs besides their doses.
  private static let step = 4

  let most: Int
  private(set) var done = 0

  init(most: Int = standard) { self.most = most }

  var isUsedUp: Bool { done >= most }

  /// A choice of times of one medicine.
  mutating func judge() { done += Self.step }

  /// Doses of two medicines, pair by pair.
  mutating func compare(_ pairs: Int) { done += Self.step + pairs }
}
