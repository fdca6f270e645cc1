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

/// The doses of days one by one give the same statistics as the report, whatever happened.
@Suite struct DayStatisticsTests {
  private static let day: Int64 = 24 * 60 * AnswerWorld.minute

  private func date(_ text: String) throws -> CivilDate { try #require(CivilDate(text: text)) }

  private static func dose(
    _ date: CivilDate, _ outcome: DoseOutcome?, at hour: Int64 = 8, plan: PlanID = "p"
  ) -> StatisticsDose {
    StatisticsDose(
      plan: plan,
      due: Timestamp(milliseconds: Int64(date.daysSinceEpoch) * day + hour * 3_600_000),
      date: date, part: DayPart(hour: Int(hour)), outcome: outcome)
  }

  @Test(arguments: 1...4 as ClosedRange<UInt64>)
  func `days, report and chart count the same doses`(seed: UInt64) async throws {
    let world = try await AnswerWorld()
    var generator = SeededGenerator(seed: seed)
    for plan in ["p", "q"] as [PlanID] {
      try await world.addPlan(plan, name: plan.text, gapHours: nil)
    }
    for number in Int64(0)..<110 {
      let dueMinutes = number * 389
      let kind = Int.random(in: 0..<8, using: &generator)
      let plan: PlanID = number % 3 == 0 ? "q" : "p"
      let state: DoseState.Stored = kind == 6 ? .withheld : kind == 7 ? .cancelled : .open
      let id = try await world.addDose(
        plan, number, dueMinutes: dueMinutes, state: state,
        reason: state == .open ? nil : .edit)
      let actions: [AnswerAction?] = [.taken, .taken, .skipped, .refused, nil, nil, nil, nil]
      guard let action = actions[kind] else { continue }
      let at = AnswerWorld.eight.adding(
        milliseconds: (dueMinutes + Int64.random(in: -30...300, using: &generator))
          * AnswerWorld.minute)
      _ = try await world.answer(id, AnswerRequest(action: action, at: at, confirm: true), at: at)
    }
    let now = AnswerWorld.eight.adding(milliseconds: 28 * Self.day)
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let today = zone.date(at: Instant(now))
    for (first, last) in [
      (today.adding(days: -40), today), (try date("2026-03-01"), try date("2026-03-31")),
      (today, today), (today.adding(days: 2), today.adding(days: 9)),
    ] {
      for plan in [nil, "p", "q", "unknown"] as [PlanID?] {
        let (days, report) = try await world.database.read { reader in
          (
            try StatisticsQueries.days(
              from: first, to: last, plan: plan, patient: AnswerWorld.patient, zone: zone,
              now: now, in: reader),
            try ReportStatistics.between(
              first, last, patient: AnswerWorld.patient, zone: zone,
              zoneName: "Europe/Berlin", now: now, in: reader)
          )
        }
        let expected = plan.map { report.plans[$0] ?? PlanStatistics() } ?? report.total
        #expect(days.total == expected)
        let columns = days.statistics(from: first, to: last).columns
        #expect(columns.reduce(DoseCounts()) { $0 + $1.counts } == expected.counts)
        guard let plan, last.daysSinceEpoch - first.daysSinceEpoch >= 13 else { continue }
        let window = StatisticsWindow(.day, endingAt: last, today: last)
        let chart = try await world.database.read { reader in
          try StatisticsQueries.statistics(
            plan: plan, patient: AnswerWorld.patient, window: window, zone: zone, now: now,
            in: reader)
        }
        #expect(chart.columns == Array(columns.suffix(14)))
      }
    }
  }

  @Test func `each day has one kind, and adjacent pauses are merged`() throws {
    let first = try date("2026-03-01")
    func on(_ day: Int) -> CivilDate { first.adding(days: day - 1) }
    let statistics = DayStatistics(
      from: first, to: on(31), today: on(20), firstDue: on(3),
      doses: [
        Self.dose(on(3), .taken), Self.dose(on(3), .late, at: 20), Self.dose(on(4), .missed),
        Self.dose(on(5), .taken), Self.dose(on(5), nil, at: 20), Self.dose(on(6), .withheld),
        Self.dose(on(21), nil), Self.dose(on(22), .taken), Self.dose(on(40), .missed),
      ],
      paused: [on(9)...on(10), on(8)...on(8), on(11)...on(12), on(15)...on(60)])
    #expect(statistics.paused == [on(8)...on(12), on(15)...on(31)])
    let kinds = (1...31).map { statistics.kind(of: on($0)) }
    #expect(kinds.prefix(7) == [.before, .before, .planned, .planned, .planned, .planned, .free])
    #expect(kinds[7] == .paused && kinds[12] == .free && kinds[19] == .paused)
    #expect(kinds[20] == .ahead, "a dose of tomorrow that is open is still to come")
    #expect(kinds[21] == .planned, "and one that was answered early is told")
    #expect(kinds[22...].allSatisfy { $0 == .ahead })
    #expect(statistics.isCovered(on(3)) && !statistics.isCovered(on(4)))
    #expect(!statistics.isCovered(on(5)), "a dose is open")
    #expect(!statistics.isCovered(on(6)), "what a rule held back was not to be taken")
    let mixed = DayStatistics(
      from: first, to: on(31), today: on(20), firstDue: on(3),
      doses: [Self.dose(on(3), .taken), Self.dose(on(3), .withheld, at: 20)])
    #expect(!mixed.isCovered(on(3)), "one was held back, and nobody decided")
    #expect(statistics.days(with: .missed, from: first, to: on(31)) == [on(4)])
    #expect(statistics.total.counts.planned == 5)
    let none = DayStatistics(from: first, to: on(31), today: on(20), firstDue: nil, doses: [])
    #expect(none.kind(of: on(1)) == .before && none.kind(of: on(31)) == .ahead)
  }

  @Test func `marks of a day are in the order of their times`() throws {
    let day = try date("2026-03-02")
    let statistics = DayStatistics(
      from: day, to: day, today: day, firstDue: day,
      doses: [
        Self.dose(day, .late, at: 20, plan: "a"), Self.dose(day, .taken, at: 8, plan: "b"),
        Self.dose(day, .skipped, at: 8, plan: "a"), Self.dose(day, .missed, at: 3, plan: "c"),
      ])
    #expect(statistics.marks(on: day).map(\.plan) == ["c", "a", "b", "a"])
  }

  @Test func `a night with a clock change belongs to its days`() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("p", gapHours: nil)
    // Every twelve hours from 20:00 on 27 March in Berlin: from the 29th on at 9 and 21.
    let start = Int64(25 * 24 + 12) * 60
    for number in Int64(0)..<6 {
      try await world.addDose("p", number, dueMinutes: start + number * 720)
    }
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let first = try date("2026-03-27")
    let now = Timestamp(zone.startOfDay(first.adding(days: 9)))
    let statistics = try await world.database.read { reader in
      try StatisticsQueries.days(
        from: first, to: first.adding(days: 3), patient: AnswerWorld.patient, zone: zone,
        now: now, in: reader)
    }
    let counts = (0..<4).map { statistics.counts(on: first.adding(days: $0)).planned }
    #expect(counts == [1, 2, 2, 1])
    let hours = statistics.marks(on: first.adding(days: 2)).map {
      zone.local(at: Instant($0.due)).time.hour
    }
    #expect(hours == [9, 21])
    #expect(statistics.total.counts(in: .morning).planned == 3)
  }
}
