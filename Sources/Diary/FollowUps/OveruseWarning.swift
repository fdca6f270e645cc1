// SPDX-License-Identifier: Apache-2.0

import Knowledge
import Plans
import Scheduling
import Storage

/// The days on which a headache medicine was taken, compared with the days from which a source speaks of overuse.
package struct OveruseWarning: Sendable, Hashable {
  /// The days before now that count, with today: a month.
  package static let window = 30

  /// The rule with its sources.
  package let rule: OveruseRule
  /// The days of the window with an intake.
  package let days: Int
  /// The days of the window with an intake, if another dose is taken now.
  package let daysWithNext: Int

  /// True if the days have been reached.
  package var isReached: Bool { days >= rule.days }

  /// Creates the warning; nil if not even another dose now would reach the days of the rule.
  package init?(_ rule: OveruseRule, taken: [Timestamp], now: Timestamp, zone: Zone) {
    let today = zone.date(at: Instant(now))
    let first = today.adding(days: 1 - Self.window)
    let used = Set(taken.map { zone.date(at: Instant($0)) }.filter { $0 >= first && $0 <= today })
    self.rule = rule
    days = used.count
    daysWithNext = used.union([today]).count
    guard daysWithNext >= rule.days else { return nil }
  }
}
