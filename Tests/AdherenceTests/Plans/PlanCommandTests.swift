// SPDX-License-Identifier: Apache-2.0
import Dosing
import FHIR
import People
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

struct PlanCommandTests {
  private func day(_ place: TestPlace, _ date: String) async throws -> [String] {
    try await place.listing(from: "\(date)T00:00:00+01:00", until: "\(date)T23:59:59+01:00").lines
  }

  private func ids(_ place: TestPlace) async throws -> [String] {
    try await place.listing(from: "2026-03-01T00:00:00+01:00", until: "2026-03-03T00:00:00+01:00")
      .doses.map(\.id.text)
  }

  private func take(_ place: TestPlace, _ id: DoseID) async throws {
    let context = place.context
    try await place.database.write { writer in
      _ = try AnswerCommands.answer(
        id, patient: TestPlace.patient, AnswerRequest(action: .taken, confirm: true),
        context: context, in: writer)
    }
  }

  @Test func `a typed medicine has doses from now on`() async throws {
    let place = try await TestPlace(at: "2026-03-01T09:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"], start: "2026-02-20"))
    #expect(plan.unplanned == nil && plan.kind == .calendar && plan.era == 1)
    #expect(plan.minimumGapMilliseconds == Int64(21_600_000))
    #expect(plan.medicineName == "Bisoprolol")
    #expect(try await day(place, "2026-02-28") == [])
    #expect(try await day(place, "2026-03-01") == ["2026-03-01T20:00:00+01:00 scheduled"])
    #expect(
      try await ids(place) == [
        "\(plan.id)_1_20260301-2", "\(plan.id)_1_20260302-1", "\(plan.id)_1_20260302-2",
      ])
  }

  @Test func `a window carries interval, amount and next dose`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    try await place.add(.tablet(["08:00", "20:00"], dose: "1.50"))
    let today = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    let dose = try #require(today.doses.first)
    #expect(dose.onTimeUntil == Timestamp("2026-03-01T09:00:00+01:00"))
    #expect(dose.lateUntil == Timestamp("2026-03-01T14:00:00+01:00"))
    #expect(dose.nextDue == Timestamp("2026-03-01T20:00:00+01:00"))
    #expect(dose.amount == Amount(value: "1.50", unit: "tablet", code: "{tablet}"))
  }

  @Test func `an edit of a time keeps ids and past doses`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    let before = try await ids(place)
    place.clock.set("2026-03-01T09:00:00+01:00")
    let edited = try await place.edit(plan.id, .tablet(["10:00", "21:00"], slots: [1, 2]))
    #expect(edited.era == 1 && edited.version == 2)
    #expect(try await ids(place) == before)
    #expect(
      try await day(place, "2026-03-01") == [
        "2026-03-01T08:00:00+01:00 due", "2026-03-01T21:00:00+01:00 scheduled",
      ])
    #expect(
      try await day(place, "2026-03-02") == [
        "2026-03-02T10:00:00+01:00 scheduled", "2026-03-02T21:00:00+01:00 scheduled",
      ])
  }

  @Test func `a dose whose new time has passed keeps its old one that day`() async throws {
    let place = try await TestPlace(at: "2026-03-01T12:00:00+01:00")
    let plan = try await place.add(.tablet(["20:00"]))
    try await place.edit(plan.id, .tablet(["09:00"], slots: [1]))
    #expect(try await day(place, "2026-03-01") == ["2026-03-01T20:00:00+01:00 scheduled"])
    // Thirteen hours later: more than half a day, so it rings.
    #expect(try await day(place, "2026-03-02") == ["2026-03-02T09:00:00+01:00 scheduled"])
  }

  @Test func `an edit holds back a dose too soon after one taken`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    place.clock.set("2026-03-01T23:00:00+01:00")
    let today = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-02T00:00:00+01:00")
    let due = try #require(today.doses.first)
    try await take(place, due.id)
    try await place.edit(plan.id, .tablet(["07:00"], slots: [1]))
    let next = try await place.listing(
      from: "2026-03-02T00:00:00+01:00", until: "2026-03-04T00:00:00+01:00")
    #expect(
      next.lines == [
        "2026-03-02T07:00:00+01:00 withheld", "2026-03-03T07:00:00+01:00 scheduled",
      ])
    #expect(next.doses.first?.stateReason == "edit")
    // Another edit of only the amount changes nothing about it.
    try await place.edit(plan.id, .tablet(["07:00"], slots: [1], dose: "2"))
    #expect(try await day(place, "2026-03-02") == ["2026-03-02T07:00:00+01:00 withheld"])
  }

  @Test func `a removed time is cancelled, and adding it again makes a new one`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00", "20:00"]))
    try await place.edit(plan.id, .tablet(["08:00"], slots: [1]))
    #expect(
      try await day(place, "2026-03-01") == [
        "2026-03-01T08:00:00+01:00 scheduled", "2026-03-01T20:00:00+01:00 cancelled",
      ])
    let again = try await place.edit(plan.id, .tablet(["08:00", "20:00"], slots: [1]))
    #expect(again.slots.map(\.id) == [1, 3])
    #expect(try await day(place, "2026-03-01").last == "2026-03-01T20:00:00+01:00 scheduled")
  }

  @Test func `days removed and added again keep their ids`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    let before = try await ids(place)
    try await place.edit(plan.id, .tablet(["08:00"], slots: [1], weekdays: [.sunday]))
    #expect(try await day(place, "2026-03-02") == ["2026-03-02T08:00:00+01:00 cancelled"])
    try await place.edit(plan.id, .tablet(["08:00"], slots: [1]))
    #expect(try await day(place, "2026-03-02") == ["2026-03-02T08:00:00+01:00 scheduled"])
    #expect(try await ids(place) == before)
  }

  @Test func `another kind of rule opens an era`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    let first = try #require(ClockTime(text: "10:00"))
    let hours = try await place.edit(
      plan.id, PlanDraft.tablet([]).with(.everyHours(8, first: first)))
    #expect(hours.era == 2 && hours.kind == .elapsed)
    #expect(
      try await day(place, "2026-03-01") == [
        "2026-03-01T08:00:00+01:00 cancelled", "2026-03-01T10:00:00+01:00 scheduled",
        "2026-03-01T18:00:00+01:00 scheduled",
      ])
    // Another interval gives the running numbers another meaning.
    let six = try await place.edit(
      plan.id, PlanDraft.tablet([]).with(.everyHours(6, first: first)))
    #expect(six.era == 3)
    let same = try await place.edit(
      plan.id, PlanDraft.tablet([], dose: "2").with(.everyHours(6, first: first)))
    #expect(same.era == 3)
  }

  @Test func `a stop cancels future doses and adds none`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    place.clock.set("2026-03-01T08:30:00+01:00")
    await #expect(throws: PlanError.self) { try await place.stop(plan.id, reason: "  ") }
    let stopped = try await place.stop(plan.id, reason: "Rash")
    #expect(stopped.status == "stopped")
    #expect(stopped.request.statusReasonText == "Rash")
    let week = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-08T00:00:00+01:00")
    #expect(
      week.lines == [
        "2026-03-01T08:00:00+01:00 due", "2026-03-02T08:00:00+01:00 cancelled",
        "2026-03-03T08:00:00+01:00 cancelled",
      ])
    #expect(week.unplanned.isEmpty)
    await #expect(throws: PlanError.self) { try await place.stop(plan.id) }
    await #expect(throws: PlanError.self) { try await place.edit(plan.id, .tablet(["09:00"])) }
    place.clock.advance(hours: 24 * 10)
    #expect(try await place.extendHorizon() == 0)
  }

  @Test func `a refused draft and a stale version change nothing`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    let before = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-08T00:00:00+01:00")
    await #expect(throws: PlanError.self) {
      try await place.edit(plan.id, .tablet(["08:00"], dose: "0"))
    }
    let context = place.context
    await #expect(throws: PlanError.self) {
      try await place.database.write { writer in
        _ = try PlanCommands.edit(
          plan.id, .tablet(["09:00"]), ifVersion: 7, context: context, in: writer)
      }
    }
    let after = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-08T00:00:00+01:00")
    #expect(after.doses == before.doses)
  }

  @Test func `no one else can change a plan or learn of it`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    let stranger = place.context(patients: ["bob"])
    do {
      try await place.database.write { writer in
        _ = try PlanCommands.stop(plan.id, reason: "x", context: stranger, in: writer)
      }
      Issue.record("A stranger stopped a plan.")
    } catch PlanError.notFound {
    }
  }

  @Test func `the horizon is extended in few writes, even after an outage`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    try await place.add(.tablet(["08:00"]))
    #expect(try await place.extendHorizon() == 0)
    place.clock.advance(hours: 7)
    #expect(try await place.extendHorizon() == 1)
    #expect(try await place.extendHorizon() == 0)
    place.clock.advance(hours: 24 * 5)
    #expect(try await place.extendHorizon() == 1)
    let lines = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-03-09T00:00:00+01:00"
    ).lines
    #expect(lines.count == 8)
    #expect(lines.first == "2026-03-01T08:00:00+01:00 missed")
    #expect(lines[5] == "2026-03-06T08:00:00+01:00 due")
  }

  @Test func `an ended plan is never planned again`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    try await place.add(.tablet(["08:00"], end: "2026-03-02"))
    place.clock.advance(hours: 24 * 30)
    #expect(try await place.extendHorizon() == 0)
    let lines = try await place.listing(
      from: "2026-03-01T00:00:00+01:00", until: "2026-05-01T00:00:00+01:00"
    ).lines
    #expect(lines.count == 2)
  }

  @Test func `doses of the next hour are planned before the whole horizon is`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    try await place.add(.tablet(["08:00"]))
    func isPlanned(through instant: String) async throws -> Bool {
      let instant = Timestamp(instant)
      return try await place.database.read { reader in
        try PlanCommands.isPlanned(through: instant, in: reader)
      }
    }
    #expect(try await isPlanned(through: "2026-03-02T06:00:00+01:00"))
    #expect(try await isPlanned(through: "2026-03-10T06:00:00+01:00") == false)
    place.clock.set("2026-03-09T06:00:00+01:00")
    #expect(try await isPlanned(through: "2026-03-09T07:00:00+01:00") == false)
    try await place.extendHorizon()
    #expect(try await isPlanned(through: "2026-03-09T07:00:00+01:00"))
  }

  @Test func `a dose beyond the horizon gets a row when it is answered`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let plan = try await place.add(.tablet(["08:00"]))
    let date = try #require(CivilDate(text: "2026-03-20"))
    let id = DoseID(plan: plan.id, era: 1, occurrence: .slot(date: date, slot: 1))
    let other = DoseID(plan: plan.id, era: 1, occurrence: .slot(date: date, slot: 9))
    let zones = place.zones
    let made = try await place.database.write { writer in
      [
        try DoseQueries.materialise(id, patient: TestPlace.patient, zones: zones, in: writer),
        try DoseQueries.materialise(other, patient: TestPlace.patient, zones: zones, in: writer),
      ]
    }
    #expect(made == [true, false])
    try await take(place, id)
    let listed = try await place.listing(
      from: "2026-03-19T00:00:00+01:00", until: "2026-03-22T00:00:00+01:00")
    #expect(
      listed.lines == [
        "2026-03-19T08:00:00+01:00 scheduled", "2026-03-20T08:00:00+01:00 taken",
        "2026-03-21T08:00:00+01:00 scheduled",
      ])
    place.clock.set("2026-03-19T06:00:00+01:00")
    try await place.extendHorizon()
    #expect(try await day(place, "2026-03-20") == ["2026-03-20T08:00:00+01:00 taken"])
  }

  @Test func `a preview shows the days of a draft`() throws {
    let zone = Zone.utc
    let doses = PlanQueries.preview(
      .tablet(["08:00", "20:00"]), from: Timestamp("2026-03-01T09:00:00+00:00"), days: 3,
      zone: zone, rhythm: .standard)
    #expect(doses.count == 5)
    #expect(
      doses.first?.due.milliseconds == Timestamp("2026-03-01T20:00:00+00:00").milliseconds)
  }
}
