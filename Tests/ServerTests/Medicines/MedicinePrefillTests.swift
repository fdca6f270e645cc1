// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Scheduling
import Testing
import TestSupport

@testable import MedicinePages
@testable import People
@testable import Plans
@testable import Web

/// The form of a stored medicine, and the result of posting it unchanged.
@Suite struct MedicinePrefillTests {
  static let everyDay = Set(Weekday.allCases)

  static let schedules: [DraftSchedule] = [
    .times(
      [MedicineInputTests.time("08:00", slot: 2), MedicineInputTests.time("20:00", slot: 7)],
      weekdays: everyDay),
    .times([MedicineInputTests.time("08:00", slot: 1)], weekdays: [.tuesday, .sunday]),
    .everyHours(6, first: ClockTime(text: "05:30") ?? .midnight),
    .everyDays(3, times: [MedicineInputTests.time("21:15", slot: 4)]),
    .meals(
      [
        DraftMeal(slot: 1, event: .beforeBreakfast, offsetMinutes: 20),
        DraftMeal(slot: 3, event: .dinner),
      ], weekdays: [.monday]),
    .meals([DraftMeal(slot: 5, event: .morning)], weekdays: everyDay),
  ]

  static func draft(_ schedule: DraftSchedule) -> PlanDraft {
    PlanDraft(
      medicineName: "Ramipril <5>", form: .capsule, strengthValue: "2.50", strengthUnit: "mg",
      doseValue: "0.5", doseUnit: "capsule", schedule: schedule, start: MedicineForms.today,
      end: MedicineForms.today.adding(days: 90), instruction: "With water",
      policy: { if case .everyHours = schedule { .elapsed } else { .home } }())
  }

  @Test(arguments: schedules, Language.allCases)
  func `a form saved unchanged gives the same draft and slots`(
    schedule: DraftSchedule, language: Language
  ) throws {
    let draft = Self.draft(schedule)
    let shown = try #require(MedicineInput(draft, localizer: .of(language)))
    let sent = MedicineInput(form: Self.sent(shown))
    let reading = sent.read(today: MedicineForms.today, zone: .utc, rhythm: .standard)
    #expect(reading.issues == [])
    #expect(reading.draft.schedule == schedule)
    #expect(reading.draft.policy == draft.policy)
    #expect(reading.draft.end == draft.end)
    // The decimals may come back with the language's comma.
    let before = draft.medicationRequest(
      patient: "ann", authoredOn: nil, zone: .utc, replacing: nil)
    let after = reading.draft.medicationRequest(
      patient: "ann", authoredOn: nil, zone: .utc, replacing: before)
    #expect(after == before)
  }

  /// Returns the fields as the page renders them: every row with its slot, each event of a meal
  /// with its own.
  static func sent(_ input: MedicineInput) -> FormBody {
    var pairs = [
      ("name", input.name), ("form", input.form), ("strength-value", input.strengthValue),
      ("strength-unit", input.strengthUnit), ("dose-value", input.doseValue),
      ("dose-unit", input.doseUnit), ("schedule", input.schedule?.rawValue ?? ""),
      ("hours", input.hours), ("first-time", input.firstTime), ("days", input.days),
      ("meal-offset", input.mealOffset), ("start", input.start), ("end", input.end),
      ("instruction", input.instruction), ("policy", input.policy),
      ("meal-days", input.mealDays?.rawValue ?? ""),
    ]
    for (name, rows) in [("time", input.times), ("days-time", input.daysTimes)] {
      for row in rows + [MedicineInput.TimeRow(slot: nil, text: "")] {
        pairs.append((name, row.text))
        pairs.append(("\(name)-slot", row.slot.map { String($0) } ?? ""))
      }
    }
    pairs += input.weekdays.map { ("weekday", $0) } + input.meals.map { ("meal", $0) }
    pairs += input.mealSlots.map { ("meal-slot", "\($0.key):\($0.value)") }
    return FormBody(pairs: pairs.map { FormPair(name: $0.0, value: $0.1) })
  }

  @Test func `the form can't show meals with different offsets`() {
    let draft = Self.draft(
      .meals(
        [
          DraftMeal(event: .beforeBreakfast, offsetMinutes: 20),
          DraftMeal(event: .beforeDinner, offsetMinutes: 40),
        ], weekdays: Self.everyDay))
    #expect(MedicineInput(draft, localizer: .of(.en)) == nil)
  }

  @Test func `entering times keeps the medicine and the sender's text`() {
    let request = MedicationRequestView([
      "resourceType": "MedicationRequest", "status": "active", "intent": "order",
      "medicationReference": ["reference": "#m"],
      "contained": [
        [
          "resourceType": "Medication", "id": "m", "code": ["text": "Prednisolone"],
          "ingredient": [
            ["strength": ["numerator": ["value": 5, "unit": "mg"]]]
          ],
        ]
      ],
      "dosageInstruction": [
        [
          "text": "Taper as discussed",
          "doseAndRate": [["doseQuantity": ["value": 2, "code": "{tbl}"]]],
        ]
      ],
    ])
    let input = MedicineInput(
      entering: request, today: MedicineForms.today, localizer: .of(.en))
    #expect(input.name == "Prednisolone")
    #expect(input.strengthValue == "5" && input.strengthUnit == "mg")
    #expect(input.doseValue == "2" && input.doseUnit == "tablet")
    #expect(input.instruction == "Taper as discussed")
    #expect(input.schedule == nil)
  }

  @Test func `a request without known content gives an empty form`() {
    let input = MedicineInput(
      entering: MedicationRequestView(["resourceType": "MedicationRequest"]),
      today: MedicineForms.today, localizer: .of(.de))
    var expected = MedicineInput(today: MedicineForms.today)
    expected.policy = input.policy
    #expect(input == expected)
  }
}
