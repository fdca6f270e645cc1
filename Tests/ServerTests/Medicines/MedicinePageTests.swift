// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import Web

@Suite struct MedicinePageTests {
  static let metoprolol: KeyValuePairs<String, String> = [
    "plan": "6a0f7c0e-0000-4000-8000-000000000001", "name": "Metoprolol & <b>", "form": "tablet",
    "strength-value": "47,5", "strength-unit": "mg", "dose-value": "0,5", "schedule": "times",
    "time": "08:00", "time-slot": "", "time": "20:00", "time-slot": "", "start": "2026-03-01",
  ]

  @Test func `adding the first medicine creates it once`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let empty = try await house.browser.open("/medicines").text
      #expect(empty.contains("empty-state") && empty.contains("href=\"/medicines/new\""))
      let form = try await house.browser.open("/medicines/new/details").text
      #expect(form.contains("name=\"plan\"") && form.contains("value=\"2026-03-01\""))
      #expect(!form.contains("name=\"schedule\" value=\"times\" checked"))
      for _ in 1...2 {
        let answer = try await house.browser.post("/medicines/new/details", Self.metoprolol)
        #expect(answer.status == .seeOther, "\(answer.text)")
        #expect(answer.headers[.location]?.hasPrefix("/medicines/6a0f7c0e-") == true)
      }
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 1)
      let list = try await house.browser.open("/medicines").text
      #expect(list.contains("Metoprolol &amp; &lt;b&gt;") && list.contains("half a tablet"))
      #expect(list.contains("Next dose: </span>Today, 08:00"))
    }
  }

  @Test func `a medicine's page shows sentence, days, travel and history`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      _ = try await house.browser.post("/medicines/new/details", Self.metoprolol)
      let address = "/medicines/\(Self.metoprolol[0].value)"
      let page = try await house.browser.open("\(address)?done=added").text
      #expect(page.contains("47.5 mg</h1>") && page.contains("Tablet</p>"))
      #expect(page.contains("is added."))
      #expect(page.contains("08:00, half a tablet"))
      #expect(page.contains("Follows local time wherever you are"))
      #expect(page.contains("Planned"))
      #expect(page.components(separatedBy: "<h1").count == 2)
      harness.clock.advance(minutes: 64)
      let today = try await house.browser.open("/").text
      let form = try #require(today.firstMatch(of: /action="(\/doses\/[^"]+\/answers)"/)?.output.1)
      _ = try await house.browser.post(String(form), ["action": "taken"])
      let later = try await house.browser.open(address).text
      #expect(later.contains("Taken 08:04") && later.contains("1 of 1 doses taken"))
    }
  }

  @Test func `an invalid form loses no input and adds nothing`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let answer = try await house.browser.post(
        "/medicines/new/details",
        [
          "name": "Insulin \"aspart\"", "form": "injection", "dose-value": "0", "time": "07:10",
          "time-slot": "", "time": "", "time-slot": "", "weekday": "tue", "meal": "ACM",
          "hours": "x", "start": "2026-03-05", "instruction": "Warm & slow\nthen rest",
        ])
      #expect(answer.status == .unprocessableContent)
      for kept in [
        "Insulin &quot;aspart&quot;", "value=\"07:10\"", "value=\"tue\" checked",
        "value=\"ACM\" checked", "value=\"2026-03-05\"", "Warm &amp; slow\nthen rest",
        "value=\"injection\" selected", "href=\"#field-dose-value\"", "href=\"#field-schedule\"",
        "aria-invalid=\"true\"",
      ] {
        #expect(answer.text.contains(kept), "\(kept)")
      }
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
    }
  }

  @Test func `the next days are shown without saving`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let fields = KeyValuePairs(dictionaryLiteral: ("preview", "yes"))
      let answer = try await house.browser.post(
        "/medicines/new/details", Self.joined(Self.metoprolol, fields))
      #expect(answer.status == .ok)
      #expect(answer.text.contains("Nothing is saved yet"))
      #expect(answer.text.contains("Sun 1 Mar") && answer.text.contains("Tue 3 Mar"))
      #expect(!answer.text.contains("Wed 4 Mar"))
      #expect(answer.text.contains("08:00, half a tablet"))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      #expect(try await house.count("SELECT COUNT(*) FROM doses") == 0)
      let more = try await house.browser.post(
        "/medicines/new/details", Self.joined(Self.metoprolol, ["more": "time"]))
      #expect(more.status == .ok)
      #expect(!more.text.contains("value=\"time\" data-more"))
      #expect(more.text.contains("value=\"20:00\""))
    }
  }

  @Test func `an edit keeps dose ids and never overwrites a newer version`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.dose(0)["plan"]?.string)
      let form = try await house.browser.open("/medicines/\(plan)/edit").text
      #expect(form.contains("value=\"08:00\"") && form.contains("value=\"Metoprolol\""))
      let slots = form.matches(of: /name="time-slot" value="(\d+)"/).map { String($0.output.1) }
      let version = try #require(form.firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      try #require(slots.count == 2)
      let fields: KeyValuePairs = [
        "version": String(version), "name": "Metoprolol", "dose-value": "1",
        "dose-unit": "tablet", "schedule": "times", "time": "09:30", "time-slot": slots[0],
        "time": "20:00", "time-slot": slots[1], "start": "2026-03-01",
      ]
      let saved = try await house.browser.post("/medicines/\(plan)/edit", fields)
      #expect(saved.headers[.location] == "/medicines/\(plan)?done=saved", "\(saved.text)")
      let moved = try await house.dose(0)["due"]?.string
      #expect(moved?.hasPrefix("2026-03-01T09:30:00") == true, "\(moved ?? "none")")
      let again = try await house.browser.post("/medicines/\(plan)/edit", fields)
      #expect(again.status == .conflict)
      #expect(again.text.contains("changed somewhere else"))
      #expect(again.text.contains("name=\"version\" value=\"2\""))
    }
  }

  @Test func `stopping a medicine needs a reason`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.dose(0)["plan"]?.string)
      let address = "/medicines/\(plan)/stop"
      #expect(try await house.browser.open(address).text.contains("name=\"reason\""))
      let refused = try await house.browser.post(address, ["reason": "  "])
      #expect(refused.status == .unprocessableContent)
      #expect(refused.text.contains("href=\"#field-reason\""))
      let stopped = try await house.browser.post(address, ["reason": "Dry cough"])
      #expect(stopped.headers[.location] == "/medicines/\(plan)?done=stopped")
      #expect(
        try await house.browser.post(address, ["reason": "Again"]).headers[.location]
          == "/medicines/\(plan)")
      let list = try await house.browser.open("/medicines").text
      #expect(list.contains("Stopped on 1 March 2026: Dry cough"))
      let page = try await house.browser.open("/medicines/\(plan)").text
      #expect(page.contains("Dry cough") && !page.contains("/edit\""))
    }
  }

  @Test func `a text-only prescription is quoted and can get times`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let plan = try await house.add("Prednisolone", dosage: ["text": "Taper <slowly>"])
      let page = try await house.browser.open("/medicines/\(plan)").text
      #expect(page.contains("No reminders:"))
      #expect(page.contains("Taper &lt;slowly&gt;"))
      #expect(page.contains("/medicines/\(plan)/edit"))
      let form = try await house.browser.open("/medicines/\(plan)/edit").text
      #expect(form.contains("says more than this form can show"))
      #expect(form.contains("\nTaper &lt;slowly&gt;</textarea>"))
      let saved = try await house.browser.post(
        "/medicines/\(plan)/edit",
        [
          "name": "Prednisolone", "dose-value": "1", "dose-unit": "tablet", "schedule": "times",
          "time": "08:00", "start": "2026-03-01", "instruction": "Taper <slowly>",
        ])
      #expect(saved.status == .seeOther, "\(saved.text)")
      let after = try await house.browser.open("/medicines/\(plan)").text
      #expect(after.contains("Taper &lt;slowly&gt;") && after.contains("08:00, 1 tablet"))
    }
  }

  @Test func `parts that can't be expressed are listed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let plan = try await house.add(
        "Ramipril",
        dosage: [
          "timing": [
            "repeat": ["timeOfDay": ["08:00:00"], "frequency": 2, "period": 1, "periodUnit": "d"]
          ]
        ])
      let page = try await house.browser.open("/medicines/\(plan)").text
      #expect(page.contains("<code>timing.repeat.frequency</code>"))
    }
  }

  @Test(arguments: ["en", "de", "nb", "th", "tr"])
  func `every page is translated into every language`(language: String) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.dose(0)["plan"]?.string)
      _ = try await house.add("Prednisolone", dosage: ["text": "Taper"])
      for address in [
        "/medicines", "/medicines/new", "/medicines/new/details", "/medicines/\(plan)",
        "/medicines/\(plan)/edit",
        "/medicines/\(plan)/stop", "/me", "/me/account",
      ] {
        var headers = house.browser.headers
        headers[.acceptLanguage] = language
        let page = try await harness.send(.get, address, headers)
        #expect(page.status == .ok)
        #expect(page.text.contains("<html lang=\"\(language)\""))
        #expect(page.text.firstMatch(of: /\b(medicines|details|plans)\.[a-z]+[a-z.\-]*\b/) == nil)
      }
    }
  }

  private static func joined(
    _ first: KeyValuePairs<String, String>, _ second: KeyValuePairs<String, String>
  ) -> [(String, String)] {
    first.map { ($0.key, $0.value) } + second.map { ($0.key, $0.value) }
  }
}

extension Browser {
  /// Posts a form with fields that are built at run time.
  fileprivate func post(_ address: String, _ fields: [(String, String)]) async throws
    -> TestResponse
  {
    let body = (fields + [(ForgeryGuard.field, formToken)])
      .map { "\(QueryText.encode($0.0))=\(QueryText.encode($0.1))" }.joined(separator: "&")
    var headers = headers
    headers[.contentType] = "application/x-www-form-urlencoded"
    return try await harness.client.executeRequest(
      uri: address, method: .post, headers: headers, body: .init(string: body))
  }
}
