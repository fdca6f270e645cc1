// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import Plans
@testable import Statistics

@Suite struct StatisticsTests {
  private func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text: text)) }

  // MARK: Counts

  @Test(
    arguments: [
      ([.taken: 18, .late: 2, .missed: 1], 21, 20, 95), ([.taken: 1], 1, 1, 100),
      ([.missed: 3], 3, 0, 0), ([.taken: 999, .missed: 1], 1000, 999, 99),
      ([.late: 1, .refused: 999], 1000, 1, 1), ([.withheld: 4], 0, 0, nil), ([:], 0, 0, nil),
      ([.taken: 1, .skipped: 1], 2, 1, 50), ([.taken: 2, .skipped: 1], 3, 2, 67),
    ] as [([DoseOutcome: Int], Int, Int, Int?)])
  func `the rate comes with its counts and never rounds to 0 or 100`(
    counts: [DoseOutcome: Int], planned: Int, taken: Int, percent: Int?
  ) {
    let counts = DoseCounts(counts)
    #expect(counts.planned == planned && counts.takenInAll == taken)
    #expect(counts.notTaken == planned - taken && counts.percentTaken == percent)
    #expect((counts + counts).planned == planned * 2)
  }

  // MARK: Periods

  @Test(arguments: [
    (StatisticsPeriod.day, "2026-03-01", "2026-03-01", "2026-03-02"),
    (.week, "2026-03-01", "2026-02-23", "2026-03-02"),
    (.week, "2026-03-02", "2026-03-02", "2026-03-09"),
    (.month, "2024-02-29", "2024-02-01", "2024-03-01"),
    (.year, "2024-12-31", "2024-01-01", "2025-01-01"),
  ])
  func `a period begins where the calendar begins it`(
    period: StatisticsPeriod, day: String, start: String, next: String
  ) throws {
    let begun = period.start(of: try date(day))
    #expect(begun.text == start)
    #expect(period.start(1, after: begun).text == next)
    #expect(period.start(-1, after: period.start(1, after: begun)) == begun)
  }

  @Test(arguments: [
    ("2026-01-01", 2026, 1), ("2027-01-01", 2026, 53), ("2024-12-30", 2025, 1),
    ("2021-01-03", 2020, 53), ("2026-03-01", 2026, 9), ("2023-01-01", 2022, 52),
  ])
  func `weeks are numbered by ISO 8601`(day: String, year: Int, number: Int) throws {
    let week = CalendarWeek(of: try date(day))
    #expect(week.year == year && week.number == number)
  }

  @Test(arguments: StatisticsPeriod.allCases)
  func `paging reaches all data backwards and today forwards`(period: StatisticsPeriod) throws {
    let today = try date("2026-03-01")
    let firstDue = try date("2016-04-07")
    var window = StatisticsWindow(period, endingAt: today, today: today)
    #expect(window.last >= today && window.later(today: today) == nil)
    var forth: [StatisticsWindow] = [window]
    while let end = window.earlier(than: firstDue) {
      let before = StatisticsWindow(period, endingAt: end, today: today)
      #expect(before.last.adding(days: 1) == window.first)
      #expect(before.starts.count == period.perPage)
      forth.append(before)
      window = before
    }
    #expect(window.first <= firstDue && firstDue <= window.last)
    for expected in forth.dropLast().reversed() {
      let end = try #require(window.later(today: today))
      window = StatisticsWindow(period, endingAt: end, today: today)
      #expect(window == expected)
    }
    #expect(StatisticsWindow(period, endingAt: .latest, today: today) == forth[0])
    #expect(forth[0].earlier(than: nil) == nil)
  }

  // MARK: The database counts like the rule

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `the database and the rule give the same counts`(seed: UInt64) async throws {
    let world = try await AnswerWorld()
    var generator = SeededGenerator(seed: seed)
    try await world.addPlan("p", gapHours: nil)
    try await world.addPlan("other", gapHours: nil)
    let minute = AnswerWorld.minute
    for number in Int64(0)..<90 {
      let dueMinutes = number * 301
      let due = AnswerWorld.eight.adding(milliseconds: dueMinutes * minute)
      let kind = Int.random(in: 0..<9, using: &generator)
      let state: DoseState.Stored = kind == 7 ? .withheld : kind == 8 ? .cancelled : .open
      let id = try await world.addDose(
        "p", number, dueMinutes: dueMinutes, state: state,
        reason: state == .open ? nil : .edit)
      let delay = Int64.random(in: -30...400, using: &generator)
      let at = due.adding(milliseconds: delay * minute)
      let action: AnswerAction? =
        switch kind {
        case 0, 1, 2, 3: .taken
        case 4: .skipped
        case 5: .refused
        default: nil
        }
      guard let action else { continue }
      let answered = try await world.answer(
        id, AnswerRequest(action: action, at: at, confirm: true), at: at)
      if kind == 3 {
        let version = try #require(answered.accepted?.version)
        _ = try await world.answer(id, AnswerRequest(action: .undo, corrects: version), at: at)
      }
    }
    try await world.addDose("other")
    let now = AnswerWorld.eight.adding(milliseconds: 15 * 24 * 60 * minute)
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let today = zone.date(at: Instant(now))
    for period in StatisticsPeriod.allCases {
      for end in [today, today.adding(days: -9), today.adding(days: 40)] {
        let window = StatisticsWindow(period, endingAt: end, today: today.adding(days: 60))
        let (counted, doses) = try await world.database.read { reader in
          (
            try StatisticsQueries.statistics(
              plan: "p", patient: AnswerWorld.patient, window: window, zone: zone, now: now,
              in: reader),
            try DoseStore.between(
              Timestamp(milliseconds: 0), Timestamp(milliseconds: .max),
              patient: AnswerWorld.patient, most: DoseListing.most, now: now, in: reader
            ).filter { $0.plan == "p" }
          )
        }
        #expect(counted == AdherenceStatistics(doses, window: window, zone: zone, now: now))
        if period == .month, end == today {
          #expect(counted.total.planned > 40 && counted.total[.withheld] > 0)
        }
      }
    }
  }

  @Test func `a day with a clock change is one day`() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("p", gapHours: nil)
    // 2026-03-29 has 23 hours in Berlin; it is 27 days after Monday 2 March.
    let night = 26 * 24 * 60 + 16 * 60 + 30
    for (number, minutes) in [night - 60, night, night + 22 * 60, night + 23 * 60].enumerated() {
      try await world.addDose("p", Int64(number), dueMinutes: Int64(minutes))
    }
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let end = try date("2026-03-30")
    let now = Timestamp(zone.startOfDay(end.adding(days: 3)))
    let statistics = try await world.database.read { reader in
      try StatisticsQueries.statistics(
        plan: "p", patient: AnswerWorld.patient,
        window: StatisticsWindow(.day, endingAt: end, today: end), zone: zone, now: now, in: reader)
    }
    #expect(statistics.columns.suffix(3).map(\.counts.planned) == [1, 2, 1])
    #expect(statistics.firstDue?.text == "2026-03-28")
  }
}
