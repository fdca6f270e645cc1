// SPDX-License-Identifier: Apache-2.0

import Foundation
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Adherence
@testable import Plans
@testable import Reminders

@Suite("Reminders across clock changes and travel")
struct ReminderNightTests {
  /// Returns the instants at which the first step is sent, minute by minute.
  private func rings(_ world: ReminderWorld, minutes: Int) async throws -> [Timestamp] {
    var found: [Timestamp] = []
    for _ in 0..<minutes {
      for delivery in try await world.send() where delivery.step == 0 { found.append(world.now) }
      world.place.clock.advance(minutes: 1)
      try await world.place.extendHorizon()
    }
    return found
  }

  @Test func `in spring a skipped time rings once, after the gap`() async throws {
    let world = try await ReminderWorld(at: "2026-03-29T00:00:00+01:00", mail: false)
    for time in ["01:30", "02:30", "03:30"] {
      try await world.add(time, name: time, start: "2026-03-29")
    }
    #expect(
      try await rings(world, minutes: 240)
        == [
          "2026-03-29T01:30:00+01:00", "2026-03-29T03:00:00+02:00", "2026-03-29T03:30:00+02:00",
        ].map { Timestamp($0) })
  }

  @Test func `in autumn a repeated time rings once, the first time`() async throws {
    let world = try await ReminderWorld(at: "2026-10-25T00:00:00+02:00", mail: false)
    for time in ["01:30", "02:30", "03:30"] {
      try await world.add(time, name: time, start: "2026-10-25")
    }
    #expect(
      try await rings(world, minutes: 330)
        == [
          "2026-10-25T01:30:00+02:00", "2026-10-25T02:30:00+02:00", "2026-10-25T03:30:00+01:00",
        ].map { Timestamp($0) })
  }

  @Test func `from Auckland to Honolulu each dose of the repeated date rings once`() async throws {
    let world = try await ReminderWorld(
      at: "2026-03-01T06:00:00+13:00", zone: "Pacific/Auckland", mail: false)
    try await world.place.add(.tablet(["08:00", "20:00"], start: "2026-02-01"))
    var first = try await rings(world, minutes: 240)
    // 2026-02-28 11:00 in Honolulu; the morning dose already rang and does not ring again.
    try await world.place.move(to: "Pacific/Honolulu")
    first += try await rings(world, minutes: 22 * 60)
    #expect(
      first
        == [
          "2026-03-01T08:00:00+13:00", "2026-02-28T20:00:00-10:00", "2026-03-01T08:00:00-10:00",
        ].map { Timestamp($0) })
  }

  @Test func `zones in use are named when their files are missing, and keep their rules`()
    async throws
  {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("regimen-gone-\(ProcessInfo.processInfo.processIdentifier)")
    let file = folder.appendingPathComponent("Europe/Berlin")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("Europe"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/Europe/Berlin", toPath: file.path)
    let zones = ZoneCatalog(directory: folder.path)
    let world = try await ReminderWorld()
    _ = try await world.add("20:00")
    func found(_ look: @escaping @Sendable (any SQLReader) throws -> [String]) async throws
      -> [String]
    {
      try await world.place.database.read { try look($0) }
    }
    #expect(try await found { try ZonesInUse.load(zones, in: $0) } == [])
    #expect(try await found { try ZonesInUse.missing(zones, in: $0) } == [])
    try FileManager.default.removeItem(at: file)
    #expect(try await found { try ZonesInUse.missing(zones, in: $0) } == ["Europe/Berlin"])
    #expect(try await found { try ZonesInUse.load(zones, in: $0) } == [], "loaded before")
    let changes = try await world.place.database.write { try ZoneDataChange.found(zones, in: $0) }
    #expect(changes.isEmpty)
    let fresh = ZoneCatalog(directory: folder.path)
    #expect(try await found { try ZonesInUse.load(fresh, in: $0) } == ["Europe/Berlin"])
  }

  @Test func `new rules of a zone move future doses`() async throws {
    let folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("regimen-zones-\(ProcessInfo.processInfo.processIdentifier)")
    try FileManager.default.createDirectory(
      at: folder.appendingPathComponent("Europe"), withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    func install(_ zone: String) throws {
      let file = folder.appendingPathComponent("Europe/Berlin")
      try? FileManager.default.removeItem(at: file)
      try FileManager.default.copyItem(atPath: "/usr/share/zoneinfo/\(zone)", toPath: file.path)
    }
    try install("Europe/Berlin")
    let zones = ZoneCatalog(directory: folder.path)
    let world = try await ReminderWorld()
    let plan = try await world.add("20:00")
    let commands = AlarmCommands(
      patient: ReminderWorld.ann, account: ReminderWorld.account, now: world.now, zones: zones)
    let alarm = AlarmDraft(
      kind: .water, label: "",
      times: AlarmTimes(
        time: try #require(ClockTime(text: "21:30")), days: Set(Weekday.allCases),
        starts: try #require(CivilDate(text: "2026-03-01"))))
    try await world.place.database.write { writer in
      _ = try commands.create(alarm, id: "water", in: writer)
    }
    func changes() async throws -> [ZoneDataChange] {
      try await world.place.database.write { try ZoneDataChange.found(zones, in: $0) }
    }
    _ = try zones.zone("Europe/Berlin")
    #expect(try await changes().isEmpty)
    #expect(try await changes().isEmpty)
    // As if the country had switched to the time of Helsinki.
    try install("Europe/Helsinki")
    let found = try await changes()
    #expect(found.map(\.zone) == ["Europe/Berlin"])
    let now = world.now
    var place: ZoneDataChange.Place?
    repeat {
      let from = place
      place = try await world.place.database.write { writer in
        try found.first?.follow(
          after: from, limit: 1, now: now, zones: zones, consequences: .all, in: writer)
      }
    } while place != nil
    let alarms = try await world.place.database.read { reader in
      try AlarmQueries.all(patient: ReminderWorld.ann, in: reader)
    }
    #expect(alarms.map(\.next) == [Timestamp("2026-03-02T21:30:00+02:00")])
    let due = try await world.place.database.read { reader in
      try reader.query(
        "SELECT due FROM doses WHERE plan = $1 AND state = 'open' ORDER BY due LIMIT 1",
        [.text(plan.id)]
      ).map { try $0.timestamp(0) }
    }
    #expect(due == [Timestamp("2026-03-02T20:00:00+02:00")])
    #expect(try await changes().isEmpty)
  }
}
