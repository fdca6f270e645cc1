// SPDX-License-Identifier: Apache-2.0

/// A part of Today that lists doses.
package enum TodayPart: String, Sendable, Hashable, CaseIterable {
  /// The doses to answer now.
  case due = "now"
  case later, done, missed, tomorrow
}

/// The maximum number of doses listed in each part of Today; the rest is one link away.
///
/// A person with 30 medicines has over 200 doses within a day, which would make a page of 746 KB.
package struct TodayLimits: Sendable, Hashable {
  /// The part shown in full; nil if every part is limited.
  package var full: TodayPart?
  /// The maximum for the doses to answer now.
  package var now: Int
  /// The maximum for each other part.
  package var others: Int

  /// Creates limits; the defaults are those of the page.
  package init(full: TodayPart? = nil, now: Int = 30, others: Int = 10) {
    self.full = full
    self.now = now
    self.others = others
  }

  /// No limits.
  package static let none = TodayLimits(now: .max, others: .max)

  /// Returns the maximum number of doses for a part.
  package func limit(_ part: TodayPart) -> Int {
    if part == full { return .max }
    return part == .due ? now : others
  }
}
