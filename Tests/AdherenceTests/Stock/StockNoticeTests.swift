// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import Plans
@testable import Reminders
@testable import Supply

/// Supplies with real plans: how long they last, and their notices, each once.
@Suite("Low stock")
struct StockNoticeTests {
  private static func commands(_ world: ReminderWorld) -> StockCommands {
    StockCommands(owner: ReminderWorld.ann, context: world.place.context)
  }

  private static func tablets(_ count: Int64) -> StockQuantity {
    StockQuantity(millionths: count * 1_000_000)
  }

  /// Adds a supply for a plan, with packs of some tablets.
  private static func count(
    _ world: ReminderWorld, _ plan: Plan, tablets: Int64, expires: String? = nil,
    leadDays: Int? = nil
  ) async throws -> StockID {
    let commands = commands(world)
    return try await world.place.database.write { writer in
      try commands.create(
        StockDraft(
          name: plan.medicineName, unit: StockUnit(unit: "tablet"), leadDays: leadDays),
        pack: StockPack(
          amount: Self.tablets(tablets), expires: expires.flatMap { CivilDate(text: $0) }),
        uses: [StockUse(patient: ReminderWorld.ann, medicine: plan.id.text)], in: writer)
    }
  }

  private static func forecast(_ world: ReminderWorld, _ id: StockID) async throws -> StockForecast
  {
    let (now, zones) = (world.now, world.place.zones)
    return try await world.place.database.read { reader in
      let stock = try #require(try StockRows.one(id, owner: ReminderWorld.ann, in: reader))
      return try StockQueries.forecast(of: stock, now: now, zones: zones, in: reader)
    }
  }

  /// Runs the program's ten-second step, and returns what is sent.
  private static func look(_ world: ReminderWorld) async throws -> [ClaimedDelivery] {
    let context = world.context
    try await world.place.database.write { writer in
      for owner in try StockNotices.due(context.now, limit: 10, in: writer) {
        _ = try StockNotices.look(
          at: owner, now: context.now, zones: context.zones,
          newIdentifier: context.newIdentifier, in: writer)
      }
    }
    return try await world.send().filter { $0.kind == .stock }
  }

  /// Checks each hour of some days, and returns the days, counted from the first, and hours of notices.
  private static func told(_ world: ReminderWorld, days: Range<Int>) async throws -> [String] {
    var found: [String] = []
    let zone = try world.place.zones.zone("Europe/Berlin")
    let first = try #require(CivilDate(text: "2026-03-02"))
    for day in days {
      for hour in 0..<24 {
        let time = try #require(ClockTime(secondsOfDay: hour * 3_600 + 60))
        let at = try #require(zone.instant(of: first.adding(days: day), at: time))
        world.place.clock.advance(milliseconds: at.instant.milliseconds - world.now.milliseconds)
        for _ in try await look(world) { found.append("\(day) \(hour)") }
      }
    }
    return found
  }

  @Test func `the forecast follows the real plan`() async throws {
    let world = try await ReminderWorld(at: "2026-03-02T06:00:00+01:00")
    let plan = try await world.add("08:00")
    let id = try await Self.count(world, plan, tablets: 12)
    let forecast = try await Self.forecast(world, id)
    #expect(forecast.runsOut == Timestamp("2026-03-14T08:00:00+01:00"))
    #expect(forecast.lastsUntil == Timestamp("2026-03-13T08:00:00+01:00"))
    #expect(!forecast.isEstimate && !forecast.isUncertain)
    // A dose that was taken early is deducted, and not counted a second time.
    let dose = try #require(try await world.dose(of: plan))
    #expect(try await world.answer(dose.id, .taken))
    #expect(try await Self.forecast(world, id).runsOut == Timestamp("2026-03-14T08:00:00+01:00"))
    // A skipped dose makes it last a day longer.
    world.place.clock.set("2026-03-03T07:30:00+01:00")
    try await world.place.extendHorizon()
    let next = try await world.doses(hours: 3).first {
      $0.due == Timestamp("2026-03-03T08:00:00+01:00")
    }
    #expect(try await world.answer(next?.id, .skipped))
    #expect(try await Self.forecast(world, id).runsOut == Timestamp("2026-03-15T08:00:00+01:00"))
    let long = try await Self.count(
      world, try await world.add("09:00", name: "Other"), tablets: 500)
    #expect(try await Self.forecast(world, long).end == .beyond)
  }

  @Test func `a moved dose counts at its new time`() async throws {
    let world = try await ReminderWorld(at: "2026-03-02T06:00:00+01:00")
    let plan = try await world.add("08:00")
    let id = try await Self.count(world, plan, tablets: 1)
    func move(_ from: String, to: String) async throws {
      let dose = try #require(
        try await world.doses(hours: 30).first { $0.plan == plan.id && $0.due == Timestamp(from) })
      let context = world.place.context
      try await world.place.database.write { writer in
        try DoseMover.once(
          dose.id, patient: ReminderWorld.ann, to: Timestamp(to), context: context, in: writer)
      }
    }
    #expect(try await Self.forecast(world, id).runsOut == Timestamp("2026-03-03T08:00:00+01:00"))
    try await move("2026-03-03T08:00:00+01:00", to: "2026-03-03T11:00:00+01:00")
    #expect(try await Self.forecast(world, id).runsOut == Timestamp("2026-03-03T11:00:00+01:00"))
    try await move("2026-03-02T08:00:00+01:00", to: "2026-03-02T15:00:00+01:00")
    #expect(
      try await Self.forecast(world, id).lastsUntil == Timestamp("2026-03-02T15:00:00+01:00"))
    // The rule's time has passed, its own is in the future.
    world.place.clock.set("2026-03-02T09:00:00+01:00")
    #expect(
      try await Self.forecast(world, id).lastsUntil == Timestamp("2026-03-02T15:00:00+01:00"))
    #expect(try await Self.forecast(world, id).runsOut == Timestamp("2026-03-03T11:00:00+01:00"))
    // Answered at its moved time, it is not counted a second time.
    world.place.clock.set("2026-03-02T15:05:00+01:00")
    let dose = try #require(try await world.dose(of: plan))
    #expect(try await world.answer(dose.id, .taken))
    let after = try await Self.forecast(world, id)
    #expect(after.runsOut == Timestamp("2026-03-03T11:00:00+01:00") && after.lastsUntil == nil)
  }

  @Test func `each shortage is reported once, in the daytime, until restocked`() async throws {
    let world = try await ReminderWorld(at: "2026-03-02T06:00:00+01:00")
    let plan = try await world.add("08:00")
    let id = try await Self.count(world, plan, tablets: 40, leadDays: 14)
    // Nothing is taken: the plan moves on, and the supply stays.
    #expect(try await Self.told(world, days: 0..<3).isEmpty)
    let commands = Self.commands(world)
    try await world.place.database.write { writer in
      let stock = try #require(try StockRows.one(id, owner: ReminderWorld.ann, in: writer))
      try commands.count([stock.lots[0].id: Self.tablets(29)], of: id, in: writer)
    }
    // From the evening of the third day: within thirty days, reported the next morning at nine.
    #expect(try await Self.told(world, days: 3..<5) == ["3 9"])
    func counted(_ tablets: Int64) async throws {
      let commands = Self.commands(world)
      try await world.place.database.write { writer in
        let stock = try #require(try StockRows.one(id, owner: ReminderWorld.ann, in: writer))
        try commands.remove(
          stock.total - Self.tablets(tablets), .lost, from: stock.lots[0].id, of: id, in: writer)
      }
    }
    try await counted(14)
    #expect(try await Self.told(world, days: 5..<7) == ["5 9"])
    try await counted(7)
    #expect(try await Self.told(world, days: 7..<9) == ["7 9"])
    try await counted(1)
    #expect(try await Self.told(world, days: 9..<11).count == 1)
    let last = Self.commands(world)
    try await world.place.database.write { writer in
      let stock = try #require(try StockRows.one(id, owner: ReminderWorld.ann, in: writer))
      try last.remove(stock.total, .lost, from: stock.lots[0].id, of: id, in: writer)
    }
    // Nothing is left: reported once every day, until there is more.
    #expect(try await Self.told(world, days: 11..<14) == ["11 9", "12 9", "13 9"])
    let more = Self.commands(world)
    try await world.place.database.write { writer in
      _ = try more.add(StockPack(amount: Self.tablets(60)), to: id, in: writer)
    }
    #expect(try await Self.told(world, days: 14..<17).isEmpty)
  }

  @Test func `no notice is sent in quiet hours or for a muted stock`() async throws {
    let world = try await ReminderWorld(at: "2026-03-02T22:00:00+01:00")
    let plan = try await world.add("08:00")
    let id = try await Self.count(world, plan, tablets: 5)
    #expect(try await Self.look(world).isEmpty)
    world.place.clock.set("2026-03-03T08:59:00+01:00")
    #expect(try await Self.look(world).isEmpty)
    // A supply restocked before the morning is not reported.
    let commands = Self.commands(world)
    try await world.place.database.write { writer in
      _ = try commands.add(StockPack(amount: Self.tablets(90)), to: id, in: writer)
    }
    world.place.clock.set("2026-03-03T09:00:00+01:00")
    #expect(try await Self.look(world).isEmpty)
    let other = try await world.add("08:30", name: "Other")
    let quiet = try await Self.count(world, other, tablets: 2)
    let hush = Self.commands(world)
    try await world.place.database.write { writer in
      let stock = try #require(try StockRows.one(quiet, owner: ReminderWorld.ann, in: writer))
      var draft = StockDraft(stock)
      draft.isQuiet = true
      try hush.change(draft, of: quiet, in: writer)
    }
    #expect(try await Self.look(world).isEmpty)
  }

  @Test func `an expiring pack is announced 30, 7 and 1 days before`() async throws {
    let world = try await ReminderWorld(at: "2026-03-02T06:00:00+01:00")
    let plan = try await world.add("08:00")
    _ = try await Self.count(world, plan, tablets: 400, expires: "2026-04-11")
    // From the day after, nothing can be taken, which is reported as running out.
    let told = try await Self.told(world, days: 8..<12) + Self.told(world, days: 32..<36)
    #expect(told == ["10 9", "11 9", "33 9", "34 9"], "\(told)")
  }

  @Test func `a notice names no medicine`() async throws {
    let world = try await ReminderWorld(at: "2026-03-02T10:00:00+01:00")
    let plan = try await world.add("08:00", name: "Secretol")
    _ = try await Self.count(world, plan, tablets: 3)
    let sent = try await Self.look(world)
    #expect(sent.count == 1)
    let words = try #require(sent.first?.content.words)
    #expect(!(words.title + words.body).contains("Secretol"))
    #expect(sent.first?.content.path.hasPrefix("/ring/") == true)
    #expect(try await Self.look(world).isEmpty)
  }
}
