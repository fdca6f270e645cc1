// SPDX-License-Identifier: Apache-2.0

import Foundation
import Storage

/// The rule for keeping backups: the newest ones, and the last one of each of the latest days,
/// weeks and months in which any was made.
///
/// Periods without a backup do not count, so a server that was off for a year keeps its old backups
/// on the day it comes back. All periods are in UTC.
package struct BackupRetention: Sendable, Hashable {
  /// The number of latest backups to keep.
  package let newest: Int
  /// The number of days of which the last backup is kept.
  package let days: Int
  /// The number of weeks of which the last backup is kept; weeks begin on Monday.
  package let weeks: Int
  /// The number of months of which the last backup is kept.
  package let months: Int

  /// Creates a rule; the default keeps 14 backups, and those of 8 weeks and 12 months.
  package init(newest: Int = 14, days: Int = 0, weeks: Int = 8, months: Int = 12) {
    self.newest = newest
    self.days = days
    self.weeks = weeks
    self.months = months
  }

  /// Returns the instants to keep.
  func kept(of made: [Timestamp]) -> Set<Timestamp> {
    let latestFirst = Set(made).sorted(by: >)
    var kept = Set(latestFirst.prefix(newest))
    for (count, calendar) in [(days, Self.day), (weeks, Self.week), (months, Self.month)] {
      var seen: Set<Int64> = []
      for instant in latestFirst {
        guard seen.count < count else { break }
        if seen.insert(calendar(instant)).inserted { kept.insert(instant) }
      }
    }
    return kept
  }

  private static func day(_ instant: Timestamp) -> Int64 {
    Int64((Double(instant.milliseconds) / 86_400_000).rounded(.down))
  }

  /// 1 January 1970 was a Thursday.
  private static func week(_ instant: Timestamp) -> Int64 {
    Int64((Double(day(instant) + 3) / 7).rounded(.down))
  }

  private static func month(_ instant: Timestamp) -> Int64 {
    var calendar = Calendar(identifier: .gregorian)
    calendar.timeZone = .gmt
    let date = Date(timeIntervalSince1970: Double(instant.milliseconds) / 1000)
    let parts = calendar.dateComponents([.year, .month], from: date)
    return Int64(parts.year ?? 0) * 12 + Int64(parts.month ?? 0)
  }
}
