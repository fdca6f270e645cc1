// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import Web

/// The effect of a medicine as a page, over the API and in the report, for any numeric Observation.
@Suite struct EffectPageTests {
  private static let key = "urn:test%7Cmood"

  /// Returns an Observation of the person with a value of its own, or with two parts.
  private static func observation(
    _ person: Person, at: String, code: String = "mood", _ value: JSONValue
  ) -> JSONValue {
    var resource: JSONValue = [
      "resourceType": "Observation", "status": "final",
      "code": [
        "coding": [["system": "urn:test", "code": .string(code)]], "text": "Mood <i>today</i>",
      ],
      "subject": ["reference": .string("Patient/\(person.account.patient)")],
      "effectiveDateTime": .string(at),
    ]
    for (name, value) in value.object ?? JSONObject() { resource[name] = value }
    return resource
  }

  private static func post(_ person: Person, _ resource: JSONValue) async throws {
    let answer = try await person.post("/fhir/Observation", resource)
    #expect(answer.status == .created, "\(answer.text)")
  }

  /// Returns a person whose mood of 40 days rises by 2 with a medicine, and the plan of it.
  private static func live(_ harness: ServerHarness) async throws -> (Person, PlanID) {
    var ann = try await Person.make(harness)
    let plan = try await ann.plan("<b>Testolol</b>")
    for day in 10...28 {
      try await post(
        ann,
        observation(ann, at: "2026-02-\(day)T12:00:00Z", ["valueInteger": day % 2 == 0 ? 4 : 6]))
    }
    harness.clock.advance(minutes: 30 * 24 * 60)
    ann = Person(
      harness: harness, account: ann.account, token: try await harness.token(of: ann.account))
    for day in 9...28 {
      let text = day < 10 ? "0\(day)" : "\(day)"
      try await post(
        ann,
        observation(ann, at: "2026-03-\(text)T12:00:00Z", ["valueInteger": day % 2 == 0 ? 6 : 8]))
    }
    return (ann, plan)
  }

  @Test func `page, API and report state the same difference and no cause`() async throws {
    try await ServerHarness.run { harness in
      let (ann, plan) = try await Self.live(harness)
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open("/medicines/\(plan)/effect")
      #expect(page.status == .ok, "\(page.text)")
      #expect(page.text.contains("This doesn’t show that the medicine is the cause."))
      #expect(page.text.contains("role=\"img\"") && page.text.contains("<table"))
      #expect(page.text.contains("Started"))
      #expect(page.text.contains("Mood &lt;i&gt;") && !page.text.contains("<i>today"))
      #expect(!page.text.contains("<b>Testolol"))
      #expect(page.text.contains("95% interval"))
      #expect(
        try await browser.open("/medicines/\(plan)").text.contains("/medicines/\(plan)/effect"))

      let answer = try await ann.get(
        "/api/v1/medicines/\(plan)/effect?range=1-year&measure=\(Self.key)")
      #expect(answer.status == .ok, "\(answer.text)")
      let json = try answer.json()
      #expect(json["measures"]?[0]?["key"] == "urn:test|mood")
      #expect(json["period"] == "week" && json["changes"]?[0]?["kind"] == "start")
      let difference = json["comparisons"]?[0]?["difference"]
      #expect(difference?["daysBefore"]?.number?.integer == 19)
      #expect(difference?["daysAfter"]?.number?.integer == 20)
      let value = Double(difference?["difference"]?.number?.text ?? "") ?? 0
      #expect(abs(value - 2) < 0.2, "\(answer.text)")
      #expect(json["note"]?.string?.contains("doesn't show") == true)

      let query = "days=90&effect=\(plan)~\(Self.key)"
      let report = try await browser.open("/report?\(query)").text
      #expect(report.contains("This doesn’t show that the medicine is the cause."))
      #expect(report.contains("&amp;effect="), "the files get the same medicines")
      #expect(try await browser.open("/report.pdf?\(query)").status == .ok)
      let plain = try await browser.open("/report?effect=nonsense&effect=\(plan)~weight").text
      #expect(!plain.contains("is the cause"))
    }
  }

  @Test func `the chosen measures are kept for the page and the report`() async throws {
    try await ServerHarness.run { harness in
      let (ann, plan) = try await Self.live(harness)
      try await Self.post(
        ann,
        Self.observation(ann, at: "2026-03-20T12:00:00Z", code: "energy", ["valueInteger": 3]))
      let browser = try await harness.session(of: ann.account)
      let path = "/medicines/\(plan)/effect"
      func measures() async throws -> [String?] {
        let json = try await ann.get("/api/v1\(path)").json()
        return (json["measures"]?.array ?? []).map { $0["key"]?.string }
      }
      #expect(try await measures() == ["urn:test|energy"], "the first one")
      #expect(!(try await browser.open("/report").text.contains("is the cause")))
      let kept = try await browser.post(
        path, ["measure": "urn:test|mood", "second": "urn:test|energy", "range": "1-year"])
      #expect(kept.status == .seeOther, "\(kept.text)")
      #expect(kept.headers[.location]?.hasPrefix("\(path)?range=1-year") == true)
      #expect(try await measures() == ["urn:test|mood", "urn:test|energy"])
      #expect(try await browser.open("/report").text.contains("is the cause"))
      #expect(!(try await browser.open("/report?effect=").text.contains("is the cause")))
      // Looking at another measure changes nothing.
      _ = try await browser.open("\(path)?measure=urn:test%7Cenergy")
      #expect(try await measures().first == "urn:test|mood")
      let again = try await browser.post(path, ["measure": "urn:test|energy", "second": ""])
      #expect(again.status == .seeOther)
      #expect(try await measures() == ["urn:test|energy"])
      for measure in ["nonsense", "", String(repeating: "a|", count: 400)] {
        let refused = try await browser.post(path, ["measure": measure])
        #expect(refused.status == .unprocessableContent, "\(measure)")
      }
      let eve = try await harness.session(of: try await harness.makeAccount("Eve"))
      #expect(
        try await eve.post(path, ["measure": "urn:test|mood"]).status == .notFound)
    }
  }

  @Test func `parts of an Observation and a second measure can be chosen`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      func part(_ code: String, _ value: JSONValue) -> JSONValue {
        [
          "code": [
            "coding": [["system": "urn:test", "code": .string(code)]], "text": .string(code),
          ],
          "valueQuantity": [
            "value": value, "unit": "mmHg", "system": "http://unitsofmeasure.org", "code": "mm[Hg]",
          ],
        ]
      }
      try await Self.post(
        ann,
        Self.observation(
          ann, at: "2026-02-20T12:00:00Z", code: "pressure",
          ["component": [part("upper", 131), part("lower", 82)]]))
      try await Self.post(
        ann,
        Self.observation(
          ann, at: "2026-02-21",
          ["valueQuantity": JSONValue(parsing: Array(#"{"value":7.5}"#.utf8))]))
      let address =
        "/api/v1/medicines/\(plan)/effect?range=3-months&measure=urn:test%7Cpressure%7Curn:test%7Cupper"
        + "&second=\(Self.key)"
      let json = try await ann.get(address).json()
      #expect(json["measures"]?[0]?["unit"] == "mm[Hg]")
      let values = (json["columns"]?.array ?? []).map { $0["values"]?.array ?? [] }
      #expect(values.compactMap { $0.first?.number?.text } == ["131.0"])
      #expect(values.compactMap { $0.last?.number?.text } == ["7.5"])
      let missing = json["comparisons"]?[0]?["missing"]
      #expect(missing?["before"]?.number?.integer == 9)
      #expect(missing?["after"]?.number?.integer == 10)
      let page = try await harness.session(of: ann.account).open("/medicines/\(plan)/effect").text
      #expect(page.contains("Too few values to compare.") && !page.contains("95% interval"))
    }
  }

  @Test func `without measurements the page says when they appear`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      let browser = try await harness.session(of: ann.account)
      for query in ["", "?range=nonsense", "?range=10-years&measure=%7C%7C&second=weight"] {
        let page = try await browser.open("/medicines/\(plan)/effect\(query)")
        #expect(page.status == .ok, "\(query)")
        #expect(page.text.contains("Once you log measurements"), "\(query)")
        #expect(!page.text.contains("is the cause"), "\(query)")
      }
      #expect(try await browser.open("/medicines/nonsense/effect").status == .notFound)
      let other = try await harness.session(of: try await harness.makeAccount("Eve"))
      #expect(try await other.open("/medicines/\(plan)/effect").status == .notFound)
      let eve = try await Person.make(harness, "Mallory")
      #expect(try await eve.get("/api/v1/medicines/\(plan)/effect").status == .notFound)
      #expect(try await eve.get("/api/v1/medicines/nonsense/effect").status == .notFound)
    }
  }

  @Test func `an entry made in error does not count`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.plan()
      try await Self.post(
        ann, Self.observation(ann, at: "2026-02-20T12:00:00Z", ["valueInteger": 3]))
      var wrong = Self.observation(ann, at: "2026-02-21T12:00:00Z", ["valueInteger": 99])
      wrong["status"] = "entered-in-error"
      try await Self.post(ann, wrong)
      let json = try await ann.get("/api/v1/medicines/\(plan)/effect?measure=\(Self.key)").json()
      #expect(json["measures"]?[0]?["days"]?.number?.integer == 1)
    }
  }

  @Test func `the page of evidence is public, in each language`() async throws {
    try await ServerHarness.run { harness in
      let page = try await harness.send(.get, "/about/evidence")
      #expect(page.status == .ok)
      #expect(page.text.contains("There has been no clinical study."))
      #expect(page.text.contains("measure.py") && page.text.contains("test_reminder_kill.py"))
      #expect(try await harness.send(.get, "/about").text.contains("href=\"/about/evidence\""))
      for language in ["de", "nb", "th", "tr"] {
        let other = try await harness.send(
          .get, "/about/evidence", [.acceptLanguage: language])
        #expect(other.status == .ok && !other.text.contains("no clinical study"), "\(language)")
        #expect(other.text.contains("900") && !other.text.contains("evidence.title"), "\(language)")
      }
    }
  }
}
