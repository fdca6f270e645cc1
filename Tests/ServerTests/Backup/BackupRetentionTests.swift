// SPDX-License-Identifier: Apache-2.0

import Storage
import Testing

@testable import Operations

@Suite struct BackupRetentionTests {
  /// Returns milliseconds of a day and time in UTC; day 0 is Sunday, 1 March 2026.
  private static func at(day: Int64, hour: Int64 = 3) -> Timestamp {
    Timestamp(milliseconds: 1_772_323_200_000 + (day * 24 + hour) * 3_600_000)
  }

  @Test func `by default only the newest backups stay`() {
    let made = (0..<20).map { Self.at(day: Int64($0)) }
    let retention = BackupRetention(newest: 3, days: 0, weeks: 0, months: 0)
    #expect(retention.kept(of: made.shuffled()) == Set(made.suffix(3)))
  }

  @Test func `the last backup of each day stays`() {
    let made = (0..<4).flatMap { day in [2, 9, 23].map { Self.at(day: day, hour: $0) } }
    let retention = BackupRetention(newest: 1, days: 3, weeks: 0, months: 0)
    #expect(retention.kept(of: made) == Set((1...3).map { Self.at(day: $0, hour: 23) }))
  }

  @Test func `a week ends on Sunday`() {
    let made = (0..<15).map { Self.at(day: Int64($0)) }
    let retention = BackupRetention(newest: 1, days: 0, weeks: 3, months: 0)
    // Sunday the 15th is the newest, Sunday the 8th and Sunday the 1st end the previous weeks.
    #expect(retention.kept(of: made) == [Self.at(day: 14), Self.at(day: 7), Self.at(day: 0)])
  }

  @Test func `a month ends with its last day`() {
    let made = (0..<92).map { Self.at(day: Int64($0)) }
    let retention = BackupRetention(newest: 1, days: 0, weeks: 0, months: 3)
    #expect(retention.kept(of: made) == [Self.at(day: 91), Self.at(day: 60), Self.at(day: 30)])
  }

  @Test func `a year without the server deletes no old backup`() {
    let old = (0..<5).map { Self.at(day: Int64($0)) }
    let retention = BackupRetention(newest: 2, days: 4, weeks: 0, months: 0)
    let new = Self.at(day: 400)
    #expect(retention.kept(of: old + [new]) == Set(old.suffix(3) + [new]))
  }

  @Test func `three years of daily backups are thinned out as configured`() {
    var made: [Timestamp] = []
    let retention = BackupRetention()
    for day in 0..<1_095 {
      made.append(Self.at(day: Int64(day)))
      let kept = retention.kept(of: made)
      made.removeAll { !kept.contains($0) }
    }
    // 14 days, 8 weeks of which two end within them, 12 months of which two end within those weeks.
    #expect((28...32).contains(made.count))
    #expect(made.max() == Self.at(day: 1_094))
  }
}
