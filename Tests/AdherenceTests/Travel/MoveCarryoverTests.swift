// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage
import Testing
import TestSupport

@testable import Adherence
@testable import Dosing
@testable import Plans

/// Doses that a person moved, when the zone, the rules or the kind of their plan change.
@Suite struct MoveCarryoverTests {
  private static let hour: Int64 = 3_600_000

  private static func once(_ place: TestPlace, _ dose: DoseID, to due: Timestamp) async throws {
    let context = place.context
    try await place.database.write { writer in
      try DoseMover.once(
        dose, patient: TestPlace.patient, to: due, context: context, in: writer)
    }
  }

  /// Returns the future doses, without cancelled ones.
  private static func ahead(_ place: TestPlace, hours: Int64 = 48) async throws -> DoseListing {
    let listing = try await place.listing(
      from: place.now.adding(milliseconds: 1),
      until: place.now.adding(milliseconds: hours * hour))
    return DoseListing(
      doses: listing.doses.filter { $0.state != .cancelled }, unplanned: listing.unplanned,
      zone: listing.zone)
  }

  /// Moves the dose due at a time of the person's clock to another time.
  private static func move(_ place: TestPlace, from: String, to: String) async throws {
    let dose = try #require(
      try await ahead(place).doses.first { $0.due == Timestamp(from) })
    try await once(place, dose.id, to: Timestamp(to))
  }

  /// Returns the effects of a change on the future doses, from its trial.
  private static func moves(
    _ place: TestPlace, _ change: () async throws -> Void
  ) async throws -> [DoseMove] {
    let before = try await ahead(place, hours: 120).doses
    let now = place.now
    let moved = try await place.database.read { reader in
      try DoseRescheduling.moved(by: TestPlace.patient, dueAfter: now, in: reader)
    }
    try await change()
    return DoseRescheduling.between(
      before, try await ahead(place, hours: 120).doses, moved: moved,
      until: now.adding(milliseconds: 72 * hour))
  }

  private static func isRebuiltUnchanged(_ place: TestPlace) async throws -> Bool {
    let (now, zones) = (place.now, place.zones)
    return try await place.database.write {
      try ProjectionRebuild.perform(now: now, zones: zones, in: $0).isUnchanged
    }
  }

  @Test func `a moved dose keeps its instant in another zone and after the return`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    try await place.add(.tablet(["08:00", "20:00"]))
    try await Self.move(
      place, from: "2026-03-01T20:00:00+01:00", to: "2026-03-01T21:30:00+01:00")
    for (zone, line) in [
      ("Europe/London", "2026-03-01T20:30:00+00:00 scheduled"),
      ("Europe/Berlin", "2026-03-01T21:30:00+01:00 scheduled"),
      ("Asia/Kolkata", "2026-03-02T02:00:00+05:30 scheduled"),
    ] {
      let moves = try await Self.moves(place) { try await place.move(to: zone) }
      #expect(!moves.contains { $0.losesMove }, "\(zone)")
      #expect(try await Self.ahead(place).lines.first == line)
      #expect(try await Self.isRebuiltUnchanged(place))
    }
  }

  @Test func `a move without room is undone, and the preview says so`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    try await place.add(.tablet(["08:00", "14:00", "20:00"]))
    try await Self.move(
      place, from: "2026-03-01T14:00:00+01:00", to: "2026-03-01T16:30:00+01:00")
    let moves = try await Self.moves(place) { try await place.move(to: "America/New_York") }
    let lost = moves.filter(\.losesMove)
    #expect(lost.map(\.from) == [Timestamp("2026-03-01T16:30:00+01:00")])
    #expect(lost.map(\.to) == [Timestamp("2026-03-01T14:00:00-05:00")])
    #expect(
      try await Self.ahead(place, hours: 16).lines == [
        "2026-03-01T08:00:00-05:00 scheduled", "2026-03-01T14:00:00-05:00 scheduled",
        "2026-03-01T20:00:00-05:00 scheduled",
      ])
    // A dose that returned to its time is no longer moved: at home it comes at its own time.
    try await place.move(to: "Europe/Berlin")
    #expect(
      try await Self.ahead(place).lines.first == "2026-03-01T14:00:00+01:00 scheduled")
  }

  @Test func `a moved dose whose own time has passed stays, or the next replaces it`()
    async throws
  {
    let place = try await TestPlace(at: "2026-03-01T16:00:00+01:00")
    try await place.add(.tablet(["08:00", "20:00"]))
    try await Self.move(
      place, from: "2026-03-01T20:00:00+01:00", to: "2026-03-01T21:00:00+01:00")
    // 20:45 there: the evening dose's own time has passed, and the morning dose is 6 and a quarter hours
    // away.
    let moves = try await Self.moves(place) { try await place.move(to: "Asia/Kathmandu") }
    #expect(!moves.contains { $0.losesMove })
    #expect(
      try await Self.ahead(place, hours: 18).lines == [
        "2026-03-02T01:45:00+05:45 scheduled", "2026-03-02T08:00:00+05:45 scheduled",
      ])
    let far = try await Self.moves(place) { try await place.move(to: "Pacific/Auckland") }
    let lost = far.filter(\.losesMove)
    #expect(lost.map(\.from) == [Timestamp("2026-03-01T21:00:00+01:00")])
    #expect(lost.map(\.to) == [nil])
    #expect(
      try await Self.ahead(place, hours: 18).lines == [
        "2026-03-02T08:00:00+13:00 scheduled", "2026-03-02T20:00:00+13:00 scheduled",
      ])
  }

  @Test func `changing to another kind of plan drops the moves and says so`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    try await Self.move(
      place, from: "2026-03-01T20:00:00+01:00", to: "2026-03-01T21:30:00+01:00")
    let hours = PlanDraft.tablet([]).with(
      .everyHours(8, first: try #require(ClockTime(text: "06:00"))))
    let moves = try await Self.moves(place) { try await place.edit(plan.id, hours) }
    #expect(moves.filter(\.losesMove).map(\.from) == [Timestamp("2026-03-01T21:30:00+01:00")])
    #expect(
      try await Self.ahead(place, hours: 12).lines == [
        "2026-03-01T14:00:00+01:00 scheduled", "2026-03-01T22:00:00+01:00 scheduled",
      ])
    // Another interval gives the running numbers another meaning: a move belongs to only one of them.
    try await Self.move(
      place, from: "2026-03-01T22:00:00+01:00", to: "2026-03-01T23:00:00+01:00")
    let other = PlanDraft.tablet([]).with(
      .everyHours(6, first: try #require(ClockTime(text: "06:00"))))
    let again = try await Self.moves(place) { try await place.edit(plan.id, other) }
    #expect(again.contains { $0.losesMove && $0.from == Timestamp("2026-03-01T23:00:00+01:00") })
    #expect(try await Self.ahead(place, hours: 12).lines.allSatisfy { !$0.contains("T23:") })
  }

  @Test func `an edit that brings a neighbour too near undoes the move`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"], slots: [1, 2]))
    try await Self.move(
      place, from: "2026-03-01T08:00:00+01:00", to: "2026-03-01T13:30:00+01:00")
    let moves = try await Self.moves(place) {
      try await place.edit(plan.id, .tablet(["08:00", "17:00"], slots: [1, 2]))
    }
    #expect(moves.filter(\.losesMove).map(\.to) == [Timestamp("2026-03-01T08:00:00+01:00")])
    #expect(
      try await Self.ahead(place, hours: 24).lines.prefix(2) == [
        "2026-03-01T08:00:00+01:00 scheduled", "2026-03-01T17:00:00+01:00 scheduled",
      ])
  }

  @Test func `a move whose own time has passed is held back if too near`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"], slots: [1, 2]))
    try await Self.move(
      place, from: "2026-03-01T08:00:00+01:00", to: "2026-03-01T13:30:00+01:00")
    place.clock.set("2026-03-01T10:00:00+01:00")
    let moves = try await Self.moves(place) {
      try await place.edit(plan.id, .tablet(["08:00", "17:00"], slots: [1, 2]))
    }
    #expect(moves.contains { $0.isWithheld && $0.to == Timestamp("2026-03-01T13:30:00+01:00") })
    #expect(
      try await Self.ahead(place, hours: 12).lines == [
        "2026-03-01T13:30:00+01:00 withheld", "2026-03-01T17:00:00+01:00 scheduled",
      ])
    #expect(try await Self.isRebuiltUnchanged(place))
  }

  @Test func `a dose moved after travel is due once, even after the next trip`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    try await place.add(.tablet(["08:00", "20:00"]))
    try await Self.move(
      place, from: "2026-03-01T20:00:00+01:00", to: "2026-03-01T18:00:00+01:00")
    try await place.move(to: "Europe/London")
    try await Self.move(
      place, from: "2026-03-01T18:00:00+01:00", to: "2026-03-01T22:00:00+01:00")
    place.clock.set("2026-03-01T19:00:00+01:00")
    try await place.extendHorizon()
    try await place.move(to: "Europe/Berlin")
    #expect(
      try await Self.ahead(place, hours: 14).lines == [
        "2026-03-01T22:00:00+01:00 scheduled", "2026-03-02T08:00:00+01:00 scheduled",
      ])
  }

  @Test func `a new interval gives new doses, even after a moved one was due`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    func hours(_ count: Int) throws -> PlanDraft {
      PlanDraft.tablet([]).with(
        .everyHours(count, first: try #require(ClockTime(text: "06:00"))))
    }
    let plan = try await place.add(try hours(8))
    try await Self.move(
      place, from: "2026-03-01T14:00:00+01:00", to: "2026-03-01T14:30:00+01:00")
    place.clock.set("2026-03-01T17:00:00+01:00")
    try await place.edit(plan.id, try hours(12))
    // The number of the dose that came now belongs to the evening dose.
    let lines = try await Self.ahead(place, hours: 16).lines
    #expect(lines.first?.hasPrefix("2026-03-01T18:00:00+01:00") == true, "\(lines)")
  }

  @Test func `a dose taken before travel is not due again later`() async throws {
    let place = try await TestPlace(at: "2026-03-07T10:00:00+09:00", zone: "Asia/Tokyo")
    let time = try #require(ClockTime(text: "08:00"))
    try await place.add(
      PlanDraft.tablet([], start: "2026-03-02").with(
        .times([DraftTime(slot: 1, time: time)], weekdays: [.monday])))
    try await Self.move(
      place, from: "2026-03-09T08:00:00+09:00", to: "2026-03-07T10:05:00+09:00")
    place.clock.set("2026-03-07T10:10:00+09:00")
    let dose = try #require(
      try await place.listing(
        from: "2026-03-07T10:00:00+09:00", until: "2026-03-07T11:00:00+09:00"
      ).doses.first)
    let context = place.context
    try await place.database.write { writer in
      _ = try AnswerCommands.answer(
        dose.id, patient: TestPlace.patient, AnswerRequest(action: .taken), context: context,
        in: writer)
    }
    try await place.move(to: "America/Los_Angeles")
    place.clock.set("2026-03-08T06:00:00+09:00")
    try await place.extendHorizon()
    #expect(try await Self.ahead(place, hours: 48).lines == [])
  }

  @Test func `doses moved past each other don't hide each other's neighbours`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    try await place.add(.tablet(["08:00", "14:00", "20:00"]))
    try await Self.move(
      place, from: "2026-03-01T14:00:00+01:00", to: "2026-03-01T11:00:00+01:00")
    try await Self.move(
      place, from: "2026-03-01T20:00:00+01:00", to: "2026-03-01T14:00:00+01:00")
    let doses = try await Self.ahead(place, hours: 12).doses
    let (now, zones, noon) = (place.now, place.zones, doses[1].id)
    let found = try await place.database.read { reader in
      try DoseMover.room(
        of: noon, patient: TestPlace.patient, now: now, zones: zones, in: reader)
    }
    let room = try #require(found)
    // The evening dose still comes after it, wherever it was moved.
    #expect(room.latest == Timestamp("2026-03-01T11:00:00+01:00"))
    #expect(room.earliest == Timestamp("2026-03-01T11:00:00+01:00"))
  }

  @Test func `rows of the same instant have a fixed order`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    let now = place.now
    let eras = try await place.database.write { writer in
      try writer.execute(
        """
        INSERT INTO doses (patient, plan, era, occurrence, due, on_time_until, late_until, next_due, state, version)
        SELECT patient, plan, 2, occurrence, due, on_time_until, late_until, next_due, 'cancelled', 1
        FROM doses WHERE patient = $1 ORDER BY due DESC
        """, [.text(TestPlace.patient)])
      return try DoseStore.planned(
        plan.id, patient: TestPlace.patient, dueAfter: now, in: writer
      ).map(\.era)
    }
    #expect(eras.count >= 4)
    #expect(eras.enumerated().allSatisfy { $1 == Int64($0 % 2) + 1 }, "\(eras)")
  }

  private static let zones = [
    "Pacific/Auckland", "Pacific/Honolulu", "Europe/Berlin", "America/New_York",
    "Asia/Kathmandu", "Pacific/Apia", "Australia/Lord_Howe", "Europe/London", "Asia/Kolkata",
  ]

  @Test(arguments: 1...24)
  func `after any moves, edits, travel and restarts doses stay unique and apart`(
    seed: UInt64
  ) async throws {
    var random = SeededGenerator(seed: seed &+ 9_000)
    let home = try #require(Self.zones.randomElement(using: &random))
    let place = try await TestPlace(
      at: seed % 2 == 0 ? "2026-03-27T05:00:00Z" : "2026-10-02T17:00:00Z", zone: home)
    let plan = try await place.add(Self.draft(&random))
    var here = home
    var isOff: [String] = []
    for step in 1...22 {
      let comment: Comment = "seed \(seed), step \(step)"
      place.clock.advance(minutes: Int64.random(in: 5...500, using: &random))
      try await place.extendHorizon()
      for _ in 0..<2 { try await Self.moveAny(place, &random) }
      let action = Int.random(in: 0...5, using: &random)
      let before = try await Self.ahead(place).doses.filter { $0.state == .scheduled }
      let edited = Self.draft(&random)
      let zone = try #require(Self.zones.randomElement(using: &random))
      let policy = try #require(ZonePolicy.allCases.randomElement(using: &random))
      let context = place.context
      let moves = try await Self.moves(place) {
        switch action {
        case 0: try await place.edit(plan.id, edited)
        case 1, 2, 3:
          try await place.database.write { [isStaying = zone == here] writer in
            try PlanCommands.travel(
              [plan.id: policy], patient: TestPlace.patient, isStaying: isStaying,
              context: context, in: writer)
          }
          if zone != here { try await place.move(to: zone) }
          here = zone
        default: break
        }
      }
      if action == 4 { try await Self.answerAny(place, &random) }
      #expect(try await Self.isRebuiltUnchanged(place), comment)
      let after = try await Self.ahead(place, hours: 80).doses
        .filter { $0.state != .cancelled }
      #expect(Set(after.map(\.id)).count == after.count, comment)
      let open = after.filter { $0.state == .scheduled }
      #expect(Set(open.map(\.id.occurrence)).count == open.count, comment)
      for (one, other) in zip(open, open.dropFirst())
      where other.due.milliseconds - one.due.milliseconds < 4 * Self.hour {
        isOff.append("\(seed)/\(step): \(one.id.text) \(other.id.text)")
      }
      guard action < 4 else { continue }
      for dose in before {
        let isHeld = after.contains {
          $0.id.occurrence == dose.id.occurrence
            || abs($0.due.milliseconds - dose.due.milliseconds) < 4 * Self.hour
        }
        #expect(isHeld, comment)
        let same = after.first { $0.id.occurrence == dose.id.occurrence }
        // Every dose that moves, is removed or is withheld is in the trial's list.
        if same?.due != dose.due {
          #expect(moves.contains { $0.from == dose.due }, comment)
        }
      }
    }
    #expect(isOff.isEmpty)
  }

  /// Returns a draft with three doses a day, eight hours apart: the gap is four hours.
  private static func draft(_ random: inout SeededGenerator) -> PlanDraft {
    let start = Int.random(in: 0..<32, using: &random) * 15
    let times = [0, 480, 960].compactMap { ClockTime(secondsOfDay: (start + $0) * 60) }
    return PlanDraft.tablet([], start: "2026-03-01").with(
      .times(
        times.enumerated().map { DraftTime(slot: $0.offset + 1, time: $0.element) },
        weekdays: Set(Weekday.allCases)))
  }

  private static func moveAny(_ place: TestPlace, _ random: inout SeededGenerator) async throws {
    let coming = try await ahead(place, hours: 40).doses.filter { $0.state == .scheduled }
    guard let dose = coming.randomElement(using: &random) else { return }
    let (now, zones) = (place.now, place.zones)
    let found = try await place.database.read { reader in
      try DoseMover.room(
        of: dose.id, patient: TestPlace.patient, now: now, zones: zones, in: reader)
    }
    guard let room = found else { return }
    let latest = room.latest ?? room.earliest.adding(milliseconds: hour)
    let length = max(latest.milliseconds - room.earliest.milliseconds, 0)
    try await once(
      place, dose.id,
      to: room.earliest.adding(milliseconds: Int64.random(in: 0...length, using: &random)))
  }

  private static func answerAny(_ place: TestPlace, _ random: inout SeededGenerator) async throws {
    let near = try await place.listing(
      from: place.now.adding(milliseconds: -12 * hour),
      until: place.now.adding(milliseconds: 2 * hour))
    let open = near.doses.filter { [.due, .scheduled, .missed].contains($0.state) }
    guard let dose = open.randomElement(using: &random) else { return }
    let context = place.context
    try await place.database.write { writer in
      _ = try AnswerCommands.answer(
        dose.id, patient: TestPlace.patient, AnswerRequest(action: .taken, confirm: true),
        context: context, in: writer)
    }
  }
}
