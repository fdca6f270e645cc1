// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Web

@Suite struct TodayPageTests {
  @Test func `a person without medicines is sent to the form`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let page = try await browser.open("/")
      #expect(page.status == .ok)
      #expect(page.text.contains("No medicines today."))
      #expect(page.text.contains("href=\"/medicines/new\""))
    }
  }

  @Test func `all doses of one time are logged and undone with one press`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      harness.clock.advance(minutes: 65)
      let page = try await house.browser.open("/")
      #expect(page.text.contains("Take all 2 now"))
      let presses = page.text.matches(of: /name="answer" value="([^"]+)"/).map {
        String($0.output.1)
      }
      // In the card of the time, and pinned within reach of the thumb.
      #expect(presses.count == 4)
      let fields: KeyValuePairs = [
        "action": "taken", "answer": presses[0], "answer": presses[1],
      ]
      var target = ""
      for _ in 1...2 {
        let answer = try await house.browser.post("/answers", fields)
        #expect(answer.status == .seeOther, "\(answer.text)")
        target = try #require(answer.headers[.location])
      }
      #expect(target.hasPrefix("/?done=taken&dose="))
      #expect(try await house.states() == ["taken", "taken"])
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 2)

      let after = try await house.browser.open(target)
      #expect(after.text.contains("2 medicines taken."))
      let flash = try #require(after.text.firstRange(of: "class=\"flash\""))
      let undo = after.text[flash.lowerBound...].matches(of: /name="answer" value="([^"]+)"/)
        .map { String($0.output.1) }
      let undone = try await house.browser.post(
        "/answers", ["action": "undo", "answer": undo[0], "answer": undo[1]])
      #expect(undone.status == .seeOther)
      #expect(try await house.states() == ["due", "due"])
    }
  }

  @Test func `a dose that someone else answered is left unchanged`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Ramipril"])
      harness.clock.advance(minutes: 65)
      _ = try await house.answer(0, ["action": "skipped", "reason": "unwell"])
      let event = harness.environment.newIdentifier()
      let other = harness.environment.newIdentifier()
      let answer = try await house.browser.post(
        "/answers",
        [
          "action": "taken", "answer": "\(house.doses[0]) \(event)",
          "answer": "\(house.doses[1]) \(other)",
        ])
      let row = "#dose-\(house.doses[1])"
      #expect(answer.headers[.location] == "/?done=taken&dose=\(house.doses[1])&left=1\(row)")
      #expect(try await house.states() == ["skipped", "taken"])
      let page = try await house.browser.open(answer.headers[.location] ?? "")
      #expect(page.text.contains("1 couldn’t be logged"))
    }
  }

  @Test(arguments: [
    "taken", "later&answer=x%20y", "taken&answer=x", "taken&answer=a_1_n1",
    "taken&answer=a_1_n1%20e%20v%20w",
  ])
  func `a request without a dose is refused`(_ query: String) async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      let pairs = FormBody.pairs(of: "action=\(query)")
      let action = try #require(pairs.first?.value)
      let press = pairs.dropFirst().first?.value
      let answer =
        if let press {
          try await browser.post("/answers", ["action": action, "answer": press])
        } else {
          try await browser.post("/answers", ["action": action])
        }
      #expect(answer.status == .badRequest)
    }
  }

  @Test func `someone else's dose is not found`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let other = try await harness.session(of: harness.makeAccount("Bob"))
      let event = harness.environment.newIdentifier()
      let answer = try await other.post(
        "/answers", ["action": "taken", "answer": "\(house.doses[0]) \(event)"])
      #expect(answer.status == .notFound)
      #expect(try await house.states() == ["scheduled"])
    }
  }

  @Test func `a text-only plan comes first, quoted`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      try await house.add("Prednisolone", dosage: ["text": "Taper <as> discussed"])
      let page = try await house.browser.open("/").text
      let notice = try #require(page.firstRange(of: "No reminders for Prednisolone"))
      let later = try #require(page.firstRange(of: "id=\"later-today\""))
      #expect(notice.lowerBound < later.lowerBound)
      #expect(page.contains("<blockquote>Taper &lt;as&gt; discussed</blockquote>"))
      #expect(page.contains("Enter times"))
    }
  }

  @Test func `a recent intake turns the dose into a question`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let entered = try await harness.send(
        .post, "/api/v1/administrations", house.token,
        json: [
          "medicine": "Metoprolol", "at": "2026-03-01T06:30:00Z", "taken": true, "confirm": true,
        ])
      #expect(entered.status == .created)
      harness.clock.advance(minutes: 65)
      let page = try await house.browser.open("/").text
      #expect(page.contains("Taken 06:30 by Ann. This one too?"))
      #expect(page.contains("Yes, this one too"))
      #expect(page.contains("Extra dose"))
      let asked = try #require(page.firstMatch(of: /name="confirm" value="([^"]+)"/)?.output.1)
      let answer = try await house.answer(0, ["action": "taken", "confirm": String(asked)])
      #expect(answer.status == .seeOther, "\(answer.text)")
      #expect(try await house.states() == ["taken"])
    }
  }
}
