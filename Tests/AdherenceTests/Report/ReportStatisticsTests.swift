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

@Suite struct ReportStatisticsTests {
  private static let day: Int64 = 24 * 60 * AnswerWorld.minute
  private static let zones = ZoneCatalog()

  /// Returns the rule's results for each dose, counted the slow way.
  private static func slowly(
    _ doses: [Dose], _ first: CivilDate, _ last: CivilDate, zone: Zone, now: Timestamp
  ) -> [PlanID: PlanStatistics] {
    var days: [PlanID: [CivilDate: PlanStatistics.Day]] = [:]
    for dose in doses {
      let local = zone.local(at: Instant(dose.due))
      guard first <= local.date, local.date <= last, dose.state != .cancelled else { continue }
      var day = days[dose.plan]?[local.date] ?? PlanStatistics.Day(local.date)
      if let outcome = DoseOutcome(of: dose, now: now) {
        let delay = (dose.answer?.at ?? dose.due).milliseconds - dose.due.milliseconds
        day.add(outcome, in: DayPart(hour: local.time.hour), delay: delay)
      } else {
        day.addOpen()
      }
      days[dose.plan, default: [:]][local.date] = day
    }
    var plans: [PlanID: PlanStatistics] = [:]
    for (plan, days) in days {
      var statistics = PlanStatistics()
      for day in days.values { statistics.add(day) }
      if !statistics.isEmpty { plans[plan] = statistics }
    }
    return plans
  }

  private static func doses(_ world: AnswerWorld, now: Timestamp) async throws -> [Dose] {
    try await world.database.read { reader in
      try DoseStore.between(
        Timestamp(milliseconds: 0), Timestamp(milliseconds: .max), patient: AnswerWorld.patient,
        most: DoseListing.most, now: now, in: reader)
    }
  }

  private static func fold(_ world: AnswerWorld, now: Timestamp) async throws {
    try await world.database.write { writer in
      // The plans of this world have no rules: all their doses exist already.
      try writer.execute(
        "UPDATE plans SET planned_through = $1", [SQLValue(Timestamp(milliseconds: .max))])
      // The pause after late answers has ended.
      try writer.execute("UPDATE plans SET statistics_next = 0", [])
    }
    while try await world.database.read({ try MonthlyRollup.isDue(now: now, in: $0) }) {
      _ = try await world.database.write { writer in
        try MonthlyRollup.round(now: now, limit: 1, zones: zones, in: writer)
      }
    }
  }

  private static func kept(_ world: AnswerWorld) async throws -> [String] {
    try await world.database.read { reader in
      try reader.query(
        "SELECT patient, plan, month, statistics FROM monthly_statistics ORDER BY 1, 2, 3"
      )
      .map { row in "\((0..<row.count).map { row[$0] })" }
    }
  }

  // MARK: Stored statistics match the doses

  @Test(arguments: 1...3 as ClosedRange<UInt64>)
  func `aggregated statistics match the doses in any order of answers`(seed: UInt64) async throws {
    let world = try await AnswerWorld()
    var generator = SeededGenerator(seed: seed)
    try await world.addPlan("p", gapHours: nil)
    try await world.addPlan("other", name: "Ramipril", gapHours: nil)
    var ids: [(id: DoseID, due: Timestamp)] = []
    for number in Int64(0)..<140 {
      let minutes = number * 1_337
      let state: DoseState.Stored =
        number % 17 == 3 ? .withheld : number % 19 == 5 ? .cancelled : .open
      let id = try await world.addDose(
        number % 3 == 0 ? "other" : "p", number, dueMinutes: minutes, state: state,
        reason: state == .open ? nil : .edit)
      ids.append((id, AnswerWorld.eight.adding(milliseconds: minutes * AnswerWorld.minute)))
    }
    var zoneName = "Europe/Berlin"
    for round in Int64(1)...5 {
      let now = AnswerWorld.eight.adding(milliseconds: round * 30 * Self.day)
      for _ in 0..<25 {
        let (id, due) = ids.randomElement(using: &generator) ?? ids[0]
        guard due <= now else { continue }
        let version = try await world.dose(id, at: now)?.version
        let actions: [AnswerAction] = [.taken, .taken, .skipped, .refused, .undo]
        let delay = Int64.random(in: -30...500, using: &generator)
        _ = try await world.answer(
          id,
          AnswerRequest(
            action: actions.randomElement(using: &generator) ?? .taken,
            at: min(due.adding(milliseconds: delay * AnswerWorld.minute), now),
            corrects: version, confirm: true), at: now)
      }
      if round == 3 {
        zoneName = "Asia/Bangkok"
        let name = zoneName
        try await world.database.write { writer in
          try writer.execute("UPDATE people SET zone = $1", [.text(name)])
          try MonthlyRollup.forget(of: AnswerWorld.patient, in: writer)
        }
      }
      let (zone, name) = (try Self.zones.zone(zoneName), zoneName)
      let today = zone.date(at: Instant(now))
      let doses = try await Self.doses(world, now: now)
      // Before and after the rollup, for whole months and for parts.
      for isFolded in [false, true] {
        if isFolded { try await Self.fold(world, now: now) }
        let window = StatisticsWindow(.month, from: today.adding(months: -14), through: today)
        let (counted, rolledUp) = try await world.database.read { reader in
          (
            try StatisticsQueries.statistics(
              plan: "p", patient: AnswerWorld.patient, window: window, zone: zone, now: now,
              in: reader),
            try StatisticsQueries.months(
              plan: "p", patient: AnswerWorld.patient, window: window, zone: zone, now: now,
              in: reader)
          )
        }
        #expect(counted == rolledUp, "\(round) \(isFolded)")
        for first in [today.adding(days: -400), today.adding(days: -41), today.adding(days: -3)] {
          for last in [
            today, today.adding(days: -2), MonthlyStatistics(of: today).first.adding(days: -1),
          ] {
            let statistics = try await world.database.read { reader in
              try ReportStatistics.between(
                first, last, patient: AnswerWorld.patient, zone: zone, zoneName: name, now: now,
                in: reader)
            }
            let expected = Self.slowly(doses, first, last, zone: zone, now: now)
            #expect(statistics.plans == expected, "\(round) \(isFolded) \(first.text) \(last.text)")
            #expect(
              statistics.total.counts == expected.values.reduce(DoseCounts()) { $0 + $1.counts })
          }
        }
      }
    }
    let kept = try await Self.kept(world)
    #expect(kept.count >= 6)
    let now = AnswerWorld.eight.adding(milliseconds: 150 * Self.day)
    let wrong = try await world.database.write { writer in
      try MonthlyRollup.remake(now: now, zones: Self.zones, in: writer)
    }
    #expect(wrong == 0)
    #expect(try await Self.kept(world) == kept)
    try await world.database.write { writer in
      try writer.execute(
        "UPDATE monthly_statistics SET statistics = $1 WHERE plan = 'p'", [.blob([1, 1, 0, 0])])
    }
    let mended = try await world.database.write { writer in
      try MonthlyRollup.remake(now: now, zones: Self.zones, in: writer)
    }
    #expect(mended > 0)
    #expect(try await Self.kept(world) == kept)
  }

  @Test func `a plan whose doses lag behind is not aggregated beyond them`() async throws {
    let world = try await AnswerWorld()
    try await world.addPlan("p", gapHours: nil)
    for number in Int64(0)..<60 { try await world.addDose("p", number, dueMinutes: number * 1_440) }
    let now = AnswerWorld.eight.adding(milliseconds: 400 * Self.day)
    let behind = AnswerWorld.eight.adding(milliseconds: 45 * Self.day)
    try await world.database.write { writer in
      try writer.execute("UPDATE plans SET planned_through = $1", [SQLValue(behind)])
      _ = try MonthlyRollup.round(now: now, limit: 9, zones: Self.zones, in: writer)
    }
    let months = try await world.database.read { reader in
      try reader.query("SELECT month FROM monthly_statistics").map { try $0.integer(0) }
    }
    #expect(months == [2026 * 12 + 2])
  }

  // MARK: Values

  @Test
  func `a day counts as covered once it has ended with all doses taken`() throws {
    let monday = try #require(CivilDate(text: "2026-03-02"))
    var statistics = PlanStatistics()
    for (offset, outcomes) in [
      [DoseOutcome.taken, .late], [.taken, .missed], [.withheld], [.taken, .withheld], [.refused],
    ].enumerated() {
      var day = PlanStatistics.Day(monday.adding(days: offset))
      for outcome in outcomes {
        day.add(outcome, in: .morning, delay: outcome == .late ? 95 * 60_000 : 0)
      }
      statistics.add(day)
    }
    var open = PlanStatistics.Day(monday.adding(days: 5))
    open.add(.taken, in: .evening, delay: 0)
    open.addOpen()
    statistics.add(open)
    #expect(statistics.plannedDays == 4 && statistics.coveredDays == 2)
    #expect(statistics.percentOfDaysCovered == 50)
    #expect(statistics.averageLateMinutes == 95 && statistics.longestLateMinutes == 95)
    #expect(statistics.counts(in: .evening)[.taken] == 1)
    #expect(statistics.counts(on: monday.weekday).planned == 2)
    var copy = PlanStatistics()
    let isRead = copy.add(statistics.bytes)
    #expect(isRead && copy == statistics)
  }

  @Test(
    arguments: [
      [], [1], [1, 1, 1], [1, 1, 1, 1, 5], [1, 1, 1, 1, 0xFF, 0xFF, 0xFF, 0x7F, 1],
      [1, 1, 1, 1, 100, 1, 100, 1], [0x80],
    ] as [[UInt8]])
  func `invalid statistics bytes add nothing`(bytes: [UInt8]) {
    var statistics = PlanStatistics()
    let isRead = statistics.add(bytes)
    #expect(!isRead && statistics == PlanStatistics())
  }

  @Test(arguments: [
    (0, DayPart.night), (4, .night), (5, .morning), (11, .morning), (12, .noon), (16, .noon),
    (17, .evening), (21, .evening), (22, .night), (23, .night),
  ])
  func `each hour belongs to one part of the day`(hour: Int, part: DayPart) {
    #expect(DayPart(hour: hour) == part)
  }
}
