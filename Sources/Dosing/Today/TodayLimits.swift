// SPDX-License-Identifier: Apache-2.0

/// A part of Today that lists doses.
package enum TodayPart: String, Sendable, Hashable, CaseIterable {
  /// The doses to answer now.
  case due = "now"
  case later, done, missed, tomorrow
}

/// The maximum number of doses that each part of Today lists; the rest is one link away.
///
/// A person with 30 medicines has over 200 doses within a day, which made a page of 746 KB.
package struct TodayLimits: Sendable, Hashable {
  /// The part that is shown in full.
  package var full: TodayPart?
  package var now: Int
  package var others: Int

  package init(full: TodayPart? = nil, now: Int = 30, others: Int = 10) {
    self.full = full
    self.now = now
    self.others = others
  }

  /// No limits.
  package static let none = TodayLimits(now: .max, others: .max)

  package func limit(_ part: TodayPart) -> Int {
    if part == full { return .max }
    return part == .due ? now : others
  }
}
