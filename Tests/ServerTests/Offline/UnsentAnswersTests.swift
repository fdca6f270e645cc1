// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTML
import HTTPTypes
import HummingbirdTesting
import Localization
import NIOCore
import TestSupport
import Testing

@testable import Web

/// The places for queued answers, and the data that pages give to the script that queues them.
@Suite struct UnsentAnswersTests {
  @Test(arguments: Language.allCases)
  func `the queue's texts are in the page's language`(_ language: Language) {
    let text = UnsentAnswers(localizer: Localizer.of(language)).markup.text
    let names = [
      "kept", "saved", "lost", "answered", "asked", "failed", "taken", "later", "undo", "needs",
      "copied", "postpone", "skip", "missing", "unlikely", "changed", "unsaved", "again", "typed",
    ]
    for name in names {
      #expect(text.contains(" data-\(name)=\""), "\(name)")
      #expect(!text.contains(" data-\(name)=\"\""), "\(name)")
    }
    #expect(!text.contains("offline."), "a text is missing")
  }

  @Test func `only account pages, ringing ones included, have the queue`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      for address in ["/", "/ring", "/simple", "/entry", "/medicines"] {
        let page = try await house.browser.open(address).text
        #expect(page.contains("id=\"unsent\""), "\(address)")
      }
      let stranger = try await harness.send(.get, "/sign-in").text
      #expect(!stranger.contains("id=\"unsent\""))
    }
  }

  @Test func `each page marks where a dose's answers are`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      for address in ["/", "/doses/\(house.doses[0])", "/simple"] {
        let page = try await house.browser.open(address).text
        #expect(page.contains("data-answers=\"\(house.doses[0])\""), "\(address)")
      }
    }
  }

  @Test func `the simple view says what it would ask next`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol", "Zinc"])
      let page = try await house.browser.open("/simple").text
      #expect(page.contains("data-due=\"2026-03-01T08:00:00+00:00\""))
      let listed = try #require(page.firstMatch(of: /data-doses="([^"]+)"/)?.1)
      #expect(Set(listed.split(separator: " ").map(String.init)) == Set(house.doses))
    }
  }

  @Test func `forms name the zone of local times and the unit of amounts`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      let dose = try await house.open(0).text
      #expect(dose.contains("name=\"zone\" value=\"Europe/Berlin\""))
      #expect(dose.contains("name=\"unit\" value=\"tablet\""))
      let entry = try await house.browser.open("/entry").text
      #expect(entry.contains("name=\"zone\" value=\"Europe/Berlin\""))
      #expect(entry.contains("value=\"tablet\""))
    }
  }

  @Test func `a script that answers in its place is sent the question as a page it can show`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let address = "/doses/\(house.doses[0])/answers"
      let early: KeyValuePairs = [
        "action": "taken", "at-date": "2026-03-01", "at-time": "05:00",
      ]
      let question = try await house.browser.post(address, early)
      #expect(question.status == .conflict)
      var headers = house.browser.headers
      headers[.contentType] = "application/x-www-form-urlencoded"
      headers[.inPlace] = "yes"
      let token = "\(ForgeryGuard.field)=\(house.browser.formToken)"
      let body = "action=taken&at-date=2026-03-01&at-time=05%3A00&\(token)"
      let inPlace = try await harness.client.executeRequest(
        uri: address, method: .post, headers: headers, body: ByteBuffer(string: body))
      #expect(inPlace.status == .ok)
      #expect(inPlace.text.contains("name=\"confirm\""))
      let strange = try await harness.client.executeRequest(
        uri: "/doses/nothing/answers", method: .post, headers: headers,
        body: ByteBuffer(string: body))
      #expect(strange.status == .notFound)
      #expect(try await house.states() == ["scheduled"])
    }
  }

  @Test func `a form sent twice, from the page and by the worker, is one answer`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      let event = harness.environment.newIdentifier()
      let sent = try await house.answer(0, ["action": "taken", "event": event])
      #expect(sent.status == .seeOther)
      harness.clock.advance(minutes: 7 * 24 * 60)
      let again = try await harness.send(
        .post, "/api/v1/doses/\(house.doses[0])/answers", house.token,
        json: [
          "action": "taken", "event": .string(event), "at": "2026-03-01T08:05:00Z",
          "confirm": true,
        ])
      #expect(again.status == .ok, "\(again.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 1)
    }
  }

  @Test func `an entry is undone by a queued request, once`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let made = try await harness.send(
        .post, "/api/v1/administrations", house.token,
        json: ["medicine": "Ibuprofen", "at": "2026-03-01T06:30:00Z", "taken": true])
      let id = try #require(try made.json()["id"]?.string)
      #expect(try await house.browser.open("/").text.contains("data-answers=\"entry-\(id)\""))
      let event = harness.environment.newIdentifier()
      for _ in 0..<2 {
        let undone = try await harness.send(
          .post, "/api/v1/administrations/\(id)/undo", house.token,
          json: ["event": .string(event), "confirm": true, "at": "2026-03-01T06:40:00Z"])
        #expect(undone.status == .ok, "\(undone.text)")
        #expect(try undone.json()["id"]?.string == id)
      }
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 0)
      #expect(try await house.count("SELECT COUNT(*) FROM answers WHERE action = 'undo'") == 1)
      for other in ["nothing", "00000000-0000-4000-8000-000000000000"] {
        let refused = try await harness.send(
          .post, "/api/v1/administrations/\(other)/undo", house.token, json: [:])
        #expect(refused.status == .notFound, "\(other)")
      }
      let wrong = try await harness.send(
        .post, "/api/v1/administrations/\(id)/undo", house.token, json: ["event": "no uuid"])
      #expect(wrong.status == .unprocessableContent)
    }
  }

  @Test func `an answer queued for a week is recorded with its own time`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65 + 7 * 24 * 60)
      let sent = try await harness.send(
        .post, "/api/v1/doses/\(house.doses[0])/answers", house.token,
        json: [
          "action": "taken", "event": .string(harness.environment.newIdentifier()),
          "at": "2026-03-01T08:04:00Z", "confirm": true,
        ])
      #expect(sent.status == .ok, "\(sent.text)")
      #expect(try await house.states() == ["taken"])
      let answer = try await house.dose(0)["answer"]
      #expect(answer?["at"]?.string == "2026-03-01T08:04:00+00:00")
    }
  }
}
