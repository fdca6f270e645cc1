// SPDX-License-Identifier: Apache-2.0
import Calendar
import Dosing
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

/// The reasons for the time of a dose, and a preview of the doses that a change moves.
struct DoseReasoningTests {
  private static let hour: Int64 = 3_600_000

  private func toCome(_ place: TestPlace, days: Int64) async throws -> [Dose] {
    try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: days * 24 * Self.hour)
    ).doses
  }

  private func reasons(_ dose: Dose, _ place: TestPlace) async throws -> [DoseReason] {
    let zones = place.zones
    return try await place.database.read { reader in
      try DoseQueries.reasons(for: dose, zones: zones, in: reader)
    }
  }

  @Test func `a dose in the gap names its scheduled time`() async throws {
    let place = try await TestPlace(at: "2026-03-28T06:00:00+01:00", zone: "Europe/Oslo")
    try await place.add(.tablet(["02:30", "08:00"]))
    let written = try #require(ClockTime(text: "02:30"))
    let doses = try await toCome(place, days: 2)
    let moved = try #require(doses.first { $0.due == Timestamp("2026-03-29T03:00:00+02:00") })
    #expect(
      try await reasons(moved, place) == [.written(written), .gap(written: written)])
    let plain = try #require(doses.first { $0.due == Timestamp("2026-03-28T08:00:00+01:00") })
    #expect(try await reasons(plain, place).map(\.rule) == [6])
  }

  @Test func `a dose of an earlier zone is not explained by the current rules`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00", zone: "Europe/Berlin")
    try await place.add(.tablet(["08:00"]))
    let dose = try #require(try await toCome(place, days: 1).first)
    place.clock.set("2026-03-01T09:00:00+01:00")
    try await place.move(to: "America/New_York")
    #expect(try await reasons(dose, place).isEmpty)
  }

  @Test func `a clock change is listed with the doses that it moves`() async throws {
    let place = try await TestPlace(at: "2026-03-26T06:00:00+01:00", zone: "Europe/Oslo")
    try await place.add(.tablet(["02:30", "08:00"]))
    let (zones, now) = (place.zones, place.now)
    func moves(days: Int64) async throws -> [ClockMove] {
      try await place.database.read { reader in
        try DoseQueries.movedByClock(
          patient: TestPlace.patient, from: now,
          until: now.adding(milliseconds: days * 24 * Self.hour), zones: zones, in: reader)
      }
    }
    #expect(try await moves(days: 2).isEmpty)
    let found = try await moves(days: 7)
    #expect(found.map(\.due) == [Timestamp("2026-03-29T03:00:00+02:00")])
    #expect(found.first?.reasons.map(\.rule) == [8])
  }

  @Test func `moved, added and removed doses differ, and a new zone keeps their ids`()
    async throws
  {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00", zone: "Europe/Berlin")
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    let before = try await toCome(place, days: 4)
    let until = place.now.adding(milliseconds: 24 * Self.hour)
    #expect(DoseRescheduling.between(before, before, until: until).isEmpty)
    try await place.move(to: "Europe/London")
    let moves = DoseRescheduling.between(before, try await toCome(place, days: 4), until: until)
    #expect(moves.allSatisfy { $0.plan == plan.id })
    let first = try #require(moves.first)
    #expect(first.from == Timestamp("2026-03-01T08:00:00+01:00"))
    #expect(first.to == Timestamp("2026-03-01T08:00:00+00:00") && !first.isWithheld)
    let gone = DoseRescheduling.between(before, [], until: until)
    #expect(gone.count == 2 && gone.allSatisfy { $0.to == nil })
    #expect(DoseRescheduling.between([], before, until: until).allSatisfy { $0.from == nil })
  }
}
