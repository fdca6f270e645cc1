// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Web

@Suite struct EntryTests {
  @Test func `another medicine is logged, shown on Today and undone`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let answer = try await house.browser.post(
        "/entry",
        [
          "medicine": "other", "name": "Paracetamol", "date": "2026-03-01", "time": "06:30",
          "amount-value": "2", "outcome": "taken", "reason": "Headache",
          "event": harness.environment.newIdentifier(),
        ])
      #expect(answer.status == .seeOther, "\(answer.text)")
      let target = try #require(answer.headers[.location])
      #expect(target.hasPrefix("/?done=entry&entry="))
      let page = try await house.browser.open(target).text
      #expect(page.contains("Logged."))
      #expect(page.contains("Paracetamol"))
      #expect(page.contains("Taken 06:30"))
      let undo = try #require(page.firstMatch(of: /action="(\/entry\/[^"]+\/undo)"/)?.output.1)
      for _ in 1...2 {
        let undone = try await house.browser.post(String(undo), [:])
        #expect(undone.status == .seeOther)
      }
      #expect(try await house.count("SELECT COUNT(*) FROM intakes") == 0)
    }
  }

  @Test func `an entry near a planned dose answers it, in the plan's unit`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      harness.clock.advance(minutes: 65)
      let plan = try #require(try await house.dose(0)["plan"]?.string)
      #expect(
        try await house.browser.open("/entry?medicine=\(plan)").text
          .contains("value=\"\(plan)\" checked"))
      let answer = try await house.browser.post(
        "/entry",
        [
          "medicine": plan, "date": "2026-03-01", "time": "08:02", "amount-value": "2",
          "amount-unit": "drop", "outcome": "taken",
        ])
      let row = "#dose-\(house.doses[0])"
      #expect(answer.headers[.location] == "/?done=taken&dose=\(house.doses[0])\(row)")
      let dose = try await house.dose(0)
      #expect(dose["answer"]?["amount"]?["unit"]?.string == "tablet")
      #expect(dose["answer"]?["at"]?.string == "2026-03-01T08:02:00+00:00")
    }
  }

  struct Wrong: Sendable, CustomTestStringConvertible {
    var medicine = "other"
    var name = "Paracetamol"
    var date = "2026-03-01"
    var time = "06:30"
    var amount = "1"
    var outcome = "taken"
    let message: String
    var testDescription: String { message }
  }

  @Test(arguments: [
    Wrong(medicine: "", message: "Choose the medicine."),
    Wrong(medicine: "somebody-elses", message: "This medicine is not in your list."),
    Wrong(name: "", message: "Enter the name of the medicine."),
    Wrong(name: String(repeating: "x", count: 201), message: "Shorten the name to 200"),
    Wrong(date: "", message: "Choose a date."),
    Wrong(time: "x", message: "Enter a time, for example 08:00."),
    Wrong(time: "07:30", message: "This time is in the future."),
    Wrong(amount: "0", message: "Enter a number above zero"),
    Wrong(outcome: "perhaps", message: "Choose “Taken” or “Not taken”."),
  ])
  func `errors are shown, and nothing is saved`(_ wrong: Wrong) async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let answer = try await house.browser.post(
        "/entry",
        [
          "medicine": wrong.medicine, "name": wrong.name, "date": wrong.date, "time": wrong.time,
          "amount-value": wrong.amount, "outcome": wrong.outcome, "reason": "Ünïcode <b>",
        ])
      #expect(answer.status == .unprocessableContent)
      #expect(answer.text.contains(wrong.message))
      #expect(answer.text.contains("value=\"Ünïcode &lt;b&gt;\""))
      #expect(try await house.count("SELECT COUNT(*) FROM answers") == 0)
    }
  }

  @Test func `someone else's entry is not found`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let entered = try await house.browser.post(
        "/entry",
        [
          "medicine": "other", "name": "Ibuprofen", "date": "2026-03-01", "time": "06:00",
          "outcome": "not-taken",
        ])
      let id = try #require(entered.headers[.location]?.split(separator: "entry=").last)
      let other = try await harness.session(of: harness.makeAccount("Bob"))
      #expect(try await other.post("/entry/\(id)/undo", [:]).status == .notFound)
      #expect(try await other.post("/entry/unknown/undo", [:]).status == .notFound)
    }
  }
}
