// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import Plans
@testable import Statistics

/// The cost of a page must not grow with every dose that a person ever took.
@Suite struct BoundedReadingTests {
  private static let plans = 30
  private static let past = 100
  private static let now = AnswerWorld.eight

  /// Creates thirty plans, each with 100 doses of earlier days and seven around today, and 1,000 intakes this
  /// morning that answered no dose.
  private func world() async throws -> AnswerWorld {
    let world = try await AnswerWorld()
    for plan in 0..<Self.plans { try await world.addPlan("p\(plan)", name: "Medicine \(plan)") }
    try await world.database.write { writer in
      for plan in 0..<Self.plans {
        let today: [(minutes: Int64, state: String)] = [
          (-300, "open"), (-120, "taken"), (-30, "open"), (60, "open"), (200, "open"),
          (1_000, "open"), (1_300, "open"),
        ]
        for (place, dose) in today.enumerated() {
          try Self.add(
            Int64(place), plan: plan, minutes: dose.minutes + Int64(plan), state: dose.state,
            in: writer)
        }
        for step in 0..<Self.past {
          try Self.add(
            Int64(100 + step), plan: plan, minutes: -2 * 1_440 - Int64(step) * 360,
            state: "taken", in: writer)
        }
      }
      for number in 0..<1_000 {
        try writer.execute(
          """
          INSERT INTO intakes (patient, administration, plan, medicine_name, ingredients, taken,
            recorded, by_name)
          VALUES ($1, $2, 'p0', 'Medicine 0', 'name:medicine 0', $3, 0, 'Ann')
          """,
          [
            .text(AnswerWorld.patient), .text("extra-\(number)"),
            SQLValue(Self.now.adding(milliseconds: -Int64(number + 1) * 1_000)),
          ])
      }
    }
    return world
  }

  private static func add(
    _ number: Int64, plan: Int, minutes: Int64, state: String, in writer: any SQLWriter
  ) throws {
    let due = now.adding(milliseconds: minutes * AnswerWorld.minute)
    try writer.execute(
      """
      INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until, state,
        version)
      VALUES ($1, $2, 1, $3, $4, $5, $6, $7, 1)
      """,
      [
        .text(AnswerWorld.patient), .text("p\(plan)"),
        .text(OccurrenceID.running(number).text), SQLValue(due),
        SQLValue(due.adding(milliseconds: AnswerWorld.hour)),
        SQLValue(due.adding(milliseconds: 4 * AnswerWorld.hour)), .text(state),
      ])
  }

  @Test func `Today reads no more rows than it lists, and counts the others`() async throws {
    let world = try await world()
    let (found, rows) = try await world.database.read { reader in
      let counter = RowCounter(reader: reader)
      let found = try DoseQueries.today(
        patient: AnswerWorld.patient, limits: TodayLimits(), now: Self.now, zones: ZoneCatalog(),
        in: counter)
      return (found, counter.rows.total)
    }
    // The first 61 doses show that there are too many to read them all.
    #expect(rows <= 61 + 80)
    #expect(found.doses.count == 70)
    #expect(
      found.unread == [.due: 0, .later: 50, .done: 20, .missed: 20, .tomorrow: 50])
    let missed = found.doses.filter { $0.state == .missed }.map(\.plan)
    #expect(missed == (20..<30).map { "p\($0)" }, "the latest of those that have passed")
    let later = found.doses.filter { $0.state == .scheduled }.prefix(10).map(\.plan)
    #expect(later == (0..<10).map { "p\($0)" }, "the next ones to come")
  }

  @Test func `a day with few doses is read in full, and one dose more leads to the limits`()
    async throws
  {
    let world = try await AnswerWorld()
    try await world.addPlan("p0", name: "Medicine 0")
    func today() async throws -> TodayDoses {
      try await world.database.read { reader in
        try DoseQueries.today(
          patient: AnswerWorld.patient, limits: TodayLimits(), now: Self.now, zones: ZoneCatalog(),
          in: reader)
      }
    }
    try await world.database.write { writer in
      for number in Int64(0)..<60 {
        let isTaken = number < 10
        try Self.add(
          number, plan: 0, minutes: number + (isTaken ? -120 : 60),
          state: isTaken ? "taken" : "open", in: writer)
      }
      try Self.add(60, plan: 0, minutes: 90, state: "cancelled", in: writer)
      try Self.add(61, plan: 0, minutes: -2 * 1_440, state: "open", in: writer)
    }
    let whole = try await today()
    #expect(whole.doses.count == 60)
    #expect(whole.unread.isEmpty)
    #expect(whole.progress == TodayProgress(taken: 10, planned: 60))
    try await world.database.write { writer in
      try Self.add(62, plan: 0, minutes: 200, state: "open", in: writer)
    }
    let limited = try await today()
    #expect(limited.doses.count == 20)
    #expect(limited.unread == [.done: 0, .later: 41])
    #expect(limited.progress == TodayProgress(taken: 10, planned: 61))
  }

  @Test func `a requested part is read in full`() async throws {
    let world = try await world()
    let found = try await world.database.read { reader in
      try DoseQueries.today(
        patient: AnswerWorld.patient, limits: TodayLimits(full: .missed), now: Self.now,
        zones: ZoneCatalog(), in: reader)
    }
    #expect(found.doses.filter { $0.state == .missed }.count == 30)
    #expect(found.unread[.missed] == 0)
    #expect(found.unread[.done] == 20)
  }

  @Test func `intakes without a dose are counted, and few of them are read`() async throws {
    let world = try await world()
    let (extras, within, rows) = try await world.database.read { reader in
      let counter = RowCounter(reader: reader)
      let extras = try IntakeQueries.extras(
        patient: AnswerWorld.patient, from: Self.now.adding(milliseconds: -AnswerWorld.hour),
        until: Self.now, most: 10, in: counter)
      let within = try IntakeQueries.latestWithinGap(
        before: Self.now, patient: AnswerWorld.patient, in: counter)
      return (extras, within, counter.rows.total)
    }
    #expect(extras.count == 1_000)
    #expect(extras.intakes.map(\.administration).first == "extra-9")
    #expect(extras.intakes.map(\.administration).last == "extra-0")
    let named = within.mapValues { $0.map(\.administration) }
    #expect(named == ["p0": ["extra-4", "extra-3", "extra-2", "extra-1", "extra-0"]])
    // The listed intakes and their count, the plans, and the intakes of one query.
    #expect(rows <= 10 + 1 + 30 + 50)
  }

  @Test func `many intakes of one medicine do not hide those of another`() async throws {
    let world = try await world()
    try await world.database.write { writer in
      // Seven of each medicine, before those of Medicine 0.
      for number in Int64(0)..<210 {
        try writer.execute(
          """
          INSERT INTO intakes (patient, administration, medicine_name, ingredients, taken, recorded,
            by_name)
          VALUES ($1, $2, 'Other', $3, $4, 0, 'Ann')
          """,
          [
            .text(AnswerWorld.patient), .text("other-\(1_000 + number)"),
            .text("name:medicine \(1 + number % 30)"),
            SQLValue(Self.now.adding(milliseconds: -2_000_000 - number / 10)),
          ])
      }
    }
    let (within, rows) = try await world.database.read { reader in
      let counter = RowCounter(reader: reader)
      let within = try IntakeQueries.latestWithinGap(
        before: Self.now, patient: AnswerWorld.patient, in: counter)
      return (within, counter.rows.total)
    }
    #expect(within.count == 30)
    #expect(within.values.allSatisfy { $0.count == 5 })
    #expect(within["p0"]?.last?.administration == "extra-0")
    // The latest five of the second medicine are listed in order of time.
    let second = within["p1"]?.map(\.administration)
    #expect(second == [120, 90, 60, 30, 0].map { "other-\(1_000 + $0)" })
    #expect(rows <= 30 + 6 * 50)
  }

  @Test func `a page of the history reads no more rows of each kind than it has lines`()
    async throws
  {
    let world = try await world()
    func lines(_ most: Int?) async throws -> (entries: [HistoryEntry], rows: Int) {
      try await world.database.read { reader in
        let counter = RowCounter(reader: reader)
        let entries = try HistoryQueries.entries(
          HistoryFilter(), patient: AnswerWorld.patient,
          from: Self.now.adding(milliseconds: -AnswerWorld.hour),
          until: Self.now.adding(milliseconds: AnswerWorld.hour), most: most, now: Self.now,
          in: counter)
        return (entries, counter.rows.total)
      }
    }
    let (all, _) = try await lines(nil)
    let (latest, rows) = try await lines(300)
    #expect(all.count > 1_000)
    #expect(latest == Array(all.suffix(300)))
    #expect(rows <= 2 * 300)
  }

  @Test func `extra doses of a report are counted by the database`() async throws {
    let world = try await world()
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let (found, rows) = try await world.database.read { reader in
      let counter = RowCounter(reader: reader)
      let found = try ReportContent.WhenNeeded.all(
        AnswerWorld.patient, from: Self.now.adding(milliseconds: -24 * AnswerWorld.hour),
        until: Self.now, zone: zone, in: counter)
      return (found, counter.rows.total)
    }
    let last = Self.now.adding(milliseconds: -1_000)
    #expect(found == [.init(name: "Medicine 0", days: 1, times: 1_000, last: last)])
    // 1,000 seconds touch two quarters of an hour.
    #expect(rows == 2)
  }

  @Test func `checking for older history lines reads one row of each kind`() async throws {
    let world = try await world()
    let (none, some, rows) = try await world.database.read { reader in
      let counter = RowCounter(reader: reader)
      func isEmpty(_ from: Timestamp) throws -> Bool {
        try HistoryQueries.isEmpty(
          HistoryFilter(plan: "p0", outcomes: [.taken, .skipped]), patient: AnswerWorld.patient,
          from: from, until: Self.now, now: Self.now, in: counter)
      }
      let none = try isEmpty(Self.now.adding(milliseconds: -1))
      let some = try isEmpty(Self.now.adding(milliseconds: -AnswerWorld.minute))
      return (none, some, counter.rows.total)
    }
    #expect(none && !some)
    #expect(rows <= 4)
  }
}
