// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import People
@testable import Plans

@Suite struct MissedDoseAdviceTests {
  /// Returns a dose of eight o'clock that is missed at noon, with the next at twenty.
  private static func dose(now: String, next: String? = "2026-03-01T20:00:00+01:00") -> Dose {
    let due = Timestamp("2026-03-01T08:00:00+01:00")
    return Dose(
      id: DoseID(plan: "p", era: 1, occurrence: .running(0)), patient: "ann", medicineName: "X",
      due: due, onTimeUntil: due.adding(milliseconds: 3_600_000),
      lateUntil: due.adding(milliseconds: 4 * 3_600_000), nextDue: next.map { Timestamp($0) },
      amount: nil, stored: .open, stateReason: nil, laterUntil: nil, version: 1, answer: nil,
      now: Timestamp(now))
  }

  @Test(arguments: [
    (nil, "12:30", MissAdvice.ask),
    (MissedDoseAdvice.skip, "12:30", .skip(next: Timestamp("2026-03-01T20:00:00+01:00"))),
    (.skip, "21:00", .skip(next: nil)),
    (.takeUntil(hours: 6), "13:59", .takeUntil(Timestamp("2026-03-01T14:00:00+01:00"))),
    (
      .takeUntil(hours: 6), "14:00",
      .tooLate(
        since: Timestamp("2026-03-01T14:00:00+01:00"),
        next: Timestamp("2026-03-01T20:00:00+01:00"))
    ),
    (
      .shift(hours: 8), "13:00",
      .shift(hours: 8, nextFrom: Timestamp("2026-03-01T21:00:00+01:00"))
    ),
    // The next one is already due, which the rule does not cover.
    (.shift(hours: 8), "20:00", .ask),
  ])
  func `advice depends only on the rule and the clock`(
    rule: MissedDoseAdvice?, time: String, advice: MissAdvice
  ) {
    let now = "2026-03-01T\(time):00+01:00"
    #expect(MissAdvice(rule, for: Self.dose(now: now), now: Timestamp(now)) == advice)
  }

  @Test(arguments: [MissedDoseAdvice.skip, .takeUntil(hours: 5), .shift(hours: 8), nil])
  func `the form reads back the rule, and the request is valid`(rule: MissedDoseAdvice?)
    async throws
  {
    let place = try await TestPlace()
    var draft = PlanDraft.tablet(["08:00", "20:00"])
    draft.missedDoseAdvice = rule
    let plan = try await place.add(draft)
    let issues = ResourceValidator.issues(in: plan.request.json, expecting: .medicationRequest)
    #expect(issues.filter { $0.severity == .error }.isEmpty, "\(issues)")
    #expect(MissedDoseAdvice(plan.request) == rule)
    let read = PlanDraft(
      medicationRequest: plan.request.json, slots: plan.slots,
      zone: try ZoneCatalog().zone("Europe/Berlin"), start: draft.start, policy: plan.policy)
    #expect(read?.missedDoseAdvice == rule)
    let stored = try await place.database.read { reader in
      try MissedDoseAdviceQueries.rules(
        of: [plan.id, "other"], patient: TestPlace.patient, in: reader)
    }
    #expect(stored[plan.id] == rule && stored["other"] == nil)
    draft.missedDoseAdvice = nil
    #expect(MissedDoseAdvice(try await place.edit(plan.id, draft).request) == nil)
  }

  @Test func `rules that aren't understood are ignored`() {
    func rule(_ parts: JSONValue) -> MissedDoseAdvice? {
      MissedDoseAdvice(
        MedicationRequestView([
          "extension": [["url": .string(MissedDoseAdvice.url), "extension": parts]]
        ]))
    }
    #expect(rule([["url": "rule", "valueCode": "skip"]]) == .skip)
    #expect(rule([["url": "rule", "valueCode": "take-until"]]) == nil)
    #expect(rule([["url": "rule", "valueCode": "double"]]) == nil)
    #expect(
      rule([
        ["url": "rule", "valueCode": "take-until"], ["url": "hours", "valuePositiveInt": 9_999],
      ]) == nil)
  }

  @Test func `a rule that reaches the next dose conflicts with the times`() throws {
    func issues(_ rule: MissedDoseAdvice) throws -> [DraftIssue] {
      var draft = PlanDraft.tablet(["08:00", "20:00"])
      draft.missedDoseAdvice = rule
      return draft.issues(
        today: try #require(CivilDate(text: "2026-03-01")),
        zone: try ZoneCatalog().zone("Europe/Berlin"), rhythm: .standard)
    }
    #expect(try issues(.takeUntil(hours: 11)).isEmpty)
    #expect(try issues(.shift(hours: 12)).isEmpty)
    let issue = try #require(try issues(.takeUntil(hours: 12)).first)
    #expect(issue.field == .missedDoseAdvice)
    #expect(
      issue.text(.of(.en))
        == "These two contradict each other: “A missed dose can be taken for 12 hours” and “The next "
        + "dose comes after 12 hours”. Correct one of them.")
    #expect(try issues(.shift(hours: 13)).first?.clash?.one == .waitAfterMiss(hours: 13))
  }

  @Test func `practitioner and pharmacy are stored in the Patient and read back`() async throws {
    let place = try await TestPlace()
    try await place.change { details in
      details.practitioner = CareContact(.practitioner, name: "Dr Berg", phone: "+49 30 1")
      details.pharmacy = CareContact(.pharmacy, phone: "+49 30 2")
    }
    let details = try #require(
      try await place.database.read { try PeopleQueries.details(TestPlace.patient, in: $0) })
    #expect(details.details.contacts.map(\.phone) == ["+49 30 1", "+49 30 2"])
    #expect(details.details.practitioner.name == "Dr Berg" && details.details.pharmacy.name.isEmpty)
    let patient = details.details.resource(replacing: ["resourceType": "Patient"])
    let issues = ResourceValidator.issues(in: patient, expecting: .patient)
    #expect(issues.filter { $0.severity == .error }.isEmpty, "\(issues)")
    try await place.change { details in
      details.practitioner = CareContact(.practitioner)
      details.pharmacy = CareContact(.pharmacy)
    }
    let after = try await place.database.read {
      try PeopleQueries.details(TestPlace.patient, in: $0)
    }
    #expect(after?.details.contacts == [])
  }
}
