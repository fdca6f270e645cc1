// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage
import TestSupport
import Testing
import TimeZones

@testable import Adherence

/// The evening before the clocks are set: told once to whoever has a dose that this moves.
@Suite("A change of the clock, told the evening before")
struct ClockNoticeTests {
  /// What the program does every minute, and what is sent then.
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

  /// Every half hour from one moment to another: when something was told, by the clock of the zone.
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

  @Test func `once, on the evening before, where a dose falls into the missing hour`() async throws
  {
    let world = try await ReminderWorld(at: "2026-03-26T06:00:00+01:00")
    try await world.add("02:30")
    #expect(
      try await Self.told(
        world, from: "2026-03-26T12:00:00+01:00", until: "2026-03-30T12:00:00+02:00")
        == ["2026-03-28 18:00"])
  }

  @Test func `in autumn too, and for hours whose time on the clock changes`() async throws {
    let world = try await ReminderWorld(at: "2026-10-23T06:00:00+02:00")
    _ = try await world.place.add(
      PlanDraft.tablet([], name: "Hours", start: "2026-10-23").with(
        .everyHours(8, first: .midnight)))
    #expect(
      try await Self.told(
        world, from: "2026-10-23T12:00:00+02:00", until: "2026-10-26T12:00:00+01:00")
        == ["2026-10-24 18:00"])
  }

  @Test func `nobody is told of what moves nothing, and once is once`() async throws {
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

  @Test func `two nodes that looked at the same moment tell it once`() async throws {
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

  @Test func `never in the quiet hours, and not at all where they leave nothing`() async throws {
    for (quiet, expected) in [
      (QuietHours(from: 17 * 60, until: 19 * 60 + 30), ["2026-03-28 19:30"]),
      (QuietHours(from: 17 * 60, until: 7 * 60), []),
    ] {
      let world = try await ReminderWorld(at: "2026-03-26T06:00:00+01:00")
      try await world.add("02:30")
      let now = world.now
      try await world.place.database.write { writer in
        try LadderCommands.keep(
          quiet: quiet, namesMedicine: false, of: ReminderWorld.ann, by: ReminderWorld.account,
          at: now, in: writer)
      }
      #expect(
        try await Self.told(
          world, from: "2026-03-28T17:00:00+01:00", until: "2026-03-29T12:00:00+02:00")
          == expected)
    }
  }

  @Test func `a setting ends it, also what was opened already`() async throws {
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
      try ClockNotices.tells(ReminderWorld.ann, in: $0)
    }
    #expect(!tells)
    #expect(
      try await Self.told(
        world, from: "2026-03-28T17:00:00+01:00", until: "2026-03-28T19:00:00+01:00"
      ).isEmpty)
    // Wanted again while the evening lasts, it is told.
    try await choose(true)
    #expect(try await Self.look(world).count == 1)
  }

  @Test(arguments: [
    ("Australia/Lord_Howe", "2026-04-03T06:00:00Z", "2026-04-04 18:00"),
    ("America/New_York", "2026-03-06T06:00:00Z", "2026-03-07 18:00"),
  ])
  func `it is the evening of the person's own zone`(
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
}
