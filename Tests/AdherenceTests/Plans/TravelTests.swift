// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Adherence
@testable import Dosing
@testable import Plans

/// Times of day that keep the hours between doses on a journey.
@Suite struct TravelTests {
  private static let hour: Int64 = 3_600_000

  private func travel(
    _ place: TestPlace, _ policies: [PlanID: ZonePolicy], to zone: String? = nil
  ) async throws {
    let context = place.context
    try await place.database.write { writer in
      try PlanCommands.travel(
        policies, patient: TestPlace.patient, isStaying: zone == nil, context: context, in: writer)
    }
    if let zone { try await place.move(to: zone) }
  }

  private func plan(_ place: TestPlace, _ id: PlanID) async throws -> Plan {
    let found = try await place.database.read { reader in
      try PlanQueries.plan(id, patient: TestPlace.patient, in: reader)
    }
    return try #require(found)
  }

  private func ahead(_ place: TestPlace, hours: Int64) async throws -> [String] {
    try await place.listing(
      from: place.now.adding(milliseconds: 1),
      until: place.now.adding(milliseconds: hours * Self.hour)
    ).lines
  }

  @Test func `away from home, clock changes at home don't matter`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    let id = try await place.add(.tablet(["08:00", "20:00"])).id
    try await travel(place, [id: .elapsed], to: "Asia/Bangkok")
    let away = try await plan(place, id)
    #expect(away.zone == "UTC+01:00" && away.policy == .elapsed && away.era == 2)
    let places = try await place.database.read { try PlanQueries.places(of: [away], in: $0) }
    #expect(places == [id: "Europe/Berlin"])
    #expect(
      try await ahead(place, hours: 24) == [
        "2026-03-02T02:00:00+07:00 scheduled", "2026-03-02T14:00:00+07:00 scheduled",
      ])
    // The clocks of Berlin went forward on 29 March.
    place.clock.set("2026-04-04T18:00:00+07:00")
    try await place.extendHorizon()
    #expect(
      try await ahead(place, hours: 24) == [
        "2026-04-05T02:00:00+07:00 scheduled", "2026-04-05T14:00:00+07:00 scheduled",
      ])
    // Another place on the way changes nothing; returning home does.
    try await place.move(to: "Asia/Tokyo")
    #expect(try await plan(place, id).zone == "UTC+01:00")
    try await place.move(to: "Europe/Berlin")
    let back = try await plan(place, id)
    #expect(back.zone == "Europe/Berlin" && back.policy == .follow)
    #expect(
      try await ahead(place, hours: 24) == [
        "2026-04-04T20:00:00+02:00 scheduled", "2026-04-05T08:00:00+02:00 scheduled",
      ])
  }

  @Test(arguments: [
    ("Europe/Berlin", "America/New_York"), ("Pacific/Auckland", "Pacific/Honolulu"),
    ("Australia/Lord_Howe", "Europe/London"), ("Asia/Kathmandu", "Australia/Lord_Howe"),
    ("Pacific/Apia", "Asia/Kathmandu"), ("America/New_York", "Pacific/Auckland"),
  ])
  func `no clock change moves an interval dose`(home: String, there: String) async throws {
    let place = try await TestPlace(at: "2026-02-20T05:00:00Z", zone: home)
    let id = try await place.add(.tablet(["08:00", "20:00"], start: "2026-02-01")).id
    let before = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 40 * Self.hour)
    ).doses.map(\.due)
    try await travel(place, [id: .elapsed], to: there)
    let after = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 80 * 24 * Self.hour)
    ).doses.filter { $0.state == .scheduled }
    #expect(after.map(\.due).starts(with: before))
    #expect(after.count == 160)
    for (one, other) in zip(after, after.dropFirst()) {
      #expect(other.due.milliseconds - one.due.milliseconds == 12 * Self.hour)
    }
    // An edit and a rebuild keep it, and no dose comes twice.
    let zones = place.zones
    let now = place.now
    let rebuilt = try await place.database.write {
      try ProjectionRebuild.perform(now: now, zones: zones, in: $0)
    }
    #expect(rebuilt.isUnchanged)
    try await place.edit(
      id,
      .tablet(
        ["08:00", "20:00"], slots: [1, 2], dose: "2", start: "2026-02-01", policy: .elapsed))
    let edited = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 40 * Self.hour))
    #expect(edited.doses.filter { $0.state == .scheduled }.map(\.due) == before)
  }

  @Test func `returning to local time holds back a dose too soon`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    let id = try await place.add(.tablet(["08:00", "20:00"])).id
    try await travel(place, [id: .elapsed], to: "Asia/Bangkok")
    // 02:00 in Bangkok is evening at home.
    place.clock.set("2026-03-02T02:05:00+07:00")
    let due = try #require(
      try await place.listing(
        from: place.now.adding(milliseconds: -Self.hour), until: place.now
      ).doses.first)
    let context = place.context
    try await place.database.write { writer in
      _ = try AnswerCommands.answer(
        due.id, patient: TestPlace.patient, AnswerRequest(action: .taken), context: context,
        in: writer)
    }
    place.clock.set("2026-03-02T03:00:00+07:00")
    try await travel(place, [id: .follow])
    #expect(try await plan(place, id).zone == "Asia/Bangkok")
    let lines = try await ahead(place, hours: 24)
    #expect(
      lines == ["2026-03-02T08:00:00+07:00 withheld", "2026-03-02T20:00:00+07:00 scheduled"])
  }

  @Test func `plans switch between elapsed and home time while away`() async throws {
    let place = try await TestPlace(at: "2026-03-20T12:00:00+01:00")
    let id = try await place.add(.tablet(["08:00", "20:00"], policy: .home)).id
    try await place.move(to: "Asia/Bangkok")
    #expect(try await plan(place, id).zone == "Europe/Berlin")
    try await travel(place, [id: .elapsed])
    #expect(try await plan(place, id).zone == "UTC+01:00")
    try await travel(place, [id: .home])
    #expect(try await plan(place, id).zone == "Europe/Berlin")
    #expect(
      try await place.listing(
        from: "2026-03-30T00:00:00+07:00", until: "2026-03-31T00:00:00+07:00"
      ).lines == [
        "2026-03-30T01:00:00+07:00 scheduled", "2026-03-30T13:00:00+07:00 scheduled",
      ])
  }

  @Test func `at home nothing changes, and intervals are left alone`() async throws {
    let place = try await TestPlace(at: "2026-03-28T06:00:00+01:00")
    let id = try await place.add(.tablet(["08:00"], start: "2026-03-28", policy: .elapsed)).id
    let hours = try await place.add(
      PlanDraft.tablet([], name: "Hours").with(
        .everyHours(8, first: try #require(ClockTime(text: "03:00")))))
    try await travel(place, [id: .elapsed, hours.id: .follow])
    #expect(try await plan(place, id).era == 1)
    #expect(try await plan(place, hours.id).policy == .follow)
    #expect(try await plan(place, hours.id).era == 1)
    #expect(
      try await ahead(place, hours: 50).filter { $0.contains("T08:00") }.count == 3)
    await #expect(throws: PlanError.self) { try await travel(place, ["nobody": .elapsed]) }
  }

  @Test func `a fixed distance from UTC is written and read`() throws {
    for minutes in stride(from: -18 * 60, through: 18 * 60, by: 15) {
      let fixed = FixedOffset(seconds: minutes * 60)
      #expect(FixedOffset(identifier: fixed.identifier) == fixed)
      #expect(
        fixed.zone.offsetSeconds(at: Instant(milliseconds: 1_800_000_000_000)) == minutes * 60)
    }
    #expect(FixedOffset(seconds: 20_700).identifier == "UTC+05:45")
    #expect(FixedOffset(seconds: -12_600).identifier == "UTC-03:30")
    #expect(FixedOffset(identifier: FixedOffset(seconds: 1_172).identifier)?.seconds == 1_172)
    for text in [
      "UTC", "Europe/Oslo", "UTC+5:45", "UTC+25:00", "UTC 05:45", "UTC+0545", "GMT+05:45",
    ] {
      #expect(!FixedOffset.isFixed(text), "\(text)")
      #expect(throws: ZoneError.self) { try ZoneCatalog().zone("UTC+05:45") }
    }
  }
}
