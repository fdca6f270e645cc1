// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Localization
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

@testable import Dosing
@testable import People
@testable import Plans

@Suite struct AsNeededDraftTests {
  private static let zone = "Europe/Berlin"

  private static func issues(_ draft: PlanDraft) throws -> [DraftIssue] {
    draft.issues(
      today: try #require(CivilDate(text: "2026-03-01")), zone: try ZoneCatalog().zone(zone),
      rhythm: .standard)
  }

  @Test(arguments: [
    DraftLimits(), DraftLimits(gapHours: 6), DraftLimits(count: 4),
    DraftLimits(gapHours: 4, count: 3, amount: "8", days: 10), DraftLimits(amount: "2.5"),
  ])
  func `the form reads back what it wrote, and the request is valid`(limits: DraftLimits)
    async throws
  {
    let place = try await TestPlace()
    var draft = PlanDraft.needed(reason: "Headache")
    draft.limits = limits
    let plan = try await place.add(draft)
    #expect(plan.unplanned == .asNeeded)
    let issues = ResourceValidator.issues(in: plan.request.json, expecting: .medicationRequest)
    #expect(issues.filter { $0.severity == .error }.isEmpty, "\(issues)")
    let zone = try ZoneCatalog().zone(Self.zone)
    let read = try #require(
      PlanDraft(
        medicationRequest: plan.request.json, slots: plan.slots, zone: zone, start: draft.start,
        policy: plan.policy))
    #expect(read.limits == limits && read.schedule == .asNeeded(reason: "Headache"))
    #expect(plan.minimumGapMilliseconds == limits.gapHours.map { Int64($0) * 3_600_000 })
    let stored = try await place.database.read { reader in
      try LimitRows.stated(patient: TestPlace.patient, in: reader).first?.limits
    }
    #expect(stored?.counts.map(\.most) ?? [] == [limits.count].compactMap(\.self))
    #expect(stored?.days == limits.days)
    #expect(stored?.amounts.map(\.value) ?? [] == [limits.amount].compactMap(\.self))
    // Back to fixed times: the as-needed parts are removed, the maximum stays.
    let scheduled = try await place.edit(plan.id, PlanDraft.tablet(["08:00"]))
    #expect(scheduled.unplanned == nil)
    #expect(!scheduled.request.json.bytesText.contains("urn:regimen:limits"))
  }

  @Test func `imported limits are read in codes and other time units`() throws {
    func limits(_ dosage: JSONValue) -> PlanLimits {
      PlanLimits(MedicationRequestView(["dosageInstruction": [dosage]]))
    }
    #expect(
      limits(["asNeededBoolean": true, "timing": ["code": ["coding": [["code": "Q6H"]]]]]).gap
        == Int64(21_600_000))
    let fourTimes: JSONValue = ["repeat": ["frequency": 4, "period": 1, "periodUnit": "d"]]
    #expect(limits(["asNeededBoolean": true, "timing": fourTimes]).counts.map(\.most) == [4])
    // For a dosage with times, the Timing is not a limit.
    #expect(limits(["timing": fourTimes]).isEmpty)
    let most: JSONValue = [
      "numerator": ["value": 4, "unit": "g", "code": "g"],
      "denominator": ["value": 1, "unit": "day", "code": "d"],
    ]
    #expect(limits(["maxDosePerPeriod": most]).amounts.map(\.milliseconds) == [86_400_000])
    #expect(limits(["maxDosePerPeriod": [most, most]]).amounts.count == 1)
    #expect(limits(["maxDosePerPeriod": ["numerator": ["value": -1]]]).isEmpty)
    let kept = limits(["asNeededBoolean": true, "timing": fourTimes, "maxDosePerPeriod": most])
    #expect(PlanLimits(text: kept.text) == kept)
    #expect(PlanLimits(text: "{") == nil)
  }

  @Test func `a plan above its own maximum is refused with the two lines`() throws {
    var draft = PlanDraft.tablet(["08:00", "14:00", "20:00"])
    draft.doseValue = "2"
    draft.limits.amount = "6"
    #expect(try Self.issues(draft).isEmpty)
    draft.limits.amount = "5"
    let issue = try #require(try Self.issues(draft).first)
    #expect(issue.field == .maximum && issue.reason == .clash)
    #expect(
      issue.text(.of(.en))
        == "These two contradict each other: “The doses add up to 6 tablets in 24 hours” and "
        + "“No more than 5 tablets in 24 hours”. Correct one of them.")
    draft.limits.amount = "1"
    #expect(
      try Self.issues(draft).first?.clash?.one
        == .dose(Amount(value: "2", unit: "tablet", code: "{tablet}")!))
    var needed = PlanDraft.needed(gap: 0, count: 99, amount: "x", days: 32)
    #expect(
      try Self.issues(needed)
        == [
          DraftIssue(.gap, .outOfRange), DraftIssue(.count, .outOfRange),
          DraftIssue(.monthlyDays, .outOfRange), DraftIssue(.maximum, .notANumber),
        ])
    needed.limits = DraftLimits(gapHours: 6, count: 4, amount: "4", days: 10)
    #expect(try Self.issues(needed).isEmpty)
  }

  @Test func `over FHIR such a plan is refused too, whichever line is wrong`() async throws {
    let place = try await TestPlace()
    func request(_ most: JSONValue) -> JSONValue {
      [
        "resourceType": "MedicationRequest", "status": "active", "intent": "order",
        "subject": ["reference": "Patient/ann"],
        "medicationCodeableConcept": ["text": "Paracetamol"],
        "dosageInstruction": [
          [
            "timing": ["repeat": ["timeOfDay": ["08:00:00", "20:00:00"]]],
            "doseAndRate": [["doseQuantity": ["value": 2, "unit": "tablet", "code": "{tablet}"]]],
            "maxDosePerPeriod": [
              "numerator": ["value": most, "unit": "tablet", "code": "{tablet}"],
              "denominator": ["value": 24, "unit": "h", "code": "h"],
            ],
          ]
        ],
      ]
    }
    do {
      try await place.receive(request(3))
      Issue.record("taken")
    } catch PlanError.invalidResource(let issues) {
      #expect(
        issues.compactMap(\.expression).sorted() == [
          "MedicationRequest.dosageInstruction.maxDosePerPeriod",
          "MedicationRequest.dosageInstruction.timing",
        ])
    }
    let plan = try await place.receive(request(4))
    await #expect(throws: PlanError.self) { try await place.receive(request(1), id: plan.id) }
  }

  @Test func `as-needed medicines show the next time and the amount left`() async throws {
    let place = try await TestPlace(at: "2026-03-01T08:00:00+01:00")
    let plan = try await place.add(.needed(gap: 6, count: 3))
    func now() async throws -> AsNeededMedicine {
      let (instant, zones) = (place.now, place.zones)
      let found = try await place.database.read { reader in
        try AsNeededQueries.all(
          patient: TestPlace.patient, now: instant, zones: zones, in: reader)
      }
      return try #require(found.first)
    }
    #expect(try await now().isAllowed(at: place.now))
    let context = place.context
    for hours in [1, 8] as [Int64] {
      let at = place.now.adding(milliseconds: -hours * 3_600_000)
      _ = try await place.database.write { writer in
        try IntakeCommands.record(
          AdministrationRequest(patient: TestPlace.patient, medicine: plan.id.text, at: at),
          context: context, in: writer)
      }
    }
    let medicine = try await now()
    #expect(medicine.next == Timestamp("2026-03-01T13:00:00+01:00"))
    #expect(medicine.left == 1 && medicine.isLast && medicine.plan == plan.id)
    #expect(medicine.last?.taken == Timestamp("2026-03-01T07:00:00+01:00"))
  }
}

extension JSONValue {
  fileprivate var bytesText: String { String(decoding: bytes, as: UTF8.self) }
}
