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

@Suite struct DoseMoverTests {
  private static let from = "2026-03-01T00:00:00+01:00"
  private static let until = "2026-03-03T00:00:00+01:00"

  private func lines(_ place: TestPlace) async throws -> [String] {
    try await place.listing(from: Self.from, until: Self.until).lines
  }

  private func doses(_ place: TestPlace) async throws -> [Dose] {
    try await place.listing(from: Self.from, until: Self.until).doses
  }

  private func once(_ place: TestPlace, _ dose: DoseID, to time: String) async throws {
    let context = place.context
    try await place.database.write { writer in
      try DoseMover.once(
        dose, patient: TestPlace.patient, to: Timestamp(time), context: context, in: writer)
    }
  }

  private func following(_ place: TestPlace, _ dose: DoseID, to time: String) async throws {
    let context = place.context
    try await place.database.write { writer in
      try DoseMover.following(
        dose, patient: TestPlace.patient, to: Timestamp(time), context: context, in: writer)
    }
  }

  private func room(_ place: TestPlace, _ dose: DoseID) async throws -> DoseMover.Room? {
    let (now, zones) = (place.now, place.zones)
    return try await place.database.read { reader in
      try DoseMover.room(
        of: dose, patient: TestPlace.patient, now: now, zones: zones, in: reader)
    }
  }

  @Test func `a moved dose stays moved through edits, rebuilds and time`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"], slots: [1, 2]))
    let morning = try await doses(place)[0]
    try await once(place, morning.id, to: "2026-03-01T10:30:00+01:00")
    let moved = [
      "2026-03-01T10:30:00+01:00 scheduled", "2026-03-01T20:00:00+01:00 scheduled",
      "2026-03-02T08:00:00+01:00 scheduled", "2026-03-02T20:00:00+01:00 scheduled",
    ]
    #expect(try await lines(place) == moved)
    #expect(try await doses(place)[0].id == morning.id)
    // An edit of the other time leaves the move alone.
    try await place.edit(plan.id, .tablet(["08:00", "21:00"], slots: [1, 2]))
    #expect(
      try await lines(place).filter { $0.contains("T10:30") || $0.contains("T21:00") }.count == 3)
    let (now, zones) = (place.now, place.zones)
    let rebuilt = try await place.database.write {
      try ProjectionRebuild.perform(now: now, zones: zones, in: $0)
    }
    #expect(rebuilt.isUnchanged)
    place.clock.set("2026-03-01T09:00:00+01:00")
    try await place.extendHorizon()
    #expect(try await lines(place)[0] == moved[0])
    place.clock.set("2026-03-01T10:31:00+01:00")
    #expect(try await lines(place)[0] == "2026-03-01T10:30:00+01:00 due")
    // Once it is due it is a fact, and the next day's dose is at its old time.
    #expect(try await room(place, morning.id) == nil)
    #expect(try await lines(place)[2] == "2026-03-02T08:00:00+01:00 scheduled")
  }

  @Test func `a dose moved to an earlier time is due once`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"], slots: [1, 2]))
    let evening = try #require(try await doses(place).first { $0.due > place.now })
    try await once(place, evening.id, to: "2026-03-01T17:00:00+01:00")
    place.clock.set("2026-03-01T18:00:00+01:00")
    try await place.edit(plan.id, .tablet(["08:30", "20:00"], slots: [1, 2]))
    #expect(
      try await lines(place).filter { $0.hasPrefix("2026-03-01") }
        == ["2026-03-01T17:00:00+01:00 due"])
  }

  @Test func `a dose can't move too near its neighbours or into the past`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    _ = try await place.add(.tablet(["08:00", "20:00"]))
    let doses = try await doses(place)
    let room = try #require(try await room(place, doses[1].id))
    // Half of twelve hours from the doses on both sides.
    #expect(room.earliest == Timestamp("2026-03-01T14:00:00+01:00"))
    #expect(room.latest == Timestamp("2026-03-02T02:00:00+01:00"))
    #expect(room.mayFollow)
    for time in ["2026-03-01T13:59:00+01:00", "2026-03-02T02:01:00+01:00"] {
      await #expect(throws: PlanError.self) { try await once(place, doses[1].id, to: time) }
    }
    // Moved doses count at their new time.
    try await once(place, doses[0].id, to: "2026-03-01T10:00:00+01:00")
    #expect(
      try await self.room(place, doses[1].id)?.earliest == Timestamp("2026-03-01T16:00:00+01:00"))
    #expect(try await self.room(place, doses[3].id)?.mayFollow == false)
  }

  @Test func `moving this and all later doses is an edit, and history stays`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"], slots: [1, 2]))
    place.clock.set("2026-03-01T12:00:00+01:00")
    try await place.extendHorizon()
    let doses = try await doses(place)
    try await following(place, doses[1].id, to: "2026-03-01T21:30:00+01:00")
    #expect(
      try await lines(place) == [
        "2026-03-01T08:00:00+01:00 due", "2026-03-01T21:30:00+01:00 scheduled",
        "2026-03-02T08:00:00+01:00 scheduled", "2026-03-02T21:30:00+01:00 scheduled",
      ])
    #expect(try await self.doses(place).map(\.id) == doses.map(\.id))
    await #expect(throws: PlanError.self) {
      try await following(place, doses[3].id, to: "2026-03-02T22:00:00+01:00")
    }
    // Doses that count hours have no time of day to move.
    let hours = try await place.add(
      PlanDraft.tablet(["08:00"], name: "Hours").with(
        .everyHours(8, first: ClockTime(text: "14:00") ?? .midnight)))
    let third = try #require(
      try await self.doses(place).first { $0.plan == hours.id && $0.due > place.now })
    #expect(try await room(place, third.id)?.mayFollow == false)
    #expect(plan.era == 1)
  }

  @Test(arguments: 0..<16)
  func `after any moves, edits, answers and rebuilds doses stay unique and apart`(
    seed: Int
  ) async throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 501)
    let place = try await TestPlace(at: "2026-03-27T05:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "14:00", "20:00"], slots: [1, 2, 3]))
    for _ in 0..<20 {
      place.clock.advance(minutes: Int64.random(in: 10...300, using: &random))
      try await place.extendHorizon()
      let now = place.now
      let coming = try await place.listing(
        from: now.adding(milliseconds: 1), until: now.adding(milliseconds: 40 * 3_600_000)
      ).doses.filter { $0.state == .scheduled }
      if let dose = coming.randomElement(using: &random) {
        if let room = try await room(place, dose.id) {
          let latest = room.latest ?? room.earliest.adding(milliseconds: 3_600_000)
          let length = latest.milliseconds - room.earliest.milliseconds
          let to = room.earliest.adding(
            milliseconds: Int64.random(in: 0...max(length, 0), using: &random))
          let context = place.context
          try await place.database.write { writer in
            try DoseMover.once(
              dose.id, patient: TestPlace.patient, to: to, context: context, in: writer)
          }
        }
      }
      if Int.random(in: 0..<4, using: &random) == 0 {
        let minute = Int.random(in: 0...59, using: &random)
        try await place.edit(
          plan.id,
          .tablet(["08:00", "14:00", "20:\(minute < 10 ? "0" : "")\(minute)"], slots: [1, 2, 3]))
      }
      let zones = place.zones
      let rebuilt = try await place.database.write {
        try ProjectionRebuild.perform(now: now, zones: zones, in: $0)
      }
      #expect(rebuilt.isUnchanged, "seed \(seed)")
      let all = try await place.listing(
        from: now.adding(milliseconds: -30 * 3_600_000),
        until: now.adding(milliseconds: 70 * 3_600_000)
      ).doses.filter { $0.state != .cancelled && $0.state != .withheld }
      #expect(Set(all.map(\.id)).count == all.count)
      let ahead = all.filter { $0.due > now }
      // Half of six hours, minus the minutes by which the evening was edited towards it.
      for (one, other) in zip(ahead, ahead.dropFirst()) {
        #expect(other.due.milliseconds - one.due.milliseconds >= 2 * 3_600_000, "seed \(seed)")
      }
    }
  }
}
