// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@testable import Plans
@testable import Web

/// The warnings and questions of the last step before a medicine is saved, and the links to the
/// long form.
@Suite struct AddMedicineSafetyTests {
  private static func scheduled(
    _ house: DoseHouse, name: String, strength: String = "2.5", often: String,
    _ times: [(String, String)]
  ) async throws -> String {
    let draft = try await AddMedicineTests.start(
      house,
      [
        ("name", name), ("form", "tablet"), ("strength-value", strength), ("strength-unit", "mg"),
      ])
    let chosen = try await house.browser.post("\(draft)/often", pairs: [("often", often)])
    #expect(chosen.status == .seeOther, "\(chosen.text)")
    let set = try await house.browser.post(
      "\(draft)/times", pairs: times + [("start", "2026-03-01")])
    #expect(set.headers[.location] == "\(draft)/check", "\(set.text)")
    return draft
  }

  @Test func `a weekly medicine is preset to once a week`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let draft = try await AddMedicineTests.start(
        house,
        [
          ("name", "Methotrexate"), ("form", "tablet"), ("strength-value", "2.5"),
          ("strength-unit", "mg"),
        ])
      let often = try await house.browser.open("\(draft)/often").text
      #expect(often.contains("Methotrexate 2.5 mg is usually taken at most once in 7 days."))
      let weekly = try #require(often.range(of: "value=\"weekly\""))
      let daily = try #require(often.range(of: "value=\"once\""))
      #expect(weekly.lowerBound < daily.lowerBound)
      _ = try await house.browser.post("\(draft)/often", pairs: [("often", "weekly")])
      let times = try await house.browser.open("\(draft)/times").text
      #expect(times.contains("type=\"radio\" id=\"field-weekday\""), "\(times)")
      _ = try await house.browser.post(
        "\(draft)/times",
        pairs: [
          ("dose-value", "4"), ("weekday", "mon"), ("time", "08:00"), ("start", "2026-03-01"),
        ])
      let saved = try await AddMedicineTests.save(house, draft)
      #expect(saved.status == .seeOther, "\(saved.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM plan_confirmations") == 0)
    }
  }

  @Test func `more than once a week needs the typed confirmation`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let draft = try await Self.scheduled(
        house, name: "Methotrexate", often: "once", [("dose-value", "4"), ("time", "08:00")])
      let asked = try await house.browser.open("\(draft)/check")
      #expect(asked.status == .ok && asked.text.contains("7 times in 7 days"), "\(asked.text)")
      #expect(asked.text.contains("name=\"bar-word\"") && !asked.text.contains("aria-invalid"))
      for word in ["", "yes"] {
        let refused = try await AddMedicineTests.save(house, draft, [("bar-word", word)])
        #expect(refused.status == .unprocessableContent, "\(word)")
        #expect(refused.text.contains("href=\"#field-bar-word\""))
      }
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 0)
      let saved = try await AddMedicineTests.save(house, draft, [("bar-word", "more often")])
      #expect(saved.status == .seeOther, "\(saved.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM plan_confirmations") == 1)
    }
  }

  @Test func `an interaction is shown before saving`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Warfarin 3 mg"])
      let draft = try await Self.scheduled(
        house, name: "Ibuprofen", strength: "400", often: "once",
        [("dose-value", "1"), ("time", "08:00")])
      let check = try await house.browser.open("\(draft)/check").text
      #expect(check.contains("Warfarin 3 mg") && check.contains("name=\"warned\""), "\(check)")
      // Nothing is saved before it was seen.
      let version = try #require(check.firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      let unseen = try await house.browser.post(
        "\(draft)/check", pairs: [("version", String(version))])
      #expect(unseen.status == .ok && unseen.text.contains("name=\"warned\""))
      #expect(try await house.count("SELECT COUNT(*) FROM plans") == 1)
      let saved = try await AddMedicineTests.save(house, draft, [("doctor-knows", "yes")])
      #expect(saved.status == .seeOther, "\(saved.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM interaction_notes") > 0)
    }
  }

  @Test func `other schedules open the long form, which saves the same draft`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let draft = try await AddMedicineTests.start(house)
      let led = try await house.browser.post("\(draft)/often", pairs: [("often", "else")])
      #expect(led.headers[.location] == "\(draft)/details")
      let form = try await house.browser.open("\(draft)/details").text
      let id = try #require(draft.split(separator: "/").last)
      for part in [
        "action=\"/medicines/new/details\"", "name=\"plan\" value=\"\(id)\"",
        "value=\"Metoprolol\"", "value=\"tablet\" selected", "value=\"50\"",
      ] {
        #expect(form.contains(part), "\(part)")
      }
      let saved = try await house.browser.post(
        "/medicines/new/details",
        pairs: [
          ("plan", String(id)), ("name", "Metoprolol"), ("form", "tablet"), ("dose-value", "1"),
          ("schedule", "cycle"), ("cycle-on", "21"), ("cycle-off", "7"), ("cycle-time", "08:00"),
          ("start", "2026-03-01"), ("food", "empty-stomach"),
        ])
      #expect(saved.headers[.location] == "/medicines/\(id)?done=added", "\(saved.text)")
      #expect(try await house.count("SELECT COUNT(*) FROM medicine_drafts") == 0)
      let page = try await house.browser.open("/medicines/\(id)").text
      #expect(page.contains("Take on an empty stomach."))
      // The editor shows the instruction and removes it.
      let edit = try await house.browser.open("/medicines/\(id)/edit").text
      #expect(edit.contains("value=\"empty-stomach\" selected"))
      let version = try #require(edit.firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      _ = try await house.browser.post(
        "/medicines/\(id)/edit",
        pairs: [
          ("version", String(version)), ("name", "Metoprolol"), ("form", "tablet"),
          ("dose-value", "1"), ("schedule", "times"), ("time", "08:00"), ("start", "2026-03-01"),
          ("food", "any"),
        ])
      #expect(!(try await house.browser.open("/medicines/\(id)").text).contains("empty stomach"))
    }
  }

  @Test func `an as-needed medicine has limits`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let draft = try await Self.scheduled(
        house, name: "Cetirizine", strength: "10", often: "needed",
        [("dose-value", "1"), ("need", "hay fever"), ("gap", "12"), ("most-doses", "1")])
      let saved = try await AddMedicineTests.save(house, draft)
      #expect(saved.status == .seeOther, "\(saved.text)")
      let added = try await house.browser.open(try #require(saved.headers[.location])).text
      #expect(added.contains("Cetirizine 10 mg is added."))
      #expect(!added.contains("next doses are below"))
      let list = try await house.browser.open("/as-needed").text
      #expect(list.contains("Cetirizine 10 mg"))
    }
  }
}
