// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import Storage
import Testing
import TestSupport

/// "Did it help?" on Today, next to the next dose, over the API and over FHIR.
@Suite struct FollowUpPageTests {
  private static let needed: JSONValue = ["asNeededBoolean": true]

  private static func take(_ house: DoseHouse, _ plan: PlanID, _ at: String) async throws -> String
  {
    let taken = try await house.harness.send(
      .post, "/api/v1/administrations", house.token,
      json: [
        "patient": .string(house.account.patient), "medicine": .string(plan), "at": .string(at),
        "taken": true, "confirm": true,
      ])
    #expect(taken.status == .created, "\(taken.text)")
    return try #require(try taken.json()["id"]?.string)
  }

  @Test func `one press on Today answers, and the next dose shows it`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let plan = try await house.add("Sumatriptan", dosage: Self.needed)
      let dose = try await Self.take(house, plan, "2026-03-01T06:00:00Z")
      harness.clock.advance(minutes: 121)
      let today = try await house.browser.open("/").text
      #expect(today.contains("Did Sumatriptan help?") && today.contains("Too early to say"))
      let wrong = try await house.browser.post("/follow-ups/\(dose)", ["answer": "maybe"])
      #expect(wrong.status == .unprocessableContent)
      let answered = try await house.browser.post(
        "/follow-ups/\(dose)", ["answer": "little", "from": "as-needed"])
      #expect(answered.status == .seeOther && answered.headers[.location] == "/as-needed")
      #expect(!(try await house.browser.open("/").text).contains("Did Sumatriptan help?"))
      let page = try await house.browser.open("/as-needed").text
      #expect(page.contains("The last time you answered: it helped once."))
      let found = try await harness.send(
        .get, "/fhir/Observation?patient=\(house.account.patient)&code=did-it-help", house.token)
      let observation = try found.json()["entry"]?[0]?["resource"]
      #expect(
        observation?["partOf"]?[0]?["reference"]?.string == "MedicationAdministration/\(dose)",
        "\(found.text)")
    }
  }

  @Test func `the API lists questions and takes answers`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let address = "/api/v1/follow-ups"
      #expect(
        try await harness.send(.get, address, house.token).json()
          == ["questions": [], "medicines": []])
      let plan = try await house.add("Sumatriptan", dosage: Self.needed)
      let dose = try await Self.take(house, plan, "2026-03-01T06:00:00Z")
      harness.clock.advance(minutes: 121)
      let listed = try await harness.send(.get, address, house.token).json()
      #expect(listed["questions"]?[0]?["administration"]?.string == dose)
      #expect(listed["medicines"]?[0]?["minutesFrom"]?.string == "standard")
      let unknown = try await harness.send(
        .post, "\(address)/\(dose)/answers", house.token, json: ["answer": "maybe"])
      #expect(unknown.status == .unprocessableContent)
      let none = try await harness.send(
        .post, "\(address)/nothing/answers", house.token, json: ["answer": "much"])
      #expect(none.status == .notFound)
      let answered = try await harness.send(
        .post, "\(address)/\(dose)/answers", house.token, json: ["answer": "much"])
      #expect(answered.status == .noContent, "\(answered.text)")
      let after = try await harness.send(.get, address, house.token).json()
      #expect(after["questions"] == [] && after["medicines"]?[0]?["answers"] == ["much"])
      let stranger = try await harness.send(.get, "\(address)?patient=someone-else", house.token)
      #expect(stranger.status == .notFound)
    }
  }

  @Test func `the warning names its source and never blocks`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let plan = try await house.add("Sumatriptan", dosage: Self.needed)
      for day in 11...19 {
        _ = try await Self.take(house, plan, "2026-02-\(day)T06:00:00Z")
      }
      for address in ["/as-needed", "/medicines/\(plan)"] {
        let page = try await house.browser.open(address).text
        #expect(page.contains("Another dose of Sumatriptan today makes 10 of the last 30 days."))
        #expect(page.contains("NICE CG150"))
      }
      let taken = try await house.browser.post("/as-needed/\(plan)", [:])
      #expect(taken.status == .seeOther, "\(taken.text)")
      #expect(
        try await house.browser.open("/as-needed").text
          .contains("logged Sumatriptan on 10 of the last 30 days."))
      let other = try await house.add("Paracetamol", dosage: Self.needed)
      #expect(!(try await house.browser.open("/medicines/\(other)").text).contains("NICE CG150"))
    }
  }

  @Test func `the time of the question can be changed`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let plan = try await house.add("Paracetamol", dosage: Self.needed)
      let address = "/medicines/\(plan)/follow-up"
      let page = try await house.browser.open(address).text
      #expect(page.contains("After 120 minutes.") && page.contains("For headaches or migraine"))
      for minutes in ["", "14", "1441", "ten"] {
        let refused = try await house.browser.post(address, ["time": "own", "minutes": minutes])
        #expect(refused.status == .unprocessableContent && refused.text.contains("from 15 to"))
      }
      #expect(try await house.browser.post(address, [:]).status == .unprocessableContent)
      let saved = try await house.browser.post(
        address, ["time": "own", "minutes": "45", "headache": "yes"])
      #expect(saved.headers[.location] == "\(address)?done=saved")
      #expect(
        try await house.count(
          "SELECT COUNT(*) FROM follow_up_choices WHERE minutes = 45 AND is_for_headache = 1") == 1)
      let off = try await house.browser.post(address, ["time": "never"])
      #expect(off.status == .seeOther)
      #expect(
        try await house.count("SELECT COUNT(*) FROM follow_up_choices WHERE is_asked = 0") == 1)
      // Only an as-needed medicine has the link.
      #expect(try await house.browser.open("/medicines/\(plan)").text.contains("/follow-up\""))
    }
  }
}
