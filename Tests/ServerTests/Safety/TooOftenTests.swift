// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Localization
import Scheduling
import Storage
import Testing
import TestSupport

@testable import People
@testable import Plans
@testable import Presentation
@testable import Web

/// Daily methotrexate: stopped from every source, and confirmed by typing a word.
@Suite struct TooOftenTests {
  static let name = "Methotrexate 2.5 mg"

  static func medicine(
    _ more: [(String, String)] = [], schedule: [(String, String)] = [("schedule", "times")]
  ) -> [(String, String)] {
    [
      ("name", name), ("form", "tablet"), ("strength-unit", "mg"), ("dose-value", "6"),
      ("time", "08:00"), ("start", "2026-03-01"),
    ] + schedule + more
  }

  private static func confirmations(
    _ harness: ServerHarness, patient: PatientID
  ) async throws -> [(subject: String, typed: String, by: String)] {
    try await harness.environment.database.read { reader in
      try reader.query(
        """
        SELECT subject, typed, by_name FROM plan_confirmations WHERE patient = $1
        ORDER BY made, subject
        """, [.text(patient)]
      ).map { (try $0.text(0), try $0.text(1), try $0.text(2)) }
    }
  }

  @Test func `the form asks for the word, cites its source and records who typed it`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let asked = try await house.browser.post("/medicines/new/details", pairs: Self.medicine())
      #expect(asked.status == .unprocessableContent)
      #expect(asked.text.contains("at most once in 7 days"), "\(asked.text)")
      #expect(asked.text.contains("7 times in 7 days"))
      // The reason appears once, with the names of its sources.
      #expect(asked.text.ranges(of: "at most once in 7 days").count == 1, "\(asked.text)")
      #expect(asked.text.contains("4 sources") && asked.text.contains("ISMP, Targeted"))
      #expect(!asked.text.contains(">W1<") && !asked.text.contains("W1, W2"))
      let missing = Localizer.of(.en).text("questions.type-missing", ["word": .text("more often")])
      #expect(asked.text.contains("href=\"#field-bar-word\">\(missing)</a>"), "\(asked.text)")
      // The preview of the form that asks doesn't repeat the reason.
      let asking = ("bar-shown", "too-often-methotrexate")
      #expect(asked.text.contains("name=\"\(asking.0)\" value=\"\(asking.1)\""))
      let again = try await house.browser.post(
        "/medicines/new/details", pairs: Self.medicine([asking, ("preview", "live")]))
      #expect(again.text.contains(missing) && !again.text.contains("at most once in 7 days"))
      #expect(asked.text.contains("name=\"bar-word\"") && asked.text.contains(Self.name))
      for wrong in ["", "yes", "more"] {
        let again = try await house.browser.post(
          "/medicines/new/details", pairs: Self.medicine([("bar-word", wrong)]))
        #expect(again.status == .unprocessableContent, "\(wrong)")
      }
      // Neither the preview nor a note bypasses it.
      for more in [[("preview", "yes")], [("bar-note", "my doctor said so")]] {
        let again = try await house.browser.post(
          "/medicines/new/details", pairs: Self.medicine(more))
        #expect(again.status == .unprocessableContent)
      }
      let live = try await house.browser.post(
        "/medicines/new/details", pairs: Self.medicine([("preview", "live")]))
      #expect(live.status == .ok && live.text.contains("at most once in 7 days"))
      #expect(!live.text.contains("08:00"), "\(live.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)

      // The preview keeps the word for the form that follows.
      let shown = try await house.browser.post(
        "/medicines/new/details",
        pairs: Self.medicine([("bar-word", "more often"), ("preview", "yes")]))
      #expect(shown.status == .ok, "\(shown.text)")
      #expect(shown.text.contains("type=\"hidden\" name=\"bar-word\" value=\"more often\""))
      let saved = try await house.browser.post(
        "/medicines/new/details", pairs: Self.medicine([("bar-word", " More  often ")]))
      #expect(saved.status == .seeOther, "\(saved.text)")
      let kept = try await Self.confirmations(harness, patient: house.account.patient)
      #expect(kept.count == 1 && kept.first?.typed.contains("often") == true)
      #expect(kept.first?.by == house.account.displayName)
      let page = try await house.browser.open(try #require(saved.headers[.location])).text
      let line = "\(house.account.displayName) confirmed this schedule"
      #expect(page.contains(line), "\(page)")
    }
  }

  @Test func `weekly is saved without a question, an edit to daily is questioned`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let weekly = try await house.browser.post(
        "/medicines/new/details",
        pairs: Self.medicine(schedule: [("schedule", "weekdays"), ("weekday", "mon")]))
      #expect(weekly.status == .seeOther, "\(weekly.text)")
      let place = try #require(weekly.headers[.location])
      let plan = String(try #require(place.firstMatch(of: /\/medicines\/([^?]+)/)?.1))
      let edited = try await house.browser.post(
        "/medicines/\(plan)/edit", pairs: Self.medicine([("version", "1")]))
      #expect(edited.status == .unprocessableContent)
      // Missing days are an error next to the field, for any medicine.
      let dayless = try await house.browser.post(
        "/medicines/new/details",
        pairs: Self.medicine(schedule: [("schedule", "weekdays")]))
      #expect(dayless.status == .unprocessableContent)
      #expect(dayless.text.contains("href=\"#field-weekday\""))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 1)
    }
  }

  @Test func `a depot given daily is questioned, the daily injection is not`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      func leuprorelin(_ strength: String) -> [(String, String)] {
        [
          ("name", "Leuprorelin"), ("form", "injection"), ("strength-value", strength),
          ("strength-unit", "mg"), ("dose-value", "1"), ("dose-unit", "injection"),
          ("schedule", "times"), ("time", "08:00"), ("start", "2026-03-01"),
        ]
      }
      let asked = try await house.browser.post("/medicines/new/details", pairs: leuprorelin("3.75"))
      #expect(asked.status == .unprocessableContent)
      #expect(asked.text.contains("at most once in 28 days"), "\(asked.text)")
      let saved = try await house.browser.post("/medicines/new/details", pairs: leuprorelin("1"))
      #expect(saved.status == .seeOther, "\(saved.text)")
    }
  }

  @Test func `a child's form and a copy to a sibling ask as well`() async throws {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, approves: false)
      let fields = nursery.syrup(
        Self.name, whole: "1", fraction: "0", unit: "tablet", mass: "", volume: "",
        times: ["08:00"])
      let asked = try await nursery.browser.post("\(nursery.home)/new", pairs: fields)
      #expect(asked.status == .unprocessableContent)
      #expect(asked.text.contains("name=\"bar-word\""), "\(asked.text)")
      let saved = try await nursery.browser.post(
        "\(nursery.home)/new", pairs: fields + [("bar-word", "more often")])
      #expect(saved.status == .seeOther, "\(saved.text)")

      // The word confirms one child's schedule: the copy asks again.
      let plans = try await nursery.plans()
      let plan = try #require(plans.first).id
      let added = try await nursery.browser.post(
        "/people/new",
        [
          "given-name": "Tom", "birth-date": "2023-01-15", "label": "nickname", "nickname": "Tom",
          "colour": "blue",
        ])
      #expect(added.status == .seeOther, "\(added.text)")
      let choice = try await nursery.open("\(nursery.home)/plans/\(plan)/copy").text
      let link = try #require(choice.firstMatch(of: /href="(\/children\/[^"]+from=[^"]+)"/)?.1)
      let address = String(link).replacing("&amp;", with: "&")
      let sibling = PatientID(
        String(try #require(address.firstMatch(of: /children\/([^\/]+)\//)?.1)))
      let browser = nursery.house.chosen(sibling)
      let form = try await browser.open(address).text
      #expect(form.contains("Methotrexate") && !form.contains("bar-word"), "\(form)")
      let answers: [[(String, String)]] = [
        [], [("bar-word", "yes")], [("bar-note", "my doctor said so")],
      ]
      for more in answers {
        let stopped = try await browser.post(address, pairs: fields + more)
        #expect(stopped.status == .unprocessableContent)
        #expect(stopped.text.contains("at most once in 7 days"), "\(stopped.text)")
        #expect(stopped.text.contains("name=\"bar-word\""))
      }
      #expect(try await nursery.plans(of: sibling).isEmpty)
      let copied = try await browser.post(address, pairs: fields + [("bar-word", "more often")])
      #expect(copied.status == .seeOther, "\(copied.text)")
      let kept = try await Self.confirmations(harness, patient: sibling)
      #expect(kept.count == 1)
    }
  }

  @Test func `the prescriber confirms it and stays named after acceptance`() async throws {
    try await ServerHarness.run { harness in
      let practice = try await Practice.make(harness)
      let address = "\(practice.address)/prescribe/details"
      let fields = Practice.medicine(Self.name).map {
        $0.0 == "strength-value" ? ($0.0, "2.5") : $0
      }
      let asked = try await practice.browser.post(address, pairs: fields + Practice.identity)
      #expect(asked.status == .unprocessableContent)
      #expect(asked.text.contains("name=\"bar-word\""))
      let sent = try await practice.browser.post(
        address, pairs: fields + Practice.identity + [("bar-word", "more often")])
      #expect(sent.status == .seeOther, "\(sent.text)")
      let today = try await practice.annBrowser.open("/").text
      #expect(today.contains("Doctor confirmed this schedule"), "\(today)")
      let proposal = try #require(today.firstMatch(of: /action="(\/proposals\/[^"]+)"/)?.1)
      let taken = try await practice.annBrowser.post(String(proposal), ["action": "accept"])
      #expect(taken.status == .seeOther, "\(taken.text)")
      let page = try await practice.annBrowser.open(try #require(taken.headers[.location])).text
      #expect(page.contains("Doctor confirmed this schedule"), "\(page)")
      let kept = try await Self.confirmations(harness, patient: practice.patient)
      #expect(kept.map(\.by) == ["Doctor", "Doctor"])
      #expect(Set(kept.map(\.subject)).count == 2)
    }
  }

  @Test func `FHIR clients are refused, and imports wait for the word`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let request: JSONValue = [
        "resourceType": "MedicationRequest", "status": "active", "intent": "order",
        "medicationCodeableConcept": ["text": .string(Self.name)],
        "subject": ["reference": .string("Patient/\(house.account.patient)")],
        "dosageInstruction": [
          [
            "timing": ["repeat": ["timeOfDay": ["08:00:00"]]],
            "doseAndRate": [["doseQuantity": ["value": 6, "unit": "tablet"]]],
          ]
        ],
      ]
      let posted = try await harness.send(
        .post, "/fhir/MedicationRequest", house.token, json: request)
      #expect(posted.status == .unprocessableContent)
      #expect(try posted.json()["resourceType"] == "OperationOutcome")
      #expect(posted.text.contains("\(Self.name): at most 1 dose(s)"), "\(posted.text)")
      #expect(posted.text.contains("ISMP, Targeted") && !posted.text.contains("W1"))

      var named = request
      named["id"] = "m1"
      let imported = try await harness.send(
        .post, "/api/v1/imports?accept=true", house.token,
        json: [
          "resourceType": "Bundle", "type": "collection",
          "entry": [
            [
              "fullUrl": .string("https://h/fhir/MedicationRequest/m1"), "resource": named,
            ]
          ],
        ])
      #expect(imported.status == .ok, "\(imported.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      let list = try await harness.send(.get, "/api/v1/proposals", house.token)
      let item = try #require(try list.json()["proposals"]?[0])
      #expect(item["acceptable"] == false && item["unplanned"] == "too-often:methotrexate")
      let id = try #require(item["id"]?.string)
      let accepted = try await harness.send(
        .post, "/api/v1/proposals/\(id)/accept", house.token)
      #expect(accepted.status == .unprocessableContent, "\(accepted.text)")

      let asked = try await house.browser.post("/proposals/\(id)", ["action": "accept"])
      #expect(asked.status == .unprocessableContent)
      #expect(asked.text.contains("name=\"bar-word\""))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      let taken = try await house.browser.post(
        "/proposals/\(id)", ["action": "accept", "bar-word": "more often"])
      #expect(taken.status == .seeOther, "\(taken.text)")
      #expect(
        try await house.count("SELECT COUNT(*) FROM plans WHERE unplanned_reason IS NULL") == 1)
    }
  }

  @Test(arguments: Language.allCases)
  func `the word can be typed in every language`(language: Language) throws {
    let texts = Localizer.of(language)
    let request = MedicationRequestView([
      "resourceType": "MedicationRequest", "status": "active", "intent": "order",
      "medicationCodeableConcept": ["text": .string(Self.name)],
      "dosageInstruction": [["timing": ["repeat": ["timeOfDay": ["08:00:00"]]]]],
    ])
    let breach = try #require(
      FrequencyBreach.of(
        request, zone: .utc, rhythm: .standard, today: MedicineForms.today))
    let line = SafetyFinding(PlanQuestion.tooOften(breach), texts)
    let word = SafetyQuestionFields.word(texts)
    func isAnswered(_ typed: String) -> Bool {
      SafetyQuestionFields.isAnswered(
        line, FormBody(pairs: [FormPair(name: SafetyQuestionFields.wordField, value: typed)]), texts
      )
    }
    #expect(isAnswered(word) && isAnswered("  \(word.uppercased()) "))
    #expect(!isAnswered("") && !isAnswered("x\(word)"))
  }
}
