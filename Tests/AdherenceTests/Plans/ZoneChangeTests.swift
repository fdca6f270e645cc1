// SPDX-License-Identifier: Apache-2.0
import Dosing
import FHIR
import People
import Plans
import Scheduling
import Storage
import Testing
import TestSupport

struct ZoneChangeTests {
  private func take(_ place: TestPlace, _ id: DoseID) async throws {
    let context = place.context
    try await place.database.write { writer in
      _ = try AnswerCommands.answer(
        id, patient: TestPlace.patient, AnswerRequest(action: .taken, confirm: true),
        context: context, in: writer)
    }
  }

  private func answerDue(_ place: TestPlace) async throws {
    let past = try await place.listing(
      from: place.now.adding(milliseconds: -86_400_000), until: place.now.adding(milliseconds: 1))
    for dose in past.doses where dose.state == .due { try await take(place, dose.id) }
  }

  private func next(_ place: TestPlace, hours: Int64) async throws -> [String] {
    try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: hours * 3_600_000)
    ).lines
  }

  @Test func `a zone with the same wall clock only changes the era`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00", zone: "Europe/Berlin")
    try await place.add(.tablet(["08:00", "20:00"]))
    let before = try await next(place, hours: 40)
    place.clock.set("2026-03-01T07:00:00+01:00")
    try await place.move(to: "Europe/Oslo")
    let listing = try await place.listing(
      from: "2026-03-01T06:00:00+01:00", until: "2026-03-02T22:00:00+01:00")
    #expect(listing.lines == before)
    #expect(Set(listing.doses.map(\.id.era)) == [2])
  }

  @Test func `going west, a dose too soon after the last one is held back`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00", zone: "Europe/Berlin")
    try await place.add(.tablet(["08:00"]))
    place.clock.set("2026-03-01T08:00:00+01:00")
    try await answerDue(place)
    place.clock.set("2026-03-01T10:00:00+01:00")
    try await place.move(to: "America/New_York")
    #expect(
      try await next(place, hours: 40) == [
        "2026-03-01T08:00:00-05:00 withheld", "2026-03-02T08:00:00-05:00 scheduled",
      ])
  }

  @Test func `going east, a dose whose new time has passed keeps its old one`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00-05:00", zone: "America/New_York")
    try await place.add(.tablet(["08:00", "20:00"]))
    place.clock.set("2026-03-01T08:00:00-05:00")
    try await answerDue(place)
    place.clock.set("2026-03-01T15:00:00-05:00")
    try await place.move(to: "Europe/Berlin")
    let listing = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 24 * 3_600_000))
    #expect(
      listing.lines == [
        "2026-03-02T02:00:00+01:00 scheduled", "2026-03-02T08:00:00+01:00 scheduled",
        "2026-03-02T20:00:00+01:00 scheduled",
      ])
    #expect(listing.doses.map(\.id.era) == [1, 2, 2])
  }

  @Test func `clock times instead of hours follow the patient unless a policy is set`()
    async throws
  {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00", zone: "Europe/Oslo")
    let hours: JSONValue = ["repeat": ["frequency": 1, "period": 8, "periodUnit": "h"]]
    let noon: JSONValue = ["repeat": ["timeOfDay": ["12:00:00"]]]
    try await place.receive(medicationRequest(timing: hours), id: "p")
    try await place.receive(medicationRequest(timing: noon), id: "p")
    var stated = PlanDraft.tablet(["12:00"])
    stated.policy = .elapsed
    let kept = try await place.add(stated)
    try await place.receive(medicationRequest(timing: noon), id: kept.id)
    try await place.move(to: "America/New_York")
    let listing = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 20 * 3_600_000))
    #expect(
      listing.doses.filter { $0.state == .scheduled }.map(\.plan) == [kept.id, "p"])
    #expect(
      listing.lines.filter { $0.hasSuffix("scheduled") } == [
        "2026-03-01T06:00:00-05:00 scheduled", "2026-03-01T12:00:00-05:00 scheduled",
      ])
  }

  @Test func `from Auckland to Honolulu a date occurs twice`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+13:00", zone: "Pacific/Auckland")
    try await place.add(.tablet(["08:00", "20:00"], start: "2026-02-01"))
    place.clock.set("2026-03-01T08:00:00+13:00")
    try await answerDue(place)
    // 2026-02-28 11:00 in Honolulu.
    place.clock.set("2026-03-01T10:00:00+13:00")
    try await place.move(to: "Pacific/Honolulu")
    let listing = try await place.listing(
      from: place.now.adding(milliseconds: -7_200_000),
      until: place.now.adding(milliseconds: 40 * 3_600_000))
    #expect(
      listing.lines == [
        "2026-02-28T09:00:00-10:00 taken", "2026-02-28T20:00:00-10:00 scheduled",
        "2026-03-01T08:00:00-10:00 scheduled", "2026-03-01T20:00:00-10:00 scheduled",
      ])
    #expect(Set(listing.doses.map(\.id)).count == 4)
    // 1 March in both eras: the same date and slot, distinguished by the era.
    #expect(
      listing.doses.map { $0.id.text.split(separator: "_").suffix(2).joined(separator: "_") } == [
        "1_20260301-1", "2_20260228-2", "2_20260301-1", "2_20260301-2",
      ])
  }

  @Test func `from Honolulu to Auckland a date is skipped, but no dose is lost`() async throws {
    let place = try await TestPlace(at: "2026-02-28T06:00:00-10:00", zone: "Pacific/Honolulu")
    try await place.add(.tablet(["08:00", "20:00"], start: "2026-02-01"))
    place.clock.set("2026-02-28T08:00:00-10:00")
    try await answerDue(place)
    // 2026-03-01 10:00 in Auckland.
    place.clock.set("2026-02-28T11:00:00-10:00")
    try await place.move(to: "Pacific/Auckland")
    #expect(
      try await next(place, hours: 30) == [
        "2026-03-01T20:00:00+13:00 scheduled", "2026-03-02T08:00:00+13:00 scheduled",
      ])
  }

  @Test(arguments: [ZonePolicy.home, .elapsed])
  func `a plan that stays at home does not move`(policy: ZonePolicy) async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00", zone: "Europe/Berlin")
    let plan = try await place.add(.tablet(["08:00"], policy: policy))
    try await place.move(to: "America/New_York")
    #expect(
      try await next(place, hours: 40) == [
        "2026-03-01T02:00:00-05:00 scheduled", "2026-03-02T02:00:00-05:00 scheduled",
      ])
    // Follows from now on: the plan moves to the person's place.
    let followed = try await place.edit(plan.id, .tablet(["08:00"], slots: [1]))
    // A plan that keeps the hours followed its own clock meanwhile.
    #expect(followed.era == (policy == .home ? 2 : 3) && followed.zone == "America/New_York")
    #expect(try await next(place, hours: 20) == ["2026-03-01T08:00:00-05:00 scheduled"])
  }

  @Test func `intervals continue through a zone change`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00", zone: "Europe/Berlin")
    let timing: JSONValue = [
      "repeat": [
        "period": 8, "periodUnit": "h", "boundsPeriod": ["start": "2026-03-01T07:00:00+01:00"],
      ]
    ]
    let plan = try await place.receive(medicationRequest(timing: timing))
    #expect(plan.policy == .elapsed)
    try await place.move(to: "Asia/Bangkok")
    #expect(
      try await next(place, hours: 16) == [
        "2026-03-01T13:00:00+07:00 scheduled", "2026-03-01T21:00:00+07:00 scheduled",
      ])
  }

  @Test func `daylight saving time keeps clock times and shifts intervals`() async throws {
    let place = try await TestPlace(at: "2026-03-28T06:00:00+01:00", zone: "Europe/Berlin")
    try await place.add(.tablet(["02:30"], start: "2026-03-28"))
    #expect(
      try await place.listing(
        from: "2026-03-28T00:00:00+01:00", until: "2026-03-31T00:00:00+02:00"
      ).lines == [
        "2026-03-29T03:00:00+02:00 scheduled", "2026-03-30T02:30:00+02:00 scheduled",
      ])
  }

  @Test func `every other day stays every other day while travelling`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+13:00", zone: "Pacific/Auckland")
    let timing: JSONValue = [
      "repeat": [
        "timeOfDay": ["08:00:00"], "period": 2, "periodUnit": "d",
        "boundsPeriod": ["start": "2026-02-28T12:00:00Z"],
      ]
    ]
    // The start is 1 March in Auckland: doses on 1, 3, 5 March, here and elsewhere.
    try await place.receive(medicationRequest(timing: timing))
    place.clock.set("2026-03-01T09:00:00+13:00")
    try await place.move(to: "Europe/Berlin")
    let dates = try await next(place, hours: 24 * 6).map { $0.prefix(10) }
    #expect(dates == ["2026-03-01", "2026-03-03", "2026-03-05"])
  }

  @Test func `a moved meal takes its doses along`() async throws {
    let place = try await TestPlace(at: "2026-03-01T06:00:00+01:00")
    let draft = PlanDraft.tablet([]).with(
      .meals([DraftMeal(event: .beforeDinner)], weekdays: Set(Weekday.allCases)))
    let plan = try await place.add(draft)
    let before = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 86_400_000))
    #expect(before.lines == ["2026-03-01T18:00:00+01:00 scheduled"])
    let seven = try #require(ClockTime(text: "19:00"))
    try await place.change { $0.rhythm.dinner = seven }
    let after = try await place.listing(
      from: place.now, until: place.now.adding(milliseconds: 86_400_000))
    #expect(after.lines == ["2026-03-01T18:30:00+01:00 scheduled"])
    #expect(after.doses.map(\.id) == before.doses.map(\.id))
    #expect(plan.era == 1)
  }
}
