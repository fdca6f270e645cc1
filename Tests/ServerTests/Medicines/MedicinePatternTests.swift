// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Localization
import NIOCore
import Scheduling
import Testing
import TestSupport

@testable import MedicinePages
@testable import People
@testable import Plans
@testable import Web

@Suite struct MedicinePatternTests {
  private static let plan = "6a0f7c0e-0000-4000-8000-000000000014"

  private static let steps: KeyValuePairs<String, String> = [
    "plan": plan, "name": "Prednisolone", "form": "tablet", "strength-value": "5",
    "strength-unit": "mg", "schedule": "steps", "start": "2026-03-02",
    "step-days": "3", "step-amount": "20", "step-time": "08:00", "step-time-slot": "",
    "step-time": "", "step-time-slot": "", "step-time": "", "step-time-slot": "",
    "step-time": "", "step-time-slot": "",
    "step-days": "2", "step-amount": "1 x 5 + 1 x 2.5", "step-time": "08:00", "step-time-slot": "",
    "step-time": "20:00", "step-time-slot": "", "step-time": "", "step-time-slot": "",
    "step-time": "", "step-time-slot": "",
  ]

  private static let previewed: [(String, String)] =
    steps.map { ($0.key, $0.value) } + [("preview", "yes")]

  struct Typed: Sendable {
    let fields: KeyValuePairs<String, String>
    /// The kind that it is read as, or the fields with mistakes.
    let outcome: [String]

    init(_ outcome: String..., fields: KeyValuePairs<String, String>) {
      self.fields = fields
      self.outcome = outcome
    }
  }

  static let right: [Typed] = [
    Typed(
      "cycle",
      fields: [
        "schedule": "cycle", "cycle-on": "21", "cycle-off": "7", "cycle-time": "20:00",
        "cycle-time-slot": "", "cycle-break": "placebo",
      ]),
    Typed(
      "varying",
      fields: [
        "schedule": "varying", "dose-unit": "tablet", "entry-time": "08:00",
        "entry-time-slot": "", "entry-amount": "2", "entry-weekday-1": "mon",
        "entry-weekday-1": "tue", "entry-weekday-1": "wed", "entry-weekday-1": "thu",
        "entry-weekday-1": "fri", "entry-weekday-1": "sat", "entry-weekday-1": "sun",
        "entry-time": "20:00", "entry-time-slot": "", "entry-amount": "1",
        "entry-weekday-2": "mon",
      ]),
    Typed(
      "spread",
      fields: [
        "schedule": "spread", "spread-count": "4", "spread-gap": "4", "spread-from": "07:00",
        "spread-until": "22:00",
      ]),
    Typed(
      "after-intake",
      fields: [
        "schedule": "after-intake", "interval-hours": "6", "interval-first": "08:00",
        "waking-from": "07:00", "waking-until": "23:00",
      ]),
  ]

  @Test(arguments: right)
  func `a form is read into a draft, and filled from it again`(typed: Typed) throws {
    let reading = MedicineForms.read(typed.fields)
    #expect(reading.issues == [])
    let input = try #require(MedicineInput(reading.draft, localizer: .of(.en)))
    #expect(input.schedule.map { [$0.rawValue] } == typed.outcome)
    let again = input.read(today: MedicineForms.today, zone: .utc, rhythm: .standard)
    #expect(again.draft.schedule == reading.draft.schedule)
  }

  static let wrong: [Typed] = [
    Typed(
      "cycle-on",
      fields: ["schedule": "cycle", "cycle-on": "0", "cycle-off": "7", "cycle-time": "20:00"]),
    Typed(
      "cycle-off",
      fields: ["schedule": "cycle", "cycle-on": "21", "cycle-off": "x", "cycle-time": "20:00"]),
    Typed("step-amount", fields: ["schedule": "steps"]),
    Typed(
      "entry-amount", fields: ["schedule": "varying", "entry-time": "08:00", "entry-amount": ""]),
    Typed(
      "spread-count",
      fields: [
        "schedule": "spread", "spread-count": "9", "spread-gap": "4", "spread-from": "07:00",
        "spread-until": "22:00",
      ]),
    Typed(
      "interval-first",
      fields: ["schedule": "after-intake", "interval-hours": "6", "interval-first": ""]),
    Typed(
      "waking-from",
      fields: [
        "schedule": "after-intake", "interval-hours": "6", "interval-first": "08:00",
        "waking-from": "07:00",
      ]),
    Typed("dose-mix", fields: ["dose-mix": "one and a half"]),
    Typed(
      "dose-mix",
      fields: ["dose-mix": "1 x 5 + 1 x 2.5", "dose-value": "7", "dose-unit": "milligram"]),
  ]

  @Test(arguments: wrong)
  func `unreadable input is reported next to its field`(typed: Typed) {
    #expect(MedicineForms.read(typed.fields).issues.map(\.field) == typed.outcome)
  }

  @Test(arguments: ["en", "th"])
  func `steps are previewed in a calendar and then described`(language: String) async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      var headers = house.browser.headers
      headers[.cookie] = "\(headers[.cookie] ?? ""); regimen-language=\(language)"
      let preview = try await house.browser.post(
        "/medicines/new/details", Self.previewed, speaking: language)
      #expect(preview.status == .ok)
      let card = try #require(
        preview.text.firstMatch(of: /(?s)<table class="table plan-calendar">.*?<\/table>/)?.output)
      try GoldenFile.check(String(card), "plan-calendar-\(language).html")
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      let saved = try await house.browser.post("/medicines/new/details", Self.steps)
      #expect(saved.status == .seeOther, "\(saved.text)")
      let page = try await harness.send(.get, "/medicines/\(Self.plan)", headers).text
      #expect(page.contains("1 × 5"))
      // Three days and two more: the plan ends with its last step.
      if language == "en" {
        #expect(page.contains("2 March 2026 to 6 March 2026, last day included"))
      }
      let form = try await harness.send(.get, "/medicines/\(Self.plan)/edit", headers).text
      #expect(form.contains("1 x 5 + 1 x 2.5") && form.contains("value=\"steps\" checked"))
    }
  }

  @Test func `Today announces the end of a break the day before`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let saved = try await house.browser.post(
        "/medicines/new/details",
        [
          "plan": Self.plan, "name": "Pill", "form": "tablet", "dose-value": "1",
          "schedule": "cycle", "cycle-on": "21", "cycle-off": "7", "cycle-time": "20:00",
          "cycle-time-slot": "", "cycle-break": "none", "start": "2026-02-02",
        ])
      #expect(saved.status == .seeOther, "\(saved.text)")
      let today = try await house.browser.open("/").text
      #expect(today.contains("Pill: the break ends tomorrow."))
    }
  }
}

extension Browser {
  /// Posts a form in a language of the device.
  fileprivate func post(
    _ address: String, _ fields: [(String, String)], speaking language: String
  ) async throws -> TestResponse {
    let body = (fields + [(ForgeryGuard.field, formToken)])
      .map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }.joined(separator: "&")
    var headers = headers
    headers[.cookie] = "\(headers[.cookie] ?? ""); regimen-language=\(language)"
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await harness.client.executeRequest(
      uri: address, method: .post, headers: headers, body: ByteBuffer(string: body))
  }
}
