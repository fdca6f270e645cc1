// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Knowledge
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Adherence
@testable import Dosing
@testable import People
@testable import Plans

/// A person with one medicine whose rule delays the next dose.
struct ReschedulingPlace: Sendable {
  static let event = "6f8b1f4e-0000-4000-8000-000000000001"
  let place: TestPlace
  let plan: PlanID

  init(
    _ times: [String] = ["08:00", "20:00"], hours: Int = 8,
    at start: String = "2026-03-01T06:00:00+01:00"
  ) async throws {
    place = try await TestPlace(at: start)
    plan = try await place.add(Self.draft(times, hours: hours)).id
  }

  static func draft(_ times: [String], hours: Int) -> PlanDraft {
    var draft = PlanDraft.tablet(times, slots: times.indices.map { $0 + 1 })
    draft.missedDoseAdvice = .shift(hours: hours)
    return draft
  }

  func doses() async throws -> [Dose] {
    try await place.listing(
      from: place.now.adding(milliseconds: -30 * 3_600_000),
      until: place.now.adding(milliseconds: 46 * 3_600_000)
    ).doses.filter { $0.state != .cancelled }
  }

  /// Returns the due times of the future doses on the clock, such as `08:00`.
  func coming() async throws -> [String] {
    try await place.listing(
      from: place.now.adding(milliseconds: 1),
      until: place.now.adding(milliseconds: 30 * 3_600_000)
    ).lines.map { String($0.dropFirst(11).prefix(5)) + $0.dropFirst(25) }
  }

  @discardableResult
  func answer(
    _ dose: DoseID, _ action: AnswerAction = .taken, at: Timestamp? = nil, corrects: Int64? = nil,
    event: String? = nil
  ) async throws -> Dose {
    let context = place.context
    return try await place.database.write { writer in
      try AnswerCommands.answer(
        dose, patient: TestPlace.patient,
        AnswerRequest(
          action: action, event: event, at: at, corrects: corrects, confirm: true),
        context: context, in: writer)
    }
  }

  func decide(
    _ decision: ReschedulingDecision, _ dose: DoseID, expecting: Timestamp? = nil,
    context: CommandContext? = nil
  ) async throws {
    let context = context ?? place.context
    try await place.database.write { writer in
      try DoseRescheduler.decide(
        decision, for: dose, patient: TestPlace.patient, expecting: expecting, list: .shipped,
        context: context, in: writer)
    }
  }

  /// Returns the reason why a move is rejected; nil if it is made.
  func refusal(
    _ dose: DoseID, expecting: Timestamp? = nil, context: CommandContext? = nil
  ) async -> String? {
    do {
      try await decide(.moved, dose, expecting: expecting, context: context)
      return nil
    } catch {
      return "\(error)"
    }
  }

  func open() async throws -> [DoseRescheduler.Proposal] {
    let (now, zones) = (place.now, place.zones)
    return try await place.database.read { reader in
      try DoseRescheduler.open(
        patient: TestPlace.patient, list: .shipped, now: now, zones: zones, in: reader)
    }
  }

  func rebuilt() async throws -> Bool {
    let (now, zones) = (place.now, place.zones)
    return try await place.database.write {
      try ProjectionRebuild.perform(now: now, zones: zones, in: $0)
    }.isUnchanged
  }
}

@Suite struct DoseReschedulerTests {
  @Test func `after a late dose the next one moves once confirmed, and rings then`() async throws {
    let shift = try await ReschedulingPlace()
    let place = shift.place
    place.clock.set("2026-03-01T13:00:00+01:00")
    let all = try await shift.doses()
    #expect(try await shift.open().isEmpty)
    try await shift.answer(all[0].id)
    // Nothing moves automatically.
    #expect(
      try await shift.coming().prefix(2) == ["20:00 scheduled", "08:00 scheduled"])
    let proposal = try #require(try await shift.open().first)
    #expect(proposal.nextFrom == Timestamp("2026-03-01T21:00:00+01:00"))
    #expect(proposal.rescheduling.moves.map(\.dose) == [all[1].id])
    try await shift.decide(.moved, all[0].id, expecting: proposal.rescheduling.moves.first?.to)
    #expect(try await shift.coming().prefix(2) == ["21:00 scheduled", "08:00 scheduled"])
    #expect(try await shift.open().isEmpty)
    #expect(try await shift.rebuilt())
    // Repeating it changes nothing.
    try await shift.decide(.moved, all[0].id)
    #expect(try await shift.doses().map(\.id) == all.map(\.id))
    try await place.edit(shift.plan, ReschedulingPlace.draft(["08:00", "20:30"], hours: 8))
    #expect(try await shift.coming().first == "21:00 scheduled")
    place.clock.set("2026-03-01T20:30:00+01:00")
    try await place.extendHorizon()
    #expect(try await shift.doses()[1].state == .scheduled)
    place.clock.set("2026-03-01T21:00:00+01:00")
    #expect(try await shift.doses()[1].state == .due)
  }

  @Test func `later doses move only as far as needed, and undo restores them`() async throws {
    let shift = try await ReschedulingPlace(["08:00", "14:00", "20:00"], hours: 5)
    shift.place.clock.set("2026-03-01T10:30:00+01:00")
    let before = try await shift.coming()
    let all = try await shift.doses()
    let taken = try await shift.answer(all[0].id)
    try await shift.decide(.moved, all[0].id)
    #expect(
      try await shift.coming() == [
        "15:30 scheduled", "20:30 scheduled", "08:00 scheduled", "14:00 scheduled",
      ])
    // Correcting only the text keeps it; correcting the time opens the question again.
    let noted = try await shift.answer(all[0].id, at: taken.answer?.at, corrects: taken.version)
    #expect(try await shift.coming().first == "15:30 scheduled")
    let corrected = try await shift.answer(
      all[0].id, at: Timestamp("2026-03-01T10:00:00+01:00"), corrects: noted.version)
    #expect(try await shift.coming() == before)
    #expect(
      try await shift.open().first?.rescheduling.moves.first?.to
        == Timestamp("2026-03-01T15:00:00+01:00"))
    try await shift.decide(.moved, all[0].id)
    #expect(try await shift.coming().first == "15:00 scheduled")
    try await shift.answer(all[0].id, .undo, corrects: corrected.version)
    #expect(try await shift.coming() == before)
    #expect(try await shift.open().isEmpty)
    #expect(try await shift.rebuilt())
  }

  @Test func `doses that someone moved or answered since then stay unchanged`() async throws {
    let shift = try await ReschedulingPlace(["08:00", "14:00", "20:00"], hours: 5)
    shift.place.clock.set("2026-03-01T10:30:00+01:00")
    let all = try await shift.doses()
    let taken = try await shift.answer(all[0].id)
    try await shift.decide(.moved, all[0].id)
    let context = shift.place.context
    try await shift.place.database.write { writer in
      try DoseMover.once(
        all[1].id, patient: TestPlace.patient, to: Timestamp("2026-03-01T16:00:00+01:00"),
        context: context, in: writer)
    }
    try await shift.answer(all[0].id, .undo, corrects: taken.version)
    #expect(
      try await shift.coming().prefix(3) == [
        "16:00 scheduled", "20:00 scheduled", "08:00 scheduled",
      ])
  }

  @Test func `undo moves nothing too close to a dose taken since`() async throws {
    for isUndone in [true, false] {
      let shift = try await ReschedulingPlace(["08:00", "14:00", "20:00"], hours: 6)
      shift.place.clock.set("2026-03-01T13:00:00+01:00")
      let all = try await shift.doses()
      let late = try await shift.answer(all[0].id)
      try await shift.decide(.moved, all[0].id)
      #expect(try await shift.coming().prefix(2) == ["19:00 scheduled", "01:00 scheduled"])
      shift.place.clock.set("2026-03-01T19:00:00+01:00")
      try await shift.answer(all[1].id)
      shift.place.clock.set("2026-03-01T19:30:00+01:00")
      if isUndone {
        try await shift.answer(all[0].id, .undo, corrects: late.version)
      } else {
        try await shift.answer(
          all[0].id, at: Timestamp("2026-03-01T12:50:00+01:00"), corrects: late.version)
      }
      // Its old time is an hour after the one taken at seven.
      #expect(
        try await shift.coming().prefix(2) == ["01:00 scheduled", "08:00 scheduled"],
        "\(isUndone)")
    }
  }

  @Test func `an invented time moves nothing`() async throws {
    let shift = try await ReschedulingPlace()
    shift.place.clock.set("2026-03-01T13:00:00+01:00")
    let late = try await shift.doses()[0].id
    try await shift.answer(late)
    for moment in [Int64.min, .max, 0] {
      #expect(
        await shift.refusal(late, expecting: Timestamp(milliseconds: moment)) == "notMovable")
    }
    #expect(try await shift.coming().first == "20:00 scheduled")
  }

  @Test func `a moved dose moves with travel, and undo still restores it`() async throws {
    let shift = try await ReschedulingPlace()
    shift.place.clock.set("2026-03-01T13:30:00+01:00")
    let late = try await shift.doses()[0].id
    let taken = try await shift.answer(late)
    try await shift.decide(.moved, late)
    #expect(try await shift.coming().first == "21:30 scheduled")
    try await shift.place.move(to: "Europe/Athens")
    let there = try await shift.coming().filter { !$0.hasSuffix("cancelled") }
    #expect(there.prefix(2) == ["22:30 scheduled", "08:00 scheduled"])
    try await shift.answer(late, .undo, corrects: taken.version)
    let undone = try await shift.coming().filter { !$0.hasSuffix("cancelled") }
    #expect(undone.prefix(2) == ["20:00 scheduled", "08:00 scheduled"])
    #expect(try await shift.rebuilt())
  }

  @Test func `choosing not to move is kept and can be changed later`() async throws {
    let shift = try await ReschedulingPlace()
    shift.place.clock.set("2026-03-01T13:00:00+01:00")
    let late = try await shift.doses()[0].id
    try await shift.answer(late)
    try await shift.decide(.left, late)
    #expect(try await shift.open().isEmpty)
    #expect(try await shift.coming().first == "20:00 scheduled")
    try await shift.decide(.moved, late)
    #expect(try await shift.coming().first == "21:00 scheduled")
    try await shift.decide(.left, late)
    #expect(try await shift.coming().first == "20:00 scheduled")
    #expect(try await shift.rebuilt())
  }

  @Test func `a dose within the gap is restored: it rings and asks`() async throws {
    let shift = try await ReschedulingPlace()
    // The gap is half of twelve hours, and twenty o'clock is closer.
    shift.place.clock.set("2026-03-01T18:00:00+01:00")
    let late = try await shift.doses()[0].id
    try await shift.answer(late)
    try await shift.decide(.moved, late)
    #expect(
      try await shift.coming().prefix(2) == ["02:00 scheduled", "10:00 scheduled"])
    try await shift.decide(.left, late)
    #expect(
      try await shift.coming().prefix(2) == ["20:00 scheduled", "08:00 scheduled"])
  }

  @Test func `two late doses in a row can be undone in any order`() async throws {
    for isFirstUndone in [true, false] {
      let shift = try await ReschedulingPlace(["08:00", "14:00", "20:00"], hours: 5)
      shift.place.clock.set("2026-03-01T10:30:00+01:00")
      let all = try await shift.doses()
      let first = try await shift.answer(all[0].id)
      try await shift.decide(.moved, all[0].id)
      shift.place.clock.set("2026-03-01T17:30:00+01:00")
      let second = try await shift.answer(all[1].id)
      try await shift.decide(.moved, all[1].id)
      #expect(try await shift.coming().first == "22:30 scheduled")
      let order = isFirstUndone ? [first, second] : [second, first]
      for dose in order { try await shift.answer(dose.id, .undo, corrects: dose.version) }
      #expect(try await shift.coming().first == "20:00 scheduled", "\(isFirstUndone)")
    }
  }

  @Test func `impossible requests are refused and change nothing`() async throws {
    let shift = try await ReschedulingPlace()
    shift.place.clock.set("2026-03-01T13:00:00+01:00")
    let all = try await shift.doses()
    #expect(await shift.refusal(all[0].id) == "notMovable")
    try await shift.answer(all[0].id)
    #expect(
      await shift.refusal(all[0].id, expecting: Timestamp("2026-03-01T20:30:00+01:00"))
        == "notMovable")
    let stranger = shift.place.context(patients: ["bob"])
    #expect(await shift.refusal(all[0].id, context: stranger) == "notFound")
    // Once the next one is due, the rule no longer applies.
    shift.place.clock.set("2026-03-01T20:00:00+01:00")
    #expect(await shift.refusal(all[0].id) == "notMovable")
    #expect(try await shift.open().isEmpty)
    let rows = try await shift.place.database.read {
      try $0.query("SELECT patient FROM dose_reschedulings")
    }
    #expect(rows.isEmpty)
  }

  @Test func `no move is proposed for a dose in time or a plan without a rule`() async throws {
    let shift = try await ReschedulingPlace()
    shift.place.clock.set("2026-03-01T08:30:00+01:00")
    try await shift.answer(try await shift.doses()[0].id)
    #expect(try await shift.open().isEmpty)
    let other = try await shift.place.add(.tablet(["07:00", "19:00"], name: "Other"))
    shift.place.clock.set("2026-03-02T12:00:00+01:00")
    try await shift.place.extendHorizon()
    let late = try #require(
      try await shift.doses().last { $0.plan == other.id && $0.due < shift.place.now })
    try await shift.answer(late.id)
    #expect(try await shift.open().isEmpty)
  }

  @Test func `a levothyroxine time too near calcium asks and names both`() async throws {
    let place = try await TestPlace()
    var draft = ReschedulingPlace.draft(["08:00", "20:00"], hours: 8)
    draft.medicineName = "Levothyroxine"
    try await place.add(draft)
    try await place.add(.tablet(["22:00"], name: "Calcium carbonate"))
    place.clock.set("2026-03-01T13:00:00+01:00")
    let (now, zones) = (place.now, place.zones)
    let dose = try #require(
      try await place.listing(
        from: "2026-03-01T08:00:00+01:00", until: "2026-03-01T08:00:01+01:00"
      ).doses.first)
    let plan = try #require(
      try await place.database.read { reader in
        try ReschedulingReading.rescheduling(
          of: dose, list: .shipped, now: now, zones: zones, in: reader)
      })
    guard case .ask(.spacing(let name, _, let ours, let theirs, false, false, _)?) = plan.verdict
    else {
      Issue.record("\(plan)")
      return
    }
    #expect(name == "Calcium carbonate" && ours == Timestamp("2026-03-01T21:00:00+01:00"))
    #expect(theirs == Timestamp("2026-03-01T22:00:00+01:00"))
  }
}
