// SPDX-License-Identifier: Apache-2.0

/// The doses of the last days, as far as they matter today.
///
/// A dose belongs to the day on which its effect shows: a morning dose to its own day, an evening dose to the
/// next.
enum GapState: Int, CaseIterable {
  case allTaken
  case oneMissed
  case twoMissed
  case threeMissed
  case manyMissed
  case backAfterOne
  case backAfterMore
  case secondDayBack

  /// True for each missed dose among those that show today, yesterday and so on.
  var missed: [Bool] {
    switch self {
    case .allTaken: []
    case .oneMissed: [true]
    case .twoMissed: [true, true]
    case .threeMissed: [true, true, true]
    case .manyMissed: [true, true, true, true, true, true]
    case .backAfterOne: [false, true]
    case .backAfterMore: [false, true, true, true]
    case .secondDayBack: [false, false, true, true, true]
    }
  }
}

/// The probabilities with which a day's states follow from those of the previous day.
///
/// Each state has at most four predecessors: `way` 0 to 3 selects one for each state, and `chances` is the
/// probability of that step.
struct GapMoves {
  let chances: (ByGap, ByGap, ByGap, ByGap)

  /// Creates the moves from published shares of gaps: most are single days, and long ones tend to continue.
  ///
  /// `begin` is the chance of a first missed dose.
  init(begin: Double) {
    let stays = 1 - begin
    chances = (
      [stays, begin, 0.3, 0.55, 0.75, 0.7, 0.45, stays],
      [stays, begin, 0, 0, 0.78, 0, 0.25, 0],
      [stays, begin, 0, 0, 0, 0, 0.22, 0],
      [0, begin, 0, 0, 0, 0, 0, 0]
    )
  }

  /// Returns the values of each state's first predecessor.
  ///
  /// Written out for speed.
  @inline(__always)
  static func first(_ of: ByGap) -> ByGap {
    ByGap(of[0], of[0], of[1], of[2], of[3], of[1], of[2], of[6])
  }
  /// Returns the values of each state's second predecessor.
  @inline(__always)
  static func second(_ of: ByGap) -> ByGap {
    ByGap(of[5], of[5], of[0], of[0], of[4], of[0], of[3], of[0])
  }
  /// Returns the values of each state's third predecessor.
  @inline(__always)
  static func third(_ of: ByGap) -> ByGap {
    ByGap(of[7], of[7], of[0], of[0], of[0], of[0], of[4], of[0])
  }
  /// Returns the values of each state's fourth predecessor.
  @inline(__always)
  static func fourth(_ of: ByGap) -> ByGap {
    ByGap(of[0], of[6], of[0], of[0], of[0], of[0], of[0], of[0])
  }

  /// Returns the values carried from each state to those of the next day, as a mean weighted by their
  /// chances; a new gap starts with zero.
  func carried(_ shares: ByGap, by weight: ByGap) -> ByGap {
    let parts = (
      Self.first(weight) * chances.0, Self.second(weight) * chances.1,
      Self.third(weight) * chances.2
    )
    let sum =
      parts.0 * Self.first(shares) + parts.1 * Self.second(shares) + parts.2 * Self.third(shares)
    var carried = sum / (parts.0 + parts.1 + parts.2 + 1e-300)
    for state in [GapState.allTaken, .oneMissed, .secondDayBack] { carried[state.rawValue] = 0 }
    return carried
  }
}
