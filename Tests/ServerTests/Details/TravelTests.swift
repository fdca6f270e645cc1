// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Server
@testable import Web

@Suite struct TravelTests {
  @Test func `each medicine follows or keeps its time, with a preview`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: ["Along", "Staying"])
      let doses = try await house.listed()
      func plan(_ index: Int) throws -> String {
        try #require(
          doses.first { $0["id"]?.string == house.doses[index] }?["plan"]?.string)
      }
      let (along, staying) = (try plan(0), try plan(1))
      let page = try await house.browser.open("/travel?zone=Asia/Bangkok").text
      #expect(page.contains("value=\"Asia/Bangkok\" selected"))
      #expect(page.contains("name=\"policy-\(along)\"") && page.contains("clock in Berlin"))
      let fields: KeyValuePairs<String, String> = [
        "zone": "Asia/Bangkok", "policy-\(along)": "follow", "policy-\(staying)": "home",
      ]
      let shown = try await house.browser.post(
        "/travel",
        [
          "zone": "Asia/Bangkok", "policy-\(along)": "follow", "policy-\(staying)": "home",
          "preview": "yes",
        ])
      #expect(shown.status == .ok && shown.text.contains("Along:"))
      let before = try await house.listed()
      #expect(before.map { $0["due"] } == doses.map { $0["due"] })
      let saved = try await house.browser.post("/travel", fields)
      #expect(saved.status == .seeOther, "\(saved.text)")
      let after = try await house.listed()
      let kept = after.filter {
        $0["plan"]?.string == staying && $0["state"]?.string != "cancelled"
      }
      #expect(kept.contains { $0["due"]?.string == "2026-03-01T14:00:00+07:00" })
      let moved = after.filter { $0["plan"]?.string == along && $0["state"]?.string != "cancelled" }
      #expect(moved.contains { $0["due"]?.string == "2026-03-01T20:00:00+07:00" })
      #expect(saved.headers[.location] == "/medicines?done=travel")
      let list = try await house.browser.open("/medicines?done=travel").text
      #expect(list.contains("Saved. The time zone is now Bangkok."))
      #expect(!(try await house.browser.open("/medicines").text).contains("Saved."))
      // The current zone can be chosen again, and so can a zone that only browsers use.
      let again = try await house.browser.post("/travel", ["zone": "Asia/Bangkok"])
      #expect(again.status == .seeOther && again.headers[.location] == "/medicines?done=travel")
      #expect(try await house.listed().map { $0["due"] } == after.map { $0["due"] })
      let named = try await house.browser.open("/travel?zone=Asia/Calcutta").text
      #expect(named.contains("value=\"Asia/Calcutta\" selected"))
      let alias = try await house.browser.post(
        "/travel",
        ["zone": "Asia/Calcutta", "policy-\(along)": "follow", "policy-\(staying)": "home"])
      #expect(alias.status == .seeOther, "\(alias.text)")
      let unknown = try await house.browser.post("/travel", ["zone": "Moon/Base"])
      #expect(unknown.status == .unprocessableContent)
    }
  }

  @Test
  func
    `Today holds the question for a device elsewhere, and tells of the clock the evening before`()
    async throws
  {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plain = try await house.browser.open("/").text
      #expect(plain.contains("data-home-zone=\"Europe/Berlin\" data-put-off=\"\" hidden"))
      #expect(!plain.contains("02:30"))
      _ = try await house.add(
        "Nightly", dosage: ["timing": ["repeat": ["timeOfDay": ["02:30:00"]]]])
      // From 1 March to the evening of the 28th, before the clocks go forward.
      harness.clock.advance(minutes: 27 * 24 * 60 + 11 * 60)
      let browser = try await harness.session(of: house.account)
      let evening = try await browser.open("/").text
      #expect(evening.contains("Nightly") && evening.contains("skip 02:30"))
    }
  }

  @Test func `keeping intervals is a third choice, undone with one tap`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.listed().first?["plan"]?.string)
      let page = try await house.browser.open("/travel?zone=Asia/Kathmandu").text
      #expect(page.contains("value=\"elapsed\"") && page.contains("in Kathmandu"))
      let fields: KeyValuePairs<String, String> = [
        "zone": "Asia/Kathmandu", "policy-\(plan)": "elapsed",
      ]
      let shown = try await house.browser.post(
        "/travel", ["zone": "Asia/Kathmandu", "policy-\(plan)": "elapsed", "preview": "yes"])
      #expect(shown.status == .ok && shown.text.contains("No doses move in the next days"))
      let before = try await house.listed().compactMap { $0["due"]?.string }
      #expect(try await house.browser.post("/travel", fields).status == .seeOther)
      let after = try await house.listed().filter { $0["state"]?.string == "scheduled" }
      #expect(after.count > 0 && before.count > 0)
      let medicine = try await house.browser.open("/medicines/\(plan)").text
      #expect(medicine.contains("while you travel: now") && medicine.contains("Kathmandu"))
      let edit = try await house.browser.open("/medicines/\(plan)/edit").text
      #expect(edit.contains("value=\"elapsed\" checked"))
      // Nothing new was chosen, so nothing changes, but the page still confirms it; the local clock
      // is a different answer.
      let same = try await house.browser.post(
        "/travel", ["zone": "Asia/Kathmandu", "policy-\(plan)": "elapsed"])
      #expect(same.status == .seeOther)
      let kept = try await house.browser.open("/medicines/\(plan)").text
      #expect(kept.contains("while you travel: now"))
      let there = try await house.browser.open("/travel?zone=Asia/Kathmandu").text
      #expect(there.contains("Go back to your schedule") && there.contains("clock in Berlin"))
      let back = try await house.browser.post(
        "/travel", ["zone": "Asia/Kathmandu", "policy-\(plan)": "follow"])
      #expect(back.status == .seeOther)
      let follows = try await house.browser.open("/medicines/\(plan)").text
      #expect(
        follows.contains("Follows local time wherever you are") && follows.contains("now Kathmandu")
      )
    }
  }

  /// Three times a day in Berlin, the 14:00 dose moved to 16:30: in New York there is no room for
  /// it.
  private static func movedHouse(_ harness: ServerHarness) async throws -> (DoseHouse, String) {
    let house = try await DoseHouse(harness, plans: [])
    try await house.add(
      "Ramipril",
      dosage: ["timing": ["repeat": ["timeOfDay": ["08:00:00", "14:00:00", "20:00:00"]]]])
    // From 08:00 to 12:00.
    harness.clock.advance(minutes: 240)
    let noon = try #require(
      try await house.listed().first { $0["due"]?.string?.contains("T14:00") == true })
    let dose = try #require(noon["id"]?.string)
    let moved = try await house.browser.post(
      "/doses/\(dose)/move",
      ["move-date": "2026-03-01", "move-time": "16:30", "scope": "once"])
    #expect(moved.status == .seeOther, "\(moved.text)")
    return (house, try #require(noon["plan"]?.string))
  }

  private static func due(_ house: DoseHouse) async throws -> [String] {
    try await house.listed().filter { $0["state"]?.string != "cancelled" }
      .compactMap { $0["due"]?.string }
  }

  @Test func `moves dropped by travel are asked about first for each zone`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let (house, plan) = try await Self.movedHouse(harness)
      let before = try await Self.due(house)
      #expect(before.contains("2026-03-01T16:30:00+01:00"))
      let asked = try await house.browser.post(
        "/travel", ["zone": "America/New_York", "policy-\(plan)": "follow"])
      #expect(asked.status == .ok && asked.text.contains("would lose their new time"))
      #expect(asked.text.contains("replaces the time you chose"))
      #expect(asked.text.contains("name=\"seen\" value=\"America/New_York\""))
      #expect(try await Self.due(house) == before)
      let other = try await house.browser.post(
        "/travel",
        ["zone": "America/Chicago", "policy-\(plan)": "follow", "seen": "America/New_York"])
      #expect(other.status == .ok && other.text.contains("value=\"America/Chicago\""))
      #expect(try await Self.due(house) == before)
      let saved = try await house.browser.post(
        "/travel",
        ["zone": "America/New_York", "policy-\(plan)": "follow", "seen": "America/New_York"])
      #expect(saved.status == .seeOther, "\(saved.text)")
      #expect(try await Self.due(house).contains("2026-03-01T14:00:00-05:00"))
    }
  }

  @Test func `the details ask the same before a new zone drops a move`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let (house, _) = try await Self.movedHouse(harness)
      let before = try await Self.due(house)
      let page = try await house.browser.open("/me/routine").text
      let version = try #require(page.firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      func save(_ more: (String, String)...) async throws -> TestResponse {
        try await house.browser.submitForm(
          "/me/routine",
          [
            ("version", String(version)), ("zone", "America/New_York"),
            ("wake", "07:00"), ("breakfast", "07:30"), ("lunch", "12:30"), ("dinner", "18:30"),
            ("bedtime", "22:30"),
          ] + more)
      }
      let asked = try await save()
      #expect(
        asked.status == .ok && asked.text.contains("would lose their new time"), "\(asked.text)")
      #expect(try await Self.due(house) == before)
      let saved = try await save(("seen", "America/New_York"))
      #expect(saved.status == .seeOther, "\(saved.text)")
      #expect(try await Self.due(house).contains("2026-03-01T14:00:00-05:00"))
    }
  }

  @Test func `the question is postponed for one zone and returns for another`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      #expect(try await house.browser.open("/").text.contains("data-put-off=\"\""))
      let said = try await house.browser.post("/travel/later", ["zone": "Asia/Bangkok"])
      #expect(said.status == .seeOther)
      #expect(try await house.browser.open("/").text.contains("data-put-off=\"Asia/Bangkok\""))
      for zone in ["", "Moon/Base", "../../etc/passwd"] {
        #expect(
          try await house.browser.post("/travel/later", ["zone": zone]).status == .badRequest)
      }
      // After another journey it is a new question.
      harness.clock.advance(minutes: 15 * 24 * 60)
      let browser = try await harness.session(of: house.account)
      #expect(try await browser.open("/").text.contains("data-put-off=\"\""))
    }
  }

  @Test func `the clock change notice can be turned off`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      #expect(try await house.browser.open("/reminders/quiet").text.contains("Don’t tell me"))
      #expect(
        try await house.browser.post("/reminders/clock", ["do": "quiet"]).status == .seeOther)
      #expect(
        try await house.browser.open("/reminders/quiet").text.contains("Tell me the evening before")
      )
      // The quiet hours are stored separately, and stay unchanged.
      _ = try await house.browser.post(
        "/reminders/quiet", ["quiet-from": "22:00", "quiet-until": "07:00"])
      #expect(
        try await house.browser.open("/reminders/quiet").text.contains("Tell me the evening before")
      )
    }
  }

  @Test func `Today announces clock changes at home for home-time medicines`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.listed().first?["plan"]?.string)
      let saved = try await house.browser.post(
        "/travel", ["zone": "Asia/Bangkok", "policy-\(plan)": "home"])
      #expect(saved.status == .seeOther)
      let before = try await house.browser.open("/").text
      #expect(!before.contains("instead of 14:00"))
      // From 1 March to the evening of the 28th in Bangkok.
      harness.clock.advance(minutes: 27 * 24 * 60 + 5 * 60)
      let browser = try await harness.session(of: house.account)
      let evening = try await browser.open("/").text
      #expect(evening.contains("13:00 instead of 14:00"))
      #expect(evening.contains("01:00 instead of 02:00"))
    }
  }

  @Test func `an unreadable medicine doesn't stop clock notices for others`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let database = harness.environment.database
      let house = try await DoseHouse(harness, plans: [])
      let other = try await harness.makeAccount("Bob")
      let patients = [house.account.patient, other.patient].sorted()
      for account in [house.account, other] {
        let created = try await harness.send(
          .post, "/fhir/MedicationRequest", try await harness.token(of: account),
          json: [
            "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
            "medicationCodeableConcept": ["text": "Nightly"],
            "subject": ["reference": .string("Patient/\(account.patient)")],
            "dosageInstruction": [
              [
                "timing": ["repeat": ["timeOfDay": ["02:30:00"]]],
                "doseAndRate": [["doseQuantity": ["value": 1, "unit": "tablet"]]],
              ]
            ],
          ])
        #expect(created.status == .created, "\(created.text)")
      }
      // The first in line.
      try await database.write { writer in
        _ = try writer.execute(
          "UPDATE plan_eras SET zone = 'Moon/Base' WHERE patient = $1", [.text(patients[0])])
      }
      harness.clock.advance(minutes: 27 * 24 * 60 + 11 * 60)
      let service = HorizonService(environment: harness.environment)
      for _ in 0..<2 {
        try await service.lookAtClocks()
        let rows = try await database.read { reader in
          try reader.query("SELECT patient, reminder FROM clock_notices ORDER BY patient")
        }
        #expect(try rows.map { try $0.id(0) } == patients)
        #expect(rows.map { $0[1] == .null } == [true, false])
      }
    }
  }
}
