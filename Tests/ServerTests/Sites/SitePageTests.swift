// SPDX-License-Identifier: Apache-2.0

import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Records
import Storage
import Testing
import TestSupport

/// Sites on the page of a medicine, of a dose, on Today and over FHIR.
@Suite struct SitePageTests {
  @Test func `a patch is placed from Today, and taken off`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let plan = try await house.add("Rotigotine", dosage: ["asNeededBoolean": true])
      let settings = "/medicines/\(plan)/sites"
      #expect(try await house.browser.open("/medicines/\(plan)").text.contains(settings))
      for hours in ["0", "-1", "a", "87601"] {
        let refused = try await house.browser.post(
          settings, ["on": "yes", "kind": "patch", "hours": hours])
        #expect(refused.status == .unprocessableContent, "\(hours)")
      }
      #expect(try await house.browser.post(settings, [:]).status == .unprocessableContent)
      let saved = try await house.browser.post(
        settings, ["on": "yes", "kind": "patch", "hours": "24"])
      #expect(saved.headers[.location] == "\(settings)?done=saved")
      _ = try await house.browser.post("/as-needed/\(plan)", [:])
      let today = try await house.browser.open("/").text
      let dose = try #require(today.firstMatch(of: /\/sites\/([^"]+)"/)?.output.1)
      let address = "/sites/\(dose)"
      let page = try await house.browser.open("\(address)?site=arm-left").text
      #expect(page.contains("<svg") && page.contains("Left upper arm"))
      #expect(page.contains("You haven’t used it yet."))
      #expect(page.contains("value=\"arm-left\" checked"))
      #expect(try await house.browser.post(address, [:]).status == .unprocessableContent)
      let foreign = try await house.browser.post(address, ["site": "eye-left"])
      #expect(foreign.status == .unprocessableContent)
      let placed = try await house.browser.post(
        address, ["site": "arm-left", "reactions": "redness"])
      #expect(placed.status == .seeOther, "\(placed.text)")
      let read = try await harness.send(
        .get, "/fhir/MedicationAdministration/\(dose)", house.token)
      #expect(
        try read.json()["dosage"]?["site"]?["coding"]?[0]?["code"]?.string == "arm-left",
        "\(read.text)")
      let list = try await house.browser.open(settings).text
      #expect(list.contains("Left upper arm") && list.contains("Redness"))
      #expect(list.contains("Suggestion:"))
      harness.clock.advance(minutes: 24 * 60 + 5)
      #expect(try await house.browser.open("/").text.contains("Log that it’s off"))
      let removed = try await house.browser.post("\(address)/removed", [:])
      #expect(removed.headers[.location] == "\(address)?done=removed")
      // A second press on an old page changes nothing.
      #expect(try await house.browser.post("\(address)/removed", [:]).status == .seeOther)
      #expect(try await house.browser.open(address).text.contains("Taken off:"))
      #expect(!(try await house.browser.open("/").text).contains("Log that it’s off"))
      #expect(try await house.browser.open("/sites/nothing").status == .notFound)
    }
  }

  @Test func `the API lists sites, records them and logs a removal`() async throws {
    try await ServerHarness.run(homeZone: "Europe/Berlin") { harness in
      let house = try await DoseHouse(harness, plans: [])
      let address = "/api/v1/sites"
      #expect(try await harness.send(.get, address, house.token).json() == ["medicines": []])
      let plan = try await house.add("Rotigotine", dosage: ["asNeededBoolean": true])
      _ = try await house.browser.post(
        "/medicines/\(plan)/sites", ["on": "yes", "kind": "patch", "hours": "24"])
      let taken = try await harness.send(
        .post, "/api/v1/administrations", house.token,
        json: ["medicine": .string(plan), "at": "2026-03-01T06:00:00Z", "taken": true])
      let dose = try #require(try taken.json()["id"]?.string, "\(taken.text)")
      for wrong: JSONValue in [
        ["site": "eye-left"], ["site": "elbow"], [:], ["site": "arm-left", "reactions": ["x"]],
      ] {
        let refused = try await harness.send(.put, "\(address)/\(dose)", house.token, json: wrong)
        #expect(refused.status == .unprocessableContent, "\(wrong)")
      }
      let placed = try await harness.send(
        .put, "\(address)/\(dose)", house.token,
        json: ["site": "arm-left", "reactions": ["redness"]])
      #expect(placed.status == .noContent, "\(placed.text)")
      let early = try await harness.send(
        .post, "\(address)/\(dose)/removal", house.token,
        json: ["removed": "2026-02-28T06:00:00Z"])
      #expect(early.status == .unprocessableContent)
      let removed = try await harness.send(
        .post, "\(address)/\(dose)/removal", house.token, json: [:])
      #expect(removed.status == .noContent, "\(removed.text)")
      let again = try await harness.send(
        .post, "\(address)/\(dose)/removal", house.token, json: [:])
      #expect(again.status == .conflict)
      let listed = try await harness.send(.get, address, house.token).json()
      let medicine = listed["medicines"]?[0]
      #expect(medicine?["suggestion"]?.string == "chest-right")
      #expect(medicine?["uses"]?[0]?["site"]?.string == "arm-left")
      #expect(medicine?["uses"]?[0]?["removed"] != nil)
      let stranger = try await harness.send(.get, "\(address)?patient=someone-else", house.token)
      #expect(stranger.status == .notFound)
    }
  }
}
