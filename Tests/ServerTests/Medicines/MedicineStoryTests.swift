// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Web

@Suite struct MedicineStoryTests {
  private func plan(_ house: DoseHouse) async throws -> String {
    try #require(try await house.dose(0)["plan"]?.string)
  }

  @Test func `the page shows times, chart and lines, and keeps the chart's choices`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let address = "/medicines/\(try await plan(house))"
      harness.clock.advance(minutes: 64)
      _ = try await house.answer(0, ["action": "taken"])
      let page = try await house.browser.open(address).text
      #expect(page.contains("08:00 and 20:00"))
      #expect(page.contains("1 of 1 doses taken (100%)"))
      #expect(page.contains("<svg class=\"chart\" role=\"img\""))
      #expect(page.contains("chart-block-taken") && page.contains("<table class=\"table\">"))
      #expect(page.contains("Taken 08:04") && !page.contains("by Ann"))
      #expect(page.contains("\(address)?by=week#chart"))
      let weeks = try await house.browser.open("\(address)?by=week&to=2026-01-01&until=2026-02-01")
      #expect(weeks.status == .ok)
      #expect(weeks.text.contains("Later") && weeks.text.contains("until=2026-02-01"))
    }
  }

  @Test(arguments: ["en", "de", "th"])
  func `page and history match their recordings`(language: String) async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let timing: JSONValue = ["repeat": ["timeOfDay": ["08:30:00", "20:00:00"]]]
      let plan = try await house.add(
        "Metoprolol", dosage: ["timing": timing, "text": "1-0-1 as discussed"])
      harness.clock.advance(minutes: 50)
      let today = try await house.browser.open("/").text
      let form = try #require(today.firstMatch(of: /action="(\/doses\/[^"]+\/answers)"/)?.output.1)
      _ = try await house.browser.post(
        String(form), ["action": "skipped", "reason-words": "Felt dizzy"])
      _ = try await house.browser.post(
        String(form), ["action": "taken", "corrects": "2", "confirm": "yes"])
      harness.clock.advance(minutes: 3 * 24 * 60)
      let now = harness.clock.now
      let zones = harness.environment.zones
      try await harness.environment.database.write { writer in
        _ = try PlanCommands.extendHorizon(now: now, limit: 10, zones: zones, in: writer)
      }
      var headers = house.browser.headers
      headers[.cookie] = "\(headers[.cookie] ?? ""); regimen-language=\(language)"
      for (name, address) in [("medicine", "/medicines/\(plan)"), ("history", "/history")] {
        let page = try await harness.send(.get, address, headers).text
        try GoldenFile.check(page: page, "\(name)-\(language).html")
      }
    }
  }

  @Test func `a long history is paged without losing or repeating a line`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let address = "/medicines/\(try await plan(house))"
      let zones = harness.environment.zones
      for _ in 0..<45 {
        harness.clock.advance(minutes: 24 * 60)
        let now = harness.clock.now
        try await harness.environment.database.write { writer in
          _ = try PlanCommands.extendHorizon(now: now, limit: 10, zones: zones, in: writer)
        }
      }
      // The session has ended meanwhile.
      #expect(try await house.browser.open(address).status == .seeOther)
      let browser = try await harness.session(of: house.account)
      func lines(_ page: String) -> [String] {
        page.matches(of: /class="record-time"><a href="\/doses\/([^"]+)"/).map { String($0.1) }
      }
      func step(_ page: String, _ word: String) -> String? {
        let links = page.matches(of: /href="([^"]*until=[^"]*)"[^>]*>(.*?)<\/a>/)
        return links.first { $0.2.contains(word) && !$0.1.contains("#chart") }
          .map { String($0.1).replacing("&amp;", with: "&") }
      }
      var seen: [String] = []
      var place = address
      var pages: [String] = []
      while pages.count < 20 {
        let page = try await browser.open(place)
        #expect(page.status == .ok)
        let found = lines(page.text)
        #expect(found.count >= 14 || step(page.text, "Earlier") == nil, "\(place): \(found.count)")
        seen += found
        pages.append(place)
        guard let earlier = step(page.text, "Earlier") else { break }
        place = earlier
      }
      #expect(pages.count > 3)
      #expect(Set(seen).count == seen.count, "no line twice")
      // Two a day for 45 days and the two of the current day, newest first.
      #expect(seen.count == 92)
      let back = try #require(step(try await browser.open(place).text, "Later"))
      #expect(lines(try await browser.open(back).text).count >= 14)
    }
  }

  @Test func `choosing lines instead of bars is remembered on the device`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let address = "/medicines/\(try await plan(house))"
      harness.clock.advance(minutes: 64)
      _ = try await house.answer(0, ["action": "taken"])
      let set = try await house.browser.open("/preferences?chart=lines&return=\(address)")
      #expect(set.headers[.location] == address)
      let cookie = try #require(set.headers[.setCookie])
      #expect(cookie.hasPrefix("regimen-chart=lines"))
      var headers = house.browser.headers
      headers[.cookie] = "\(headers[.cookie] ?? ""); regimen-chart=lines"
      let page = try await harness.send(.get, address, headers).text
      #expect(page.contains("chart-mark-taken") && !page.contains("chart-block-taken"))
      let wrong = try await house.browser.open("/preferences?chart=pie&return=\(address)")
      #expect(wrong.headers[.setCookie] == nil)
    }
  }

  @Test(arguments: [
    "by=decade", "to=nonsense", "to=9999-12-31", "to=0001-01-01&by=year", "until=2026-13-01",
    "until=0001-01-01", "by=%3Cb%3E&to=%FF", "by=day&by=week",
  ])
  func `invalid parameters still show the page`(query: String) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let page = try await house.browser.open("/medicines/\(try await plan(house))?\(query)")
      #expect(page.status == .ok && page.text.contains("Metoprolol"))
    }
  }

  @Test func `a pause asks, cancels doses, is listed and ends with one press`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      let address = "/medicines/\(try await plan(house))"
      #expect(try await house.browser.open(address).text.contains("\(address)/pause"))
      #expect(try await house.browser.open("\(address)/pause").text.contains("name=\"reason\""))
      let long = String(repeating: "x", count: 501)
      let refused = try await house.browser.post("\(address)/pause", ["reason": long])
      #expect(refused.status == .unprocessableContent && refused.text.contains(long))
      let paused = try await house.browser.post("\(address)/pause", ["reason": "Operation <b>"])
      #expect(paused.headers[.location] == "\(address)?done=paused")
      #expect(try await house.states() == ["cancelled", "scheduled"])
      let page = try await house.browser.open("\(address)?done=paused").text
      #expect(page.contains("Paused since 1 March 2026: Operation &lt;b&gt;"))
      #expect(page.contains("action=\"\(address)/resume\"") && !page.contains("\(address)/pause"))
      #expect(try await house.browser.open("/medicines").text.contains("Paused since 1 March"))
      #expect(try await house.browser.open("/").text.contains("Metoprolol is paused."))
      #expect(
        try await house.browser.open("\(address)/pause").headers[.location] == address)
      for _ in 1...2 {
        let resumed = try await house.browser.post("\(address)/resume", [:])
        #expect(resumed.headers[.location] == "\(address)?done=resumed")
      }
      #expect(try await house.states() == ["scheduled", "scheduled"])
    }
  }

  @Test func `a prescriber's hold can't be ended here`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try await plan(house)
      var request = try await harness.send(.get, "/fhir/MedicationRequest/\(plan)", house.token)
        .json()
      request["status"] = "on-hold"
      _ = try await harness.send(
        .put, "/fhir/MedicationRequest/\(plan)", house.token, json: request)
      let page = try await house.browser.open("/medicines/\(plan)").text
      #expect(page.contains("Paused since") && page.contains("Your prescriber paused this"))
      #expect(!page.contains("/resume"))
      let pressed = try await house.browser.post("/medicines/\(plan)/resume", [:])
      #expect(pressed.headers[.location] == "/medicines/\(plan)")
      #expect(try await house.states() == ["cancelled"])
    }
  }
}
