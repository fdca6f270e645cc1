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

/// Reads forms on 1 March 2026 in UTC.
enum MedicineForms {
  static let today = CivilDate(text: "2026-03-01") ?? .earliest

  /// Returns a form that can be saved, with some fields changed.
  static func input(_ changes: KeyValuePairs<String, String> = [:]) -> MedicineInput {
    let basis: KeyValuePairs<String, String> = [
      "name": "Metoprolol", "form": "tablet", "strength-unit": "mg", "dose-value": "1",
      "schedule": "times", "time": "08:00", "time-slot": "", "start": "2026-03-01",
    ]
    let changed = Set(changes.map(\.key))
    let pairs = basis.filter { !changed.contains($0.key) } + changes.map { ($0.key, $0.value) }
    return MedicineInput(form: FormBody(pairs: pairs.map { FormPair(name: $0.0, value: $0.1) }))
  }

  static func read(_ changes: KeyValuePairs<String, String> = [:]) -> MedicineInput.Reading {
    input(changes).read(today: today, zone: .utc, rhythm: .standard)
  }
}

@Suite struct MedicineInputTests {
  @Test func `an empty form chooses no schedule and begins today`() {
    let input = MedicineInput(today: MedicineForms.today)
    #expect(input.schedule == nil)
    #expect(input.start == "2026-03-01")
    let reading = input.read(today: MedicineForms.today, zone: .utc, rhythm: .standard)
    #expect(reading.issues.map(\.field) == ["name", "dose-value", "schedule"])
  }

  struct Right: Sendable {
    let fields: KeyValuePairs<String, String>
    let schedule: DraftSchedule
  }

  static let everyDay = Set(Weekday.allCases)

  static func time(_ text: String, slot: Int? = nil) -> DraftTime {
    DraftTime(slot: slot, time: ClockTime(text: text) ?? .midnight)
  }

  static let right: [Right] = [
    Right(fields: [:], schedule: .times([time("08:00")], weekdays: everyDay)),
    Right(
      fields: [
        "schedule": "weekdays", "time": "08:00", "time-slot": "3", "time": "", "time-slot": "",
        "time": "8.30", "time-slot": "", "weekday": "mon", "weekday": "fri", "weekday": "nonsense",
      ],
      schedule: .times([time("08:00", slot: 3), time("08:30")], weekdays: [.monday, .friday])),
    Right(
      fields: ["schedule": "every-hours", "hours": " 8 ", "first-time": "06:00"],
      schedule: .everyHours(8, first: ClockTime(text: "06:00") ?? .midnight)),
    Right(
      fields: ["schedule": "every-days", "days": "2", "days-time": "9:00", "days-time-slot": "1"],
      schedule: .everyDays(2, times: [time("09:00", slot: 1)])),
    Right(
      fields: [
        "schedule": "meals", "meal": "ACM", "meal": "CD", "meal": "ACM", "meal-slot": "ACM:4",
        "meal-offset": "15", "meal-days": "every",
      ],
      schedule: .meals(
        [
          DraftMeal(slot: 4, event: .beforeBreakfast, offsetMinutes: 15),
          DraftMeal(event: .lunch),
        ], weekdays: everyDay)),
  ]

  @Test(arguments: right.indices)
  func `a form becomes the matching draft`(index: Int) {
    let reading = MedicineForms.read(Self.right[index].fields)
    #expect(reading.issues == [])
    #expect(reading.draft.schedule == Self.right[index].schedule)
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let fields: KeyValuePairs<String, String>
    let field: String
    var testDescription: String { fields.map { "\($0.key)=\($0.value)" }.joined(separator: " ") }
  }

  static let wrong: [Wrong] = [
    Wrong(fields: ["name": "  "], field: "name"),
    Wrong(fields: ["dose-value": ""], field: "dose-value"),
    Wrong(fields: ["dose-value": "0"], field: "dose-value"),
    Wrong(fields: ["dose-value": "-1"], field: "dose-value"),
    Wrong(fields: ["dose-value": "one"], field: "dose-value"),
    Wrong(fields: ["dose-value": "1.500"], field: "dose-value"),
    Wrong(fields: ["dose-value": "1,000"], field: "dose-value"),
    Wrong(fields: ["form": "injection"], field: "dose-unit"),
    Wrong(fields: ["form": "", "dose-unit": ""], field: "dose-unit"),
    Wrong(fields: ["dose-unit": "bucket"], field: "dose-unit"),
    Wrong(fields: ["strength-value": "many"], field: "strength-value"),
    Wrong(fields: ["schedule": ""], field: "schedule"),
    Wrong(fields: ["schedule": "sometimes"], field: "schedule"),
    Wrong(fields: ["time": ""], field: "time"),
    Wrong(fields: ["time": "25:00"], field: "time"),
    Wrong(fields: ["time": "soon"], field: "time"),
    Wrong(fields: ["time": "08:00", "time": "8:00"], field: "time"),
    Wrong(
      fields: ["schedule": "every-hours", "hours": "0", "first-time": "08:00"], field: "hours"),
    Wrong(
      fields: ["schedule": "every-hours", "hours": "99999999999999999999", "first-time": "08:00"],
      field: "hours"),
    Wrong(fields: ["schedule": "every-hours", "hours": "8"], field: "first-time"),
    Wrong(fields: ["schedule": "every-days", "days": "", "days-time": "08:00"], field: "days"),
    Wrong(fields: ["schedule": "every-days", "days": "2"], field: "days-time"),
    Wrong(fields: ["schedule": "meals", "meal-days": "every"], field: "meal"),
    Wrong(
      fields: ["schedule": "meals", "meal-days": "every", "meal": "ACM", "meal-offset": "x"],
      field: "meal-offset"),
    Wrong(
      fields: ["schedule": "meals", "meal-days": "every", "meal": "ACM", "meal-offset": "999"],
      field: "meal-offset"),
    // Missing days never mean every day.
    Wrong(fields: ["schedule": "weekdays"], field: "weekday"),
    Wrong(fields: ["schedule": "weekdays", "weekday": "someday"], field: "weekday"),
    Wrong(fields: ["weekday": "mon"], field: "weekday"),
    Wrong(fields: ["schedule": "meals", "meal": "ACM"], field: "meal-days"),
    Wrong(fields: ["schedule": "meals", "meal": "ACM", "meal-days": "weekdays"], field: "weekday"),
    Wrong(
      fields: ["schedule": "meals", "meal": "ACM", "meal-days": "every", "weekday": "mon"],
      field: "weekday"),
    Wrong(
      fields: [
        "schedule": "varying", "entry-time": "08:00", "entry-amount": "1",
        "entry-weekday-1": "mon", "entry-time": "20:00", "entry-amount": "2",
      ], field: "entry-amount"),
    Wrong(fields: ["start": ""], field: "start"),
    Wrong(fields: ["start": "1 March"], field: "start"),
    Wrong(fields: ["end": "2026-02-30"], field: "end"),
    Wrong(fields: ["end": "2026-02-28"], field: "end"),
    // A Monday never falls within a Sunday.
    Wrong(
      fields: ["schedule": "weekdays", "weekday": "mon", "end": "2026-03-01"], field: "end"),
    Wrong(fields: ["instruction": String(repeating: "x", count: 1001)], field: "instruction"),
  ]

  @Test(arguments: wrong)
  func `errors are shown next to their field in every language`(wrong: Wrong) {
    let reading = MedicineForms.read(wrong.fields)
    #expect(reading.issues.map(\.field) == [wrong.field])
    for language in Language.allCases {
      for issue in reading.issues {
        let message = issue.message(.of(language))
        #expect(!message.isEmpty && !message.contains("medicines.") && !message.contains("plans."))
      }
    }
  }

  @Test func `all errors are shown at once, in page order`() {
    let reading = MedicineForms.read([
      "name": "", "dose-value": "0", "schedule": "every-hours", "start": "", "end": "never",
    ])
    #expect(
      reading.issues.map(\.field)
        == ["name", "dose-value", "hours", "first-time", "start", "end"])
  }

  @Test(arguments: [("tablet", "tablet"), ("drops", "drop"), ("liquid", "milliliter")])
  func `the unit follows the form by default`(form: String, unit: String) {
    #expect(MedicineForms.read(["form": form]).draft.doseUnit == unit)
    #expect(MedicineForms.read(["form": form, "dose-unit": "gram"]).draft.doseUnit == "gram")
  }

  @Test func `a unit without an amount is not a strength`() {
    #expect(MedicineForms.read().draft.strengthUnit == nil)
    let read = MedicineForms.read(["strength-value": "47,5"])
    #expect(read.issues == [])
    #expect(read.draft.strengthUnit == "mg")
  }

  @Test func `intervals are counted wherever the person is`() {
    let fields: KeyValuePairs = [
      "schedule": "every-hours", "hours": "8", "first-time": "06:00", "policy": "home",
    ]
    #expect(MedicineForms.read(fields).draft.policy == .elapsed)
    #expect(MedicineForms.read(["policy": "home"]).draft.policy == .home)
    #expect(MedicineForms.read(["policy": "elapsed"]).draft.policy == .elapsed)
    #expect(MedicineForms.read(["policy": "nowhere"]).draft.policy == .follow)
  }

  @Test(arguments: [
    ("1.5", false), ("0.500", false), ("2.125", false), ("1500", false), ("1,500", true),
    ("10.000", true), ("1.2.300", false), ("", false), ("1,5oo", false),
  ])
  func `an ambiguous number is reported`(text: String, isAmbiguous: Bool) {
    #expect(TypedText.isAmbiguousNumber(text) == isAmbiguous)
  }

  @Test(arguments: [
    ("08:00", "08:00:00"), ("8:05", "08:05:00"), ("8.05", "08:05:00"), ("23:59:30", "23:59:30"),
    (" 07:00 ", "07:00:00"), ("24:00", nil), (":00", nil), ("8", nil), ("", nil), ("0800", nil),
  ])
  func `times are accepted as people type them`(text: String, expected: String?) {
    #expect(TypedText.clockTime(text)?.text == expected)
  }
}
