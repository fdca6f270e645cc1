// SPDX-License-Identifier: Apache-2.0

/// A part of Today that lists doses.
enum TodayPart: String, Sendable, Hashable, CaseIterable {
  /// The doses to answer now.
  case due = "now"
  case later, done, missed, tomorrow
}

/// The maximum number of doses that each part of Today lists; the rest is one link away.
///
/// A person with 30 medicines has over 200 doses within a day, which made a page of 746 KB.
struct TodayLimits: Sendable, Hashable {
  /// The part that is shown in full.
  var full: TodayPart?
  var now = 30
  var others = 10

  /// No limits.
  static let none = TodayLimits(now: .max, others: .max)

  func limit(_ part: TodayPart) -> Int {
    if part == full { return .max }
    return part == .due ? now : others
  }
}
