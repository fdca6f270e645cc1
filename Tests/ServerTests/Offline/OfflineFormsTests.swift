// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Diary
@testable import Web

/// Forms of the diary and of questionnaires that a device keeps, queues and sends again.
@Suite struct OfflineFormsTests {
  private static let pain = "/diary/trackers/pain"
  private static let entries = "/api/v1/diary/entries"
  private static let event = "3f2504e0-4f89-41d3-9a0c-0305e82c3301"

  private func count(_ ann: Person, _ tracker: String = "pain") async throws -> Int? {
    try await ann.get("\(Self.entries)?tracker=\(tracker)").json()["entries"]?.array?.count
  }

  private func copy(_ browser: Browser, _ address: String) async throws -> TestResponse {
    var headers = browser.headers
    headers[.copy] = "yes"
    return try await browser.harness.send(.get, address, headers)
  }

  @Test func `a form sent by the page and by the worker is one entry`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open(Self.pain).text
      #expect(page.contains("data-entry=\"score\"") && page.contains("name=\"zone\""))
      #expect(page.contains(/name="event" value="[0-9a-f-]{36}"/))
      let sent = try await browser.post(
        Self.pain, ["value": "4", "day": "2026-03-01", "time": "06:30", "event": Self.event])
      #expect(sent.status == .seeOther, "\(sent.text)")
      harness.clock.advance(minutes: 24 * 60)
      let body: JSONValue = [
        "tracker": "pain", "value": 4, "at": "2026-03-01T06:30:00Z", "event": .string(Self.event),
      ]
      for _ in 0..<2 {
        let again = try await ann.post(Self.entries, body)
        #expect(again.status == .created, "\(again.text)")
        #expect(try again.json()["at"]?.string?.hasPrefix("2026-03-01T06:30:00") == true)
      }
      #expect(try await count(ann) == 1)
      // Gone back to and changed, the page makes another entry; a program has to send a new event.
      let changed = try await browser.post(
        Self.pain, ["value": "5", "day": "2026-03-01", "time": "06:30", "event": Self.event])
      #expect(changed.status == .seeOther, "\(changed.text)")
      #expect(try await count(ann) == 2)
      var other = body
      other["value"] = 6
      let refused = try await ann.post(Self.entries, other)
      #expect(refused.status == .unprocessableContent && refused.text.contains("new UUID"))
      #expect(try await count(ann) == 2)
    }
  }

  @Test func `an event needs a UUID and a time, and a refused entry asks again`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let wrong = try await ann.post(
        Self.entries,
        ["tracker": "pain", "value": 4, "at": "2026-03-01T06:30:00Z", "event": "soon"])
      #expect(wrong.status == .unprocessableContent && wrong.text.contains("UUID"))
      let timeless = try await ann.post(
        Self.entries, ["tracker": "pain", "value": 4, "event": .string(Self.event)])
      #expect(timeless.status == .unprocessableContent && timeless.text.contains("at is required"))
      var body: JSONValue = [
        "tracker": "pulse", "value": 190, "unit": "/min", "at": "2026-03-01T06:30:00Z",
        "event": .string(Self.event),
      ]
      let asked = try await ann.post(Self.entries, body)
      #expect(try asked.json()["code"]?.string == "unlikely", "\(asked.text)")
      body["reason"] = "Ran upstairs"
      #expect(try await ann.post(Self.entries, body).status == .created)
      #expect(try await ann.post(Self.entries, body).status == .created)
      #expect(try await count(ann, "pulse") == 1)
      // Opened again from the queue, the page asks for the reason.
      let browser = try await harness.session(of: ann.account)
      let (pulse, reason) = ("/diary/trackers/pulse", "name=\"reason\"")
      let again = try await browser.open("\(pulse)?ask=reason").text
      #expect(again.contains(reason) && !again.contains("<template>"))
      // Without it, the page has the field only in the question that a script may ask offline.
      let asking = try await browser.open(pulse).text
      let parts = asking.split(separator: "<template>")
      #expect(parts.count == 2 && !parts[0].contains(reason) && parts[1].contains(reason))
      #expect(asking.contains("data-ranges=\"beats=20,40,180,300\""))
      #expect(asking.contains("data-unusual=\"This value is unusual."))
      // A page whose event is no UUID still saves.
      let page = try await browser.post(Self.pain, ["value": "4", "event": "soon"])
      #expect(page.status == .seeOther, "\(page.text)")
      #expect(try await count(ann) == 1)
    }
  }

  @Test func `a copy holds the form, and nothing that was written down`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let browser = house.browser
      #expect(try await !browser.open("/").text.contains("data-keep="))
      let made = try await browser.post(Self.pain, ["value": "9", "note": "Left knee"])
      #expect(made.status == .seeOther)
      #expect(try await browser.open("/").text.contains("data-keep=\"\(Self.pain)\""))
      #expect(try await browser.open(Self.pain).text.contains("Left knee"))
      let copied = try await copy(browser, Self.pain).text
      #expect(copied.contains("data-entry=\"score\"") && copied.contains(" data-offline="))
      #expect(!copied.contains("Left knee") && !copied.contains("9 out of 10"))
      // A tracker without limits asks nothing.
      #expect(!copied.contains("data-ranges") && !copied.contains("<template>"))
      let pressure = try await copy(browser, "/diary/trackers/blood-pressure").text
      #expect(pressure.contains("data-ranges=\"value=40,70,220,300 lower=20,40,130,200\""))
    }
  }

  @Test func `the copy of a due questionnaire holds the questions that answers open`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let browser = house.browser
      let address = "/questionnaires/adherence"
      let planned = try await browser.post(
        "\(address)/schedule", ["kind": "weekly", "starts": "2026-03-01", "weeks": ""])
      #expect(planned.status == .seeOther, "\(planned.text)")
      #expect(try await browser.open("/").text.contains("data-keep=\"\(address)\""))
      let page = try await browser.open(address).text
      #expect(page.contains("data-entry=\"questionnaire\"") && !page.contains("data-when="))
      let copied = try await copy(browser, address).text
      #expect(copied.contains("data-when=") && copied.contains("Why did you leave out doses?"))
      #expect(copied.contains(" hidden disabled>"))
      #expect(!copied.contains("value=\"draft\""))
      // The answers are checked before they are queued.
      let parts = copied.split(separator: "<template>")
      #expect(parts.count == 2 && !parts[0].contains("value=\"send\""))
      #expect(parts[1].contains("value=\"send\"") && parts[1].contains("value=\"change\""))
    }
  }

  @Test func `answers kept for a day are stored once, and other questions are refused`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let address = "/api/v1/questionnaires/aims/responses"
      let answers: JSONValue = [
        "simple": ["yes"], "reminded": ["yes"], "calm": ["yes"], "informed": ["yes"],
        "watch": ["true"],
      ]
      harness.clock.advance(minutes: 24 * 60)
      var body: JSONValue = [
        "answers": answers, "at": "2026-03-01T07:00:00Z", "event": .string(Self.event),
        "shown": ["simple", "reminded", "calm", "informed", "watch", "comment"],
      ]
      // The answer opens a question that was not shown.
      let more = try await ann.post(address, body)
      #expect(more.status == .conflict, "\(more.text)")
      #expect(try more.json()["code"]?.string == "conflict")
      body["shown"] = ["simple", "reminded", "calm", "informed", "watch", "disturbed", "comment"]
      body["version"] = "of another day"
      #expect(try await ann.post(address, body).status == .conflict)
      body["version"] = nil
      let sent = try await ann.post(address, body)
      #expect(sent.status == .created, "\(sent.text)")
      let again = try await ann.post(address, body)
      #expect(try again.json()["response"] == sent.json()["response"])
      let id = try #require(try sent.json()["response"]?.string)
      let resource = try await ann.get("/fhir/QuestionnaireResponse/\(id)").json()
      #expect(resource["authored"]?.string?.hasPrefix("2026-03-01T07:00:00") == true)
      body["answers"] = ["watch": ["false"]]
      let other = try await ann.post(address, body)
      #expect(other.status == .unprocessableContent && other.text.contains("new UUID"))
      body["event"] = "3f2504e0-4f89-41d3-9a0c-0305e82c3302"
      body["at"] = "2026-01-01T07:00:00Z"
      let late = try await ann.post(address, body)
      #expect(late.status == .unprocessableContent && late.text.contains("31 days"))
      let gone = try await ann.post("/api/v1/questionnaires/nothing/responses", body)
      #expect(gone.status == .notFound)
    }
  }

  @Test func `the pages of a questionnaire carry one event, and store its answers once`()
    async throws
  {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let form = try #require(QuestionnaireInstruments.all[.usability])
      let comment = try #require(form.allItems.firstIndex { $0.link == "comment" })
      let all = form.allItems.indices.map { ("shown", String($0)) }
      let typed = all + [("q\(comment)", "Larger buttons"), ("event", Self.event)]
      let address = "/questionnaires/usability"
      let review = try await browser.post(address, pairs: typed + [("step", "next")])
      #expect(review.text.contains("name=\"event\" value=\"\(Self.event)\""), "\(review.text)")
      for _ in 0..<2 {
        let sent = try await browser.post(address, pairs: typed + [("step", "send")])
        #expect(sent.status == .seeOther, "\(sent.text)")
      }
      let found = try await ann.get("/fhir/QuestionnaireResponse").json()
      #expect(found["total"]?.number?.integer == 1, "\(found)")
    }
  }
}
