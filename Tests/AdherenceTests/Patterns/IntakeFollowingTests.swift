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

@Suite struct IntakeFollowingTests {
  private static func draft(waking: Bool) -> PlanDraft {
    let window = DayWindow(
      from: ClockTime(text: "07:00") ?? .midnight, until: ClockTime(text: "23:00") ?? .midnight)
    return PlanDraft.tablet(["08:00"]).with(
      .afterIntake(
        DraftInterval(
          hours: 6, first: ClockTime(text: "08:00") ?? .midnight, waking: waking ? window : nil)))
  }

  private func lines(_ place: TestPlace, _ from: String, _ until: String) async throws -> [String] {
    try await place.listing(from: from, until: until).lines
  }

  private func answer(
    _ place: TestPlace, _ dose: DoseID, _ action: AnswerAction, at: Timestamp? = nil,
    corrects: Int64? = nil
  ) async throws -> Dose {
    let context = place.context
    return try await place.database.write { writer in
      try AnswerCommands.answer(
        dose, patient: TestPlace.patient,
        AnswerRequest(action: action, at: at, corrects: corrects, confirm: true),
        context: context, in: writer)
    }
  }

  @Test func `a late dose delays the next ones, and undo restores them`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    _ = try await place.add(Self.draft(waking: false))
    let (from, until) = ("2026-03-01T00:00:00+01:00", "2026-03-02T06:00:00+01:00")
    let before = try await lines(place, from, until)
    #expect(
      before == [
        "2026-03-01T08:00:00+01:00 scheduled", "2026-03-01T14:00:00+01:00 scheduled",
        "2026-03-01T20:00:00+01:00 scheduled", "2026-03-02T02:00:00+01:00 scheduled",
      ])
    let doses = try await place.listing(from: from, until: until).doses
    place.clock.set("2026-03-01T09:30:00+01:00")
    let taken = try await answer(place, doses[0].id, .taken)
    #expect(
      try await lines(place, from, until) == [
        "2026-03-01T08:00:00+01:00 taken", "2026-03-01T15:30:00+01:00 scheduled",
        "2026-03-01T21:30:00+01:00 scheduled", "2026-03-02T03:30:00+01:00 scheduled",
      ])
    #expect(try await place.listing(from: from, until: until).doses.map(\.id) == doses.map(\.id))
    _ = try await answer(
      place, doses[0].id, .taken, at: Timestamp("2026-03-01T09:00:00+01:00"),
      corrects: taken.version)
    #expect(try await lines(place, from, until)[1] == "2026-03-01T15:00:00+01:00 scheduled")
    _ = try await answer(place, doses[0].id, .undo)
    #expect(
      try await lines(place, from, until).dropFirst()
        == before.dropFirst())
  }

  @Test
  func `extra doses count, skipped ones don't, and nights wait for morning`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(Self.draft(waking: true))
    let (from, until) = ("2026-03-01T00:00:00+01:00", "2026-03-02T20:00:00+01:00")
    // 02:00 is at night: the hours continue from 07:00.
    let before = [
      "2026-03-01T08:00:00+01:00", "2026-03-01T14:00:00+01:00", "2026-03-01T20:00:00+01:00",
      "2026-03-02T07:00:00+01:00", "2026-03-02T13:00:00+01:00", "2026-03-02T19:00:00+01:00",
    ]
    #expect(try await lines(place, from, until) == before.map { "\($0) scheduled" })
    let doses = try await place.listing(from: from, until: until).doses
    place.clock.set("2026-03-01T08:10:00+01:00")
    _ = try await answer(place, doses[0].id, .skipped)
    #expect(
      try await lines(place, from, until).dropFirst()
        == before.dropFirst().map { "\($0) scheduled" }[...])
    place.clock.set("2026-03-01T11:00:00+01:00")
    let context = place.context
    let request = AdministrationRequest(
      patient: TestPlace.patient, medicine: plan.id.text, at: place.now, confirm: true)
    let extra = try await place.database.write { writer in
      try IntakeCommands.record(request, context: context, in: writer)
    }
    #expect(
      try await lines(place, "2026-03-01T12:00:00+01:00", until) == [
        "2026-03-01T17:00:00+01:00 scheduled", "2026-03-01T23:00:00+01:00 scheduled",
        "2026-03-02T07:00:00+01:00 scheduled", "2026-03-02T13:00:00+01:00 scheduled",
        "2026-03-02T19:00:00+01:00 scheduled",
      ])
    try await place.database.write { writer in
      try IntakeCommands.takeBack(
        extra.id, patient: TestPlace.patient, context: context, in: writer)
    }
    #expect(
      try await lines(place, from, until).dropFirst()
        == before.dropFirst().map { "\($0) scheduled" }[...])
  }

  @Test(arguments: 0..<12)
  func `in any order of answers, edits, zones and restarts the next dose keeps its distance`(
    seed: Int
  ) async throws {
    var random = SeededGenerator(seed: UInt64(seed) &+ 140)
    let hasWaking = seed.isMultiple(of: 2)
    let place = try await TestPlace(at: "2026-03-27T06:00:00+01:00")
    let plan = try await place.add(Self.draft(waking: hasWaking))
    let six: Int64 = 6 * 3_600_000
    for _ in 0..<14 {
      place.clock.advance(minutes: Int64.random(in: 20...400, using: &random))
      try await place.extendHorizon()
      let now = place.now
      let listing = try await place.listing(
        from: now.adding(milliseconds: -20 * 3_600_000),
        until: now.adding(milliseconds: 20 * 3_600_000))
      let open = listing.doses.filter { $0.state == .due || $0.state == .missed }
      let answered = listing.doses.filter { $0.state == .taken }
      switch Int.random(in: 0..<10, using: &random) {
      case 0..<5: if let dose = open.last { _ = try await answer(place, dose.id, .taken) }
      case 5: if let dose = open.first { _ = try await answer(place, dose.id, .skipped) }
      case 6: if let dose = answered.last { _ = try await answer(place, dose.id, .undo) }
      case 7: try await place.edit(plan.id, Self.draft(waking: hasWaking))
      case 8:
        try await place.move(
          to: ["Europe/Berlin", "Asia/Bangkok"][Int.random(in: 0...1, using: &random)])
      default: break
      }
      let zones = place.zones
      let rebuilt = try await place.database.write {
        try ProjectionRebuild.perform(now: now, zones: zones, in: $0)
      }
      #expect(rebuilt.isUnchanged, "seed \(seed)")
      let after = try await place.listing(
        from: now.adding(milliseconds: 1), until: now.adding(milliseconds: 60 * 3_600_000))
      let coming = after.doses.filter { $0.state == .scheduled }
      #expect(!coming.isEmpty)
      let last = try await place.database.read { reader in
        try IntakeQueries.recent(
          patient: TestPlace.patient, from: Timestamp(milliseconds: 0),
          until: now.adding(milliseconds: 1), in: reader)
      }.last
      for dose in coming {
        if let last { #expect(dose.due.milliseconds - last.taken.milliseconds >= six) }
        let local = after.zone.local(at: Instant(dose.due)).time
        if hasWaking { #expect((7 * 3_600...23 * 3_600).contains(local.secondsOfDay)) }
      }
      for (one, other) in zip(coming, coming.dropFirst()) {
        #expect(other.due.milliseconds - one.due.milliseconds >= six)
      }
    }
  }

  @Test func `intervals count from the start if nothing was taken, even over years`() throws {
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let start = Instant(Timestamp("2016-03-01T08:00:00+01:00"))
    let chain = IntakeChain(
      everyMilliseconds: 6 * 3_600_000, waking: nil, start: start, end: nil, count: nil,
      after: nil, zone: zone)
    let far = start.adding(milliseconds: 3_650 * 86_400_000)
    let found = try #require(chain.first(after: far))
    #expect(found.instant == far.adding(milliseconds: 6 * 3_600_000))
    #expect(found.id == .running(3_650 * 4 + 1))
    #expect(chain.instant(of: 7) == start.adding(milliseconds: 42 * 3_600_000))
    #expect(chain.last(before: start) == nil)
    #expect(chain.last(before: far)?.id == .running(3_650 * 4 - 1))
  }
}
