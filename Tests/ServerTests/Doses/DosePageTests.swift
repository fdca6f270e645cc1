// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@Suite struct DosePageTests {
  @Test func `a dose is logged once, however often the button is pressed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 64)
      let page = try await house.open(0, "?return=/").text
      let event = try #require(page.firstMatch(of: /name="event" value="([^"]+)"/)?.output.1)
      for _ in 1...3 {
        let answer = try await house.answer(
          0, ["action": "taken", "event": String(event), "return": "/"])
        #expect(answer.status == .seeOther)
        let row = "#dose-\(house.doses[0])"
        #expect(answer.headers[.location] == "/?done=taken&dose=\(house.doses[0])\(row)")
      }
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 1)
      #expect(try await house.dose(0)["version"]?.number?.integer == 2)
      let today = try await house.browser.open("/?done=taken&dose=\(house.doses[0])").text
      #expect(today.contains("Metoprolol: Taken 08:04"))
    }
  }

  @Test func `taken at another time with another amount`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 180)
      let answer = try await house.answer(
        0,
        [
          "action": "taken", "at-date": "2026-03-01", "at-time": "08:10", "amount-value": "0,5",
          "return": "/doses/\(house.doses[0])",
        ])
      #expect(answer.status == .seeOther, "\(answer.text)")
      let dose = try await house.dose(0)
      #expect(dose["answer"]?["at"]?.string == "2026-03-01T08:10:00+00:00")
      #expect(dose["answer"]?["amount"]?["value"]?.number?.text == "0.5")
      let page = try await house.open(0).text
      #expect(page.contains("half a tablet"))
      #expect(page.contains("History"))
      #expect(page.contains("logged 10:00"))
      #expect(!page.contains("value=\"taken\""), "an answered dose is changed on a page of its own")
    }
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    let date: String
    let time: String
    var amount = "1"
    let message: String
    var testDescription: String { "\(date) \(time) \(amount)" }
  }

  @Test(arguments: [
    Wrong(date: "", time: "08:00", message: "Choose a date."),
    Wrong(date: "yesterday", time: "08:00", message: "Enter a date, for example 2026-03-01."),
    Wrong(date: "2026-02-29", time: "08:00", message: "Enter a date, for example 2026-03-01."),
    Wrong(date: "2026-03-01", time: "", message: "Enter a time."),
    Wrong(date: "2026-03-01", time: "25:00", message: "Enter a time, for example 08:00."),
    Wrong(date: "2026-03-01", time: "23:00", message: "This time is in the future."),
    Wrong(date: "2027-03-01", time: "08:00", message: "This time is in the future."),
    Wrong(date: "0001-01-01", time: "00:00", message: "Enter a date, for example 2026-03-01."),
    Wrong(date: "2026-03-01", time: "06:00", amount: "0", message: "Enter a number above zero"),
    Wrong(date: "2026-03-01", time: "06:00", amount: "one", message: "Enter a number above zero"),
    Wrong(date: "2026-03-01", time: "06:00", amount: "-2", message: "Enter a number above zero"),
  ])
  func `errors are shown next to their field, and no input is lost`(_ wrong: Wrong) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      let answer = try await house.answer(
        0,
        [
          "action": "taken", "at-date": wrong.date, "at-time": wrong.time,
          "amount-value": wrong.amount,
        ])
      #expect(answer.status == .unprocessableContent)
      #expect(answer.text.contains(wrong.message))
      #expect(answer.text.contains("aria-invalid=\"true\""))
      if !wrong.date.isEmpty { #expect(answer.text.contains("value=\"\(wrong.date)\"")) }
      if !wrong.time.isEmpty { #expect(answer.text.contains("value=\"\(wrong.time)\"")) }
      #expect(answer.text.contains("value=\"\(wrong.amount)\""))
      #expect(try await house.states() == ["due"])
    }
  }

  @Test func `a taken dose's reason is shown wherever the dose is`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      _ = try await house.answer(0, ["action": "taken", "reason-words": "before <b>the flight"])
      let extra = try await harness.send(
        .post, "/api/v1/administrations", house.token,
        json: [
          "medicine": "Tea", "at": "2026-03-01T06:30:00Z", "taken": true, "reason": "a sore throat",
        ])
      #expect(extra.status == .created, "\(extra.text)")
      for address in ["/", "/history", "/doses/\(house.doses[0])"] {
        let page = try await house.browser.open(address).text
        #expect(page.contains("before &lt;b&gt;the flight"), "\(address)")
      }
      for address in ["/", "/history"] {
        let page = try await house.browser.open(address).text
        #expect(page.contains("“a sore throat”"), "\(address)")
      }
    }
  }

  @Test(arguments: ["skipped", "refused"])
  func `a dose can be skipped with a reason`(_ action: String) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      _ = try await house.answer(
        0, ["action": action, "reason": "unwell", "reason-words": "dizzy & tired"])
      let dose = try await house.dose(0)
      #expect(dose["state"]?.string == action)
      #expect(dose["answer"]?["reason"]?.string == "Felt unwell: dizzy & tired")
      #expect(try await house.open(0).text.contains("Felt unwell: dizzy &amp; tired"))
    }
  }

  @Test func `snoozing is limited to the dose's window`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      #expect(try await house.open(0).text.contains("30 minutes"))
      let tooLong = try await house.answer(0, ["action": "later", "minutes": "1000"])
      #expect(tooLong.status == .unprocessableContent)
      #expect(tooLong.text.contains("You can put it off by at most"))
      let missing = try await house.answer(0, ["action": "later"])
      #expect(missing.status == .unprocessableContent)
      let answer = try await house.answer(0, ["action": "later", "minutes": "30"])
      #expect(answer.status == .seeOther)
      let page = try await house.browser.open("/?done=later&dose=\(house.doses[0])").text
      #expect(page.contains("Metoprolol: Later, at 08:35"))
      let version = try #require(try await house.dose(0)["version"]?.number?.text)
      _ = try await house.answer(0, ["action": "undo", "corrects": version])
      #expect(try await house.states() == ["due"])
    }
  }

  @Test func `the first answer wins, and the page says whose it was`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      _ = try await house.answer(0, ["action": "skipped", "reason": "ran-out"])
      let late = try await house.answer(0, ["action": "taken"])
      #expect(late.status == .conflict)
      #expect(late.text.contains("Ann answered first: Skipped: Ran out"))
      #expect(late.text.contains("?change=yes"))
      #expect(try await house.states() == ["skipped"])

      let change = try await house.open(0, "?change=yes").text
      let version = try #require(
        change.firstMatch(of: /name="corrects" value="([^"]+)"/)?.output.1)
      let changed = try await house.answer(
        0,
        [
          "action": "taken", "corrects": String(version), "at-date": "2026-03-01",
          "at-time": "07:00",
        ])
      #expect(changed.status == .seeOther, "\(changed.text)")
      #expect(try await house.states() == ["taken"])
      let stale = try await house.answer(
        0, ["action": "skipped", "corrects": String(version), "reason": "forgot"])
      #expect(stale.status == .conflict)
      #expect(stale.text.contains("value=\"forgot\" checked"))
      #expect(try await house.states() == ["taken"])
    }
  }

  @Test func `sending the change form unchanged changes nothing`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      _ = try await house.answer(0, ["action": "taken"])
      harness.clock.advance(minutes: 30)
      _ = try await house.answer(
        0,
        [
          "action": "taken", "corrects": "2", "at-date": "2026-03-01", "at-time": "07:00",
          "amount-value": "1",
        ])
      #expect(try await house.dose(0)["version"]?.number?.integer == 2)
    }
  }

  @Test func `a second intake is questioned once, and again after another`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      _ = try await house.browser.post(
        "/entry",
        [
          "medicine": "other", "name": "METOPROLOL ", "date": "2026-02-28", "time": "23:30",
          "outcome": "taken",
        ])
      let before = try await house.count("SELECT COUNT(*) FROM intakes")
      #expect(before == 1)
      let question = try await house.answer(
        0,
        [
          "action": "taken", "at-date": "2026-03-01", "at-time": "05:00", "event": "",
          "return": "/",
        ])
      #expect(question.status == .conflict)
      #expect(question.text.contains("The same medicine was taken a short time ago."))
      #expect(question.text.contains("name=\"at-time\" value=\"05:00\""))
      #expect(try await house.states() == ["scheduled"])
      let asked = question.text.matches(of: /name="confirm" value="([^"]+)"/)
        .map { ("confirm", String($0.output.1)) }
      // The questions are about the intake, and about the dose that is not due before 08:00.
      #expect(asked.count == 2)
      let wrong = try await house.answer(
        0,
        ["action": "taken", "at-date": "2026-03-01", "at-time": "05:00", "confirm": "another"])
      #expect(wrong.status == .conflict)
      let half = [("action", "taken"), ("at-date", "2026-03-01"), ("at-time", "05:00")]
      let address = "/doses/\(house.doses[0])/answers"
      #expect(
        try await house.browser.post(address, pairs: half + asked.prefix(1)).status == .conflict)
      let sure = try await house.browser.post(address, pairs: half + asked)
      #expect(sure.status == .seeOther, "\(sure.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 2)
    }
  }

  @Test func `one statement says when a dose is on time and until when it can be taken`()
    async throws
  {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: -30)
      #expect(
        try await house.open(0).text.contains(
          "<dd>On time from 07:00 to 09:00. It can still be taken until 14:00.</dd>"))
      for (minutes, sentence) in [
        (95, "On time until 09:00. It can still be taken until 14:00."),
        (60, "It can still be taken until 14:00."),
      ] {
        harness.clock.advance(minutes: Int64(minutes))
        for page in [try await house.open(0).text, try await house.browser.open("/").text] {
          #expect(page.contains(">\(sentence)</"))
          #expect(page.components(separatedBy: "09:00").count == (minutes == 95 ? 2 : 1))
          #expect(!page.contains("Due now, until"))
        }
      }
      _ = try await house.answer(0, ["action": "taken"])
      #expect(try await !house.open(0).text.contains("It can still be taken"))
    }
  }

  @Test func `tomorrow's dose is questioned before it is logged today`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let tomorrow = house.doses[0].replacing("20260301", with: "20260302")
      let address = "/doses/\(tomorrow)/answers"
      harness.clock.advance(minutes: 120)
      // Answering it together with others leaves it unchanged, and the page says so.
      let several = try await house.browser.post(
        "/answers",
        ["action": "taken", "answer": "\(tomorrow) 7d444840-9dc0-11d1-b245-5ffdce74fad2"])
      #expect(several.headers[.location]?.contains("left=1") == true)
      let question = try await house.browser.post(address, ["action": "taken", "return": "/"])
      #expect(question.status == .conflict)
      #expect(question.text.contains("This dose is for tomorrow"))
      #expect(question.text.contains("Mon 2 Mar, 08:00") && question.text.contains("09:00"))
      #expect(question.text.contains("23 hours early"))
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 0)
      let key = try #require(
        question.text.firstMatch(of: /name="confirm" value="([^"]+)"/)?.output.1)
      let other = try await house.browser.post(
        address, ["action": "taken", "confirm": String(key.dropLast())])
      #expect(other.status == .conflict)
      let sure = try await house.browser.post(
        address, ["action": "taken", "confirm": String(key)])
      #expect(sure.status == .seeOther, "\(sure.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 1)
    }
  }

  @Test func `this evening's dose is questioned too, with the time left`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let evening = try #require(
        try await house.listed().compactMap { $0["id"]?.string }.first { $0 != house.doses[0] })
      harness.clock.advance(minutes: 95)
      let question = try await house.browser.post(
        "/doses/\(evening)/answers", ["action": "taken", "return": "/"])
      #expect(question.status == .conflict)
      #expect(question.text.contains("This dose isn’t due yet"))
      #expect(question.text.contains("11 hours 25 minutes early"))
    }
  }

  @Test func `a dose beyond the planned horizon has a page and can be answered`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let far = house.doses[0].replacing("20260301", with: "20260601")
      #expect(far != house.doses[0])
      #expect(try await house.browser.open("/doses/\(far)").status == .ok)
      let answer = try await house.browser.post(
        "/doses/\(far)/answers", ["action": "skipped", "reason": "doctor"])
      #expect(answer.status == .seeOther, "\(answer.text)")
      #expect(try await house.browser.open("/doses/\(far)").text.contains("Skipped:"))
    }
  }

  @Test(arguments: ["nothing", "a_1_n1", "a_b_c", "%2e%2e", "a_1_20260301-9"])
  func `an unknown dose is not found`(_ id: String) async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount())
      #expect(try await browser.open("/doses/\(id)").status == .notFound)
      let answer = try await browser.post("/doses/\(id)/answers", ["action": "taken"])
      #expect(answer.status == .notFound)
    }
  }

  @Test func `an answer only returns to pages of this server`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let answer = try await house.answer(
        0, ["action": "taken", "return": "//evil.example/"])
      #expect(answer.headers[.location]?.hasPrefix("/?done=taken") == true)
      let unknown = try await house.answer(0, ["action": "swallowed"])
      #expect(unknown.status == .badRequest)
    }
  }
}
