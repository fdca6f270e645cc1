// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization
import People
import Plans
import Scheduling
import Storage
import Testing
import TestSupport
import TimeZones

struct PlanDraftTests {
  private static func issues(_ draft: PlanDraft) throws -> [DraftIssue] {
    draft.issues(
      today: try #require(CivilDate(text: "2026-03-01")),
      zone: try ZoneCatalog().zone("Europe/Berlin"), rhythm: .standard)
  }

  private static let morning = [DraftTime(time: .midnight)]

  @Test(arguments: [
    (PlanDraft.tablet(["08:00"]), nil),
    (.tablet(["08:00"], name: "  "), DraftIssue(.name, .missing)),
    (.tablet(["08:00"], name: String(repeating: "x", count: 201)), DraftIssue(.name, .tooLong)),
    (.tablet(["08:00"], dose: ""), DraftIssue(.dose, .missing)),
    (.tablet(["08:00"], dose: "one"), DraftIssue(.dose, .notANumber)),
    (.tablet(["08:00"], dose: "-1"), DraftIssue(.dose, .notANumber)),
    (.tablet(["08:00"], dose: "0,0"), DraftIssue(.dose, .zeroDose)),
    (.tablet(["08:00"], dose: "999999999999"), DraftIssue(.dose, .outOfRange)),
    (.tablet([]), DraftIssue(.times, .missing)),
    (.tablet(["08:00", "08:00"]), DraftIssue(.times, .duplicateTime)),
    (.tablet(["08:00"], weekdays: []), DraftIssue(.weekdays, .missing)),
    (.tablet(["08:00"], end: "2026-02-28"), DraftIssue(.end, .endBeforeStart)),
    (.tablet(["08:00"], start: "2020-01-01", end: "2020-02-01"), DraftIssue(.end, .neverFires)),
    (.tablet(["08:00"], weekdays: [.monday], end: "2026-03-01"), DraftIssue(.end, .neverFires)),
    (.tablet(["08:00"], start: "1800-01-01"), DraftIssue(.start, .outOfRange)),
    (.tablet(["08:00"], start: "2126-01-01"), DraftIssue(.start, .outOfRange)),
    (.tablet(["08:00"]).with(.everyHours(0, first: .midnight)), DraftIssue(.hours, .outOfRange)),
    (.tablet(["08:00"]).with(.everyHours(999, first: .midnight)), DraftIssue(.hours, .outOfRange)),
    (.tablet(["08:00"]).with(.everyDays(0, times: morning)), DraftIssue(.days, .outOfRange)),
    (
      .tablet(["08:00"]).with(.meals([], weekdays: Set(Weekday.allCases))),
      DraftIssue(.meals, .missing)
    ),
    (
      .tablet(["08:00"]).with(
        .meals(
          [DraftMeal(event: .breakfast, offsetMinutes: 10)], weekdays: Set(Weekday.allCases))),
      DraftIssue(.meals, .outOfRange)
    ),
  ])
  func `invalid plans are refused with their field`(draft: PlanDraft, issue: DraftIssue?) throws {
    #expect(try Self.issues(draft) == (issue.map { [$0] } ?? []))
  }

  @Test func `a strength needs a number and a unit`() throws {
    var draft = PlanDraft.tablet(["08:00"])
    draft.strengthValue = "5"
    #expect(try Self.issues(draft) == [DraftIssue(.strength, .missing)])
    draft.strengthUnit = "mg"
    #expect(try Self.issues(draft).isEmpty)
    draft.doseUnit = "handful"
    #expect(try Self.issues(draft) == [DraftIssue(.dose, .unknownUnit)])
  }

  @Test(arguments: [
    DraftSchedule.times(
      [DraftTime(slot: 1, time: .midnight)], weekdays: Set(Weekday.allCases)),
    .times([DraftTime(slot: 1, time: .midnight)], weekdays: [.monday, .friday]),
    .everyDays(3, times: [DraftTime(slot: 1, time: .midnight)]),
    .everyHours(6, first: .midnight),
    .meals(
      [
        DraftMeal(slot: 1, event: .beforeBreakfast, offsetMinutes: 20),
        DraftMeal(slot: 2, event: .bedtime),
      ], weekdays: [.sunday]),
  ])
  func `a request reads back as the draft that made it`(schedule: DraftSchedule) throws {
    var draft = PlanDraft.tablet(["08:00"], end: "2026-06-30").with(schedule)
    draft.form = .tablet
    draft.strengthValue = "2.50"
    draft.strengthUnit = "mg"
    draft.instruction = "With water"
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    let request = draft.medicationRequest(
      patient: "ann", authoredOn: Timestamp("2026-03-01T09:00:00+01:00"), zone: zone,
      replacing: nil)
    #expect(ResourceValidator.issues(in: request, expecting: .medicationRequest).isEmpty)
    let slots = [
      PlanSlot(id: 1, dosage: 0, time: .clock(.midnight)),
      PlanSlot(id: 1, dosage: 0, time: .event(.beforeBreakfast, offsetMinutes: 20)),
      PlanSlot(id: 2, dosage: 1, time: .event(.bedtime, offsetMinutes: nil)),
    ]
    let read = PlanDraft(
      medicationRequest: request, slots: slots, zone: zone, start: .earliest, policy: .follow)
    #expect(read == draft)
  }

  @Test func `editing keeps elements that the form doesn't show`() throws {
    let zone = try ZoneCatalog().zone("Europe/Berlin")
    var existing = medicationRequest(
      timing: ["repeat": ["timeOfDay": ["08:00:00"], "period": 1, "periodUnit": "d"]],
      dosage: [
        "text": "one in the morning", "route": ["text": "oral"],
        "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
      ])
    existing["note"] = [["text": "kept"]]
    existing["medicationCodeableConcept"] = [
      "coding": [["system": "http://example.org", "code": "b5"]], "text": "Bisoprolol",
    ]
    let start = try #require(CivilDate(text: "2026-03-01"))
    var draft = try #require(
      PlanDraft(
        medicationRequest: existing, slots: [], zone: zone, start: start, policy: .follow))
    let nine = try #require(ClockTime(text: "09:00"))
    draft.schedule = .times([DraftTime(time: nine)], weekdays: Set(Weekday.allCases))
    let edited = draft.medicationRequest(
      patient: "ann", authoredOn: nil, zone: zone, replacing: existing)
    #expect(edited["note"] == existing["note"])
    #expect(edited["intent"]?.string == "order")
    #expect(edited["medicationCodeableConcept"] == existing["medicationCodeableConcept"])
    let dosage = edited["dosageInstruction"]?[0]
    #expect(dosage?["route"]?["text"]?.string == "oral")
    #expect(dosage?["text"] == nil)
    #expect(dosage?["timing"]?["repeat"]?["timeOfDay"]?[0]?.string == "09:00:00")
    draft.medicineName = "Metoprolol"
    let renamed = draft.medicationRequest(
      patient: "ann", authoredOn: nil, zone: zone, replacing: existing)
    #expect(renamed["medicationCodeableConcept"] == nil)
    #expect(MedicationRequestView(renamed).medicationName == "Metoprolol")
    #expect(ResourceValidator.issues(in: renamed, expecting: .medicationRequest).isEmpty)
  }

  @Test(arguments: [
    ("1", "1"), (" 0,5 ", "0.5"), (".5", "0.5"), ("007", "7"), ("1.", "1"), ("0", "0"),
    ("1e3", nil), ("", nil), (".", nil), ("1.2.3", nil), ("٣", nil), ("-1", nil),
  ])
  func `decimals are accepted as people write them`(typed: String, expected: String?) {
    #expect(DraftText.decimal(typed) == expected)
  }

  @Test(arguments: Language.allCases)
  func `every reason has words in every language`(language: Language) {
    let localizer = Localizer.of(language)
    let reasons: [UnplannedReason] = [
      .status("on-hold"), .intent("proposal"), .doNotPerform, .unknownModifier, .textOnly,
      .asNeeded, .unsupportedTiming(element: "count"), .invalidTiming(element: "period"),
      .nothingToExpand, .neverFires, .severalIntervals, .sequence, .tooFrequent, .unknownZone,
      .ended(on: CivilDate(daysSinceEpoch: 20_150)),
    ]
    var texts = reasons.map { $0.text(localizer) }
    for field in DraftField.allCases {
      texts += DraftReason.allCases.map { DraftIssue(field, $0).text(localizer) }
    }
    for field in PatientDetailsIssue.Field.allCases {
      texts += PatientDetailsIssue.Reason.allCases.map {
        PatientDetailsIssue(field, $0).text(localizer)
      }
    }
    #expect(texts.allSatisfy { !$0.isEmpty && !$0.hasPrefix("plans.") && !$0.contains("{") })
  }
}
