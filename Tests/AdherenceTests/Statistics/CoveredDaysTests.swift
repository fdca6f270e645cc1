// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Statistics

/// The number of consecutive days on which every dose was taken.
@Suite struct CoveredDaysTests {
  private static func statistics(_ outcomes: [[DoseOutcome?]]) throws -> DayStatistics {
    let today = try #require(CivilDate(text: "2026-03-14"))
    var doses: [StatisticsDose] = []
    for (back, ofDay) in outcomes.enumerated() {
      let date = today.adding(days: -back)
      for (hour, outcome) in ofDay.enumerated() {
        let due = Int64(date.daysSinceEpoch) * 24 + Int64(8 + hour)
        doses.append(
          StatisticsDose(
            plan: "p", due: Timestamp(milliseconds: due * 3_600_000), date: date,
            part: DayPart(hour: 8 + hour), outcome: outcome))
      }
    }
    return DayStatistics(
      from: today.adding(days: -6), to: today, today: today,
      firstDue: today.adding(days: -6), doses: doses)
  }

  /// The outcomes of today, of yesterday and so on, with the number of consecutive days.
  @Test(
    arguments: [
      ([[.taken, .late], [.taken], [.taken]], 3),
      ([[.taken], [.taken, .skipped], [.taken]], 1),
      ([[.taken], [.missed], [.taken]], 1),
      ([[.taken], [], [.taken]], 1),
      ([[.taken, nil], [.taken]], 0),
      ([[.taken, .withheld], [.taken]], 0),
      ([[.refused], [.taken]], 0),
      ([[], [.taken]], 0),
      (Array(repeating: [.taken], count: 7), 7),
    ] as [([[DoseOutcome?]], Int)])
  func `a day counts once all its doses were taken`(outcomes: [[DoseOutcome?]], count: Int) throws {
    let days = try Self.statistics(outcomes)
    #expect(days.coveredDays(endingOn: days.today) == count)
  }
}
