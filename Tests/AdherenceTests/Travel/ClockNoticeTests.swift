// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Calendar
@testable import Dosing
@testable import Plans
@testable import Reminders

/// The evening before a clock change: a single notice for people with a dose that it moves.
@Suite("A clock change, announced the evening before")
struct ClockNoticeTests {
  /// Runs the program's minute step, and returns what is sent.
  private static func look(_ world: ReminderWorld) async throws -> [ClaimedDelivery] {
    let context = world.context
    try await world.place.database.write { writer in
      for due in try ClockNotices.due(
        context.now, limit: 10, zones: context.zones, in: writer)
      {
        _ = try ClockNotices.look(
          at: due, now: context.now, zones: context.zones,
          newIdentifier: context.newIdentifier, in: writer)
      }
    }
    return try await world.send().filter { $0.kind == .clock }
  }

  /// Checks every half hour from one moment to another, and returns the local times of notices.
  private static func told(
    _ world: ReminderWorld, from: String, until: String, in zone: String = "Europe/Berlin"
  ) async throws -> [String] {
    let place = try world.place.zones.zone(zone)
    var found: [String] = []
    world.place.clock.set(from)
    while world.now < Timestamp(until) {
      for _ in try await look(world) {
        let local = place.local(at: Instant(world.now))
        found.append("\(local.date.text) \(local.time.text.prefix(5))")
      }
      world.place.clock.advance(minutes: 30)
    }
    return found
  }

  @Test func `a dose in the missing hour is announced once, the evening before`() async throws {
    let world = try await ReminderWorld(at: "2026-03-26T06:00:00+01:00")
    try await world.add("02:30")
    #expect(
      try await Self.told(
        world, from: "2026-03-26T12:00:00+01:00", until: "2026-03-30T12:00:00+02:00")
        == ["2026-03-28 18:00"])
  }

  @Test func `autumn and interval doses that change clock time are announced too`() async throws {
    let world = try await ReminderWorld(at: "2026-10-23T06:00:00+02:00")
    _ = try await world.place.add(
      PlanDraft.tablet([], name: "Hours", start: "2026-10-23").with(
        .everyHours(8, first: .midnight)))
    #expect(
      try await Self.told(
        world, from: "2026-10-23T12:00:00+02:00", until: "2026-10-26T12:00:00+01:00")
        == ["2026-10-24 18:00"])
  }

  @Test func `a change that moves nothing is not announced, and no notice repeats`() async throws {
    let world = try await ReminderWorld(at: "2026-03-26T06:00:00+01:00")
    try await world.add("08:00")
    #expect(
      try await Self.told(
        world, from: "2026-03-28T17:00:00+01:00", until: "2026-03-29T12:00:00+02:00"
      ).isEmpty)
    let rows = try await world.place.database.read { reader in
      try reader.query("SELECT reminder FROM clock_notices")
    }
    #expect(rows.count == 1 && rows[0][0] == .null)
  }

  @Test func `two nodes that look at the same time send one notice`() async throws {
    let world = try await ReminderWorld(at: "2026-03-26T06:00:00+01:00")
    try await world.add("02:30")
    world.place.clock.set("2026-03-28T18:00:00+01:00")
    let (database, context) = (world.place.database, world.context)
    let due = try await database.read { reader in
      try ClockNotices.due(context.now, limit: 10, zones: context.zones, in: reader)
    }
    #expect(due.map(\.patient) == [ReminderWorld.ann])
    var told: [Bool] = []
    for _ in 0..<2 {
      let isTold = try await database.write { writer in
        try ClockNotices.look(
          at: due[0], now: context.now, zones: context.zones,
          newIdentifier: context.newIdentifier, in: writer)
      }
      told.append(isTold)
    }
    #expect(told == [true, false])
    #expect(try await world.send().filter { $0.kind == .clock }.count == 1)
    #expect(try await Self.look(world).isEmpty)
  }

  @Test func `no notice is sent in quiet hours, or if they leave no time`() async throws {
    for (quiet, expected) in [
      (QuietHours(from: 17 * 60, until: 19 * 60 + 30), ["2026-03-28 19:30"]),
      (QuietHours(from: 17 * 60, until: 7 * 60), []),
    ] {
      let world = try await ReminderWorld(at: "2026-03-26T06:00:00+01:00")
      try await world.add("02:30")
      let now = world.now
      try await world.place.database.write { writer in
        try EscalationCommands.keep(
          quiet: quiet, namesMedicine: false, of: ReminderWorld.ann, by: ReminderWorld.account,
          at: now, in: writer)
      }
      #expect(
        try await Self.told(
          world, from: "2026-03-28T17:00:00+01:00", until: "2026-03-29T12:00:00+02:00")
          == expected)
    }
  }

  @Test func `the setting turns notices off, including open ones`() async throws {
    let world = try await ReminderWorld(at: "2026-03-26T06:00:00+01:00")
    try await world.add("02:30")
    let now = world.now
    func choose(_ tells: Bool) async throws {
      try await world.place.database.write { writer in
        try ClockNotices.choose(
          tells, of: ReminderWorld.ann, by: ReminderWorld.account, at: now, in: writer)
      }
    }
    try await choose(false)
    let tells = try await world.place.database.read {
      try EscalationReading.tellsClock(ReminderWorld.ann, in: $0)
    }
    #expect(!tells)
    #expect(
      try await Self.told(
        world, from: "2026-03-28T17:00:00+01:00", until: "2026-03-28T19:00:00+01:00"
      ).isEmpty)
    // Turned on again during the evening, it is sent.
    try await choose(true)
    #expect(try await Self.look(world).count == 1)
  }

  @Test(arguments: [
    ("Australia/Lord_Howe", "2026-04-03T06:00:00Z", "2026-04-04 18:00"),
    ("America/New_York", "2026-03-06T06:00:00Z", "2026-03-07 18:00"),
  ])
  func `the evening is that of the person's own zone`(
    zone: String, start: String, evening: String
  ) async throws {
    let world = try await ReminderWorld(at: start, zone: zone)
    _ = try await world.place.add(
      PlanDraft.tablet([], name: "Hours", start: "2026-03-06").with(
        .everyHours(8, first: .midnight)))
    let until = Timestamp(start).adding(milliseconds: 72 * 3_600_000)
    let place = try world.place.zones.zone(zone)
    var found: [String] = []
    while world.now < until {
      for _ in try await Self.look(world) {
        let local = place.local(at: Instant(world.now))
        found.append("\(local.date.text) \(local.time.text.prefix(5))")
      }
      world.place.clock.advance(minutes: 30)
    }
    #expect(found == [evening])
  }

  @Test func `a medicine added after six is announced the same evening, once`() async throws {
    let world = try await ReminderWorld(at: "2026-03-26T06:00:00+01:00")
    try await world.add("08:00")
    world.place.clock.set("2026-03-28T18:00:00+01:00")
    #expect(try await Self.look(world).isEmpty)
    // No one is checked every minute for nothing.
    world.place.clock.advance(minutes: 5)
    let (context, database) = (world.context, world.place.database)
    let due = try await database.read { reader in
      try ClockNotices.due(context.now, limit: 10, zones: context.zones, in: reader)
    }
    #expect(due.isEmpty)
    try await world.add("02:30")
    #expect(
      try await Self.told(
        world, from: "2026-03-28T18:30:00+01:00", until: "2026-03-29T12:00:00+02:00")
        == ["2026-03-28 18:30"])
  }

  @Test func `a patient who can't be checked is skipped for a while`() async throws {
    let world = try await ReminderWorld(at: "2026-03-26T06:00:00+01:00")
    try await world.add("02:30")
    let database = world.place.database
    try await database.write { writer in
      _ = try writer.execute("UPDATE plan_eras SET zone = 'Moon/Base'", [])
    }
    world.place.clock.set("2026-03-28T18:00:00+01:00")
    let context = world.context
    func due(_ minutes: Int64) async throws -> [ClockNotices.Due] {
      let now = context.now.adding(milliseconds: minutes * 60_000)
      return try await database.read { reader in
        try ClockNotices.due(now, limit: 10, zones: context.zones, in: reader)
      }
    }
    let found = try #require(try await due(0).first)
    await #expect(throws: PlanError.self) {
      try await database.write { writer in
        _ = try ClockNotices.look(
          at: found, now: context.now, zones: context.zones,
          newIdentifier: context.newIdentifier, in: writer)
      }
    }
    try await database.write { try ClockNotices.putOff(found, now: context.now, in: $0) }
    #expect(try await due(0).isEmpty)
    #expect(try await due(10).isEmpty)
    #expect(try await due(15).count == 1)
  }

  // MARK: On a journey

  /// Returns the doses that clock changes move until an instant.
  private static func moves(_ world: ReminderWorld, until: String) async throws -> [ClockMove] {
    let (now, zones, end) = (world.now, world.place.zones, Timestamp(until))
    return try await world.place.database.read { reader in
      try DoseQueries.movedByClock(
        patient: ReminderWorld.ann, from: now, until: end, zones: zones, in: reader)
    }
  }

  private static func times(_ texts: [String]) -> [ClockTime?] {
    texts.map { ClockTime(text: $0) }
  }

  @Test func `people who keep intervals hear of local clock changes`() async throws {
    let world = try await ReminderWorld(at: "2026-03-01T12:00:00+01:00")
    let plan = try await world.place.add(.tablet(["09:00", "20:00"])).id
    let context = world.place.context
    try await world.place.database.write { writer in
      try PlanCommands.travel(
        [plan: .elapsed], patient: ReminderWorld.ann, context: context, in: writer)
    }
    try await world.place.move(to: "America/New_York")
    #expect(
      try await Self.told(
        world, from: "2026-03-07T12:00:00-05:00", until: "2026-03-08T12:00:00-04:00",
        in: "America/New_York") == ["2026-03-07 18:00"])
    world.place.clock.set("2026-03-07T18:00:00-05:00")
    let moves = try await Self.moves(world, until: "2026-03-09T00:00:00-04:00")
    #expect(
      moves.map(\.due)
        == ["2026-03-08T04:00:00-04:00", "2026-03-08T15:00:00-04:00"].map { Timestamp($0) })
    #expect(moves.map(\.usual) == Self.times(["03:00", "14:00"]))
    #expect(moves.allSatisfy { $0.reasons == [.clockWasSet(bySeconds: 3_600)] })
    // Berlin's clock changes no longer affect it.
    #expect(
      try await Self.told(
        world, from: "2026-03-28T12:00:00-04:00", until: "2026-03-29T12:00:00-04:00",
        in: "America/New_York"
      ).isEmpty)
  }

  @Test func `people on home time hear of clock changes at home`() async throws {
    let world = try await ReminderWorld(at: "2026-03-20T12:00:00+01:00")
    _ = try await world.place.add(.tablet(["07:00", "08:00"], policy: .home))
    try await world.place.move(to: "Asia/Bangkok")
    #expect(
      try await Self.told(
        world, from: "2026-03-28T12:00:00+07:00", until: "2026-03-29T22:00:00+07:00",
        in: "Asia/Bangkok") == ["2026-03-28 18:00"])
    world.place.clock.set("2026-03-28T18:00:00+07:00")
    let moves = try await Self.moves(world, until: "2026-03-30T00:00:00+07:00")
    #expect(
      moves.map(\.due)
        == ["2026-03-29T12:00:00+07:00", "2026-03-29T13:00:00+07:00"].map { Timestamp($0) })
    #expect(moves.map(\.usual) == Self.times(["13:00", "14:00"]))
    // The day between two doses is shorter; equal steps are not mentioned.
    #expect(moves.allSatisfy { $0.reasons.isEmpty })
  }

  @Test func `clocks of two places that change together move nothing`() async throws {
    let world = try await ReminderWorld(at: "2026-03-20T12:00:00+01:00")
    _ = try await world.place.add(.tablet(["08:00"], policy: .home))
    for zone in ["Europe/Oslo", "Europe/London"] {
      try await world.place.move(to: zone)
      world.place.clock.set("2026-03-28T18:00:00Z")
      #expect(try await Self.moves(world, until: "2026-03-30T00:00:00Z").isEmpty)
    }
  }

  @Test func `intervals follow the clock of the person's current home`() async throws {
    let world = try await ReminderWorld(at: "2026-03-01T12:00:00+01:00")
    _ = try await world.place.add(
      PlanDraft.tablet([], name: "Hours", start: "2026-03-01").with(
        .everyHours(8, first: .midnight)))
    try await world.place.move(to: "America/New_York")
    #expect(
      try await Self.told(
        world, from: "2026-03-07T12:00:00-05:00", until: "2026-03-08T12:00:00-04:00",
        in: "America/New_York") == ["2026-03-07 18:00"])
    #expect(
      try await Self.told(
        world, from: "2026-03-28T12:00:00-04:00", until: "2026-03-29T12:00:00-04:00",
        in: "America/New_York"
      ).isEmpty)
  }
}
