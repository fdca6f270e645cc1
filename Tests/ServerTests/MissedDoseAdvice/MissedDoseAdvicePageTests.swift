// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Testing
import TestSupport

@Suite struct MissedDoseAdvicePageTests {
  /// Creates a medicine of 08:00 and 20:00 with a rule, five minutes after the end of the morning's
  /// late window.
  private func missed(
    _ house: DoseHouse, rule: JSONValue?, hours: Int64 = 7
  ) async throws -> String {
    var resource: JSONValue = [
      "resourceType": "MedicationRequest", "status": "active", "intent": "plan",
      "medicationCodeableConcept": ["text": "Levothyroxine"],
      "subject": ["reference": .string("Patient/\(house.account.patient)")],
      "dosageInstruction": [
        ["timing": ["repeat": ["timeOfDay": ["08:00:00", "20:00:00"]]]]
      ],
    ]
    if let rule {
      resource["extension"] = [["url": "urn:regimen:after-miss", "extension": rule]]
    }
    let created = try await house.harness.send(
      .post, "/fhir/MedicationRequest", house.token, json: resource)
    #expect(created.status == .created, "\(created.text)")
    let plan = try #require(try created.json()["id"]?.string)
    house.harness.clock.advance(minutes: hours * 60)
    let listed = try await house.harness.send(
      .get, "/api/v1/doses?from=2026-03-01T07:00:00Z&to=2026-03-01T09:00:00Z", house.token)
    let dose = try listed.json()["doses"]?.array?.first { $0["plan"]?.string == plan }
    return try #require(dose?["id"]?.string)
  }

  @Test func `the plan's rule is shown on the missed dose and on Today`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let dose = try await missed(
        house,
        rule: [
          ["url": "rule", "valueCode": "take-until"], ["url": "hours", "valuePositiveInt": 9],
        ])
      let page = try await house.browser.open("/doses/\(dose)").text
      #expect(page.contains("Your plan says you can still take it until 17:00."), "\(page)")
      #expect(!page.contains("Ask before you take it."))
      #expect(try await house.browser.open("/").text.contains("still take it until 17:00"))
      harness.clock.advance(minutes: 240)
      let later = try await house.browser.open("/doses/\(dose)").text
      #expect(
        later.contains("it could be taken until 17:00. Skip it now. Next dose: 20:00."))
    }
  }

  @Test func `without a rule the page advises asking, with phone numbers`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: [])
      let dose = try await missed(house, rule: nil)
      let none = try await house.browser.open("/doses/\(dose)").text
      #expect(none.contains("Ask before you take it."))
      #expect(none.contains("/me/contacts"))
      let form = try await house.browser.open("/me/contacts").text
      #expect(form.contains("name=\"pharmacy-phone\""))
      let version = try #require(form.firstMatch(of: /name="version" value="(\d+)"/)?.output.1)
      let saved = try await house.browser.post(
        "/me/contacts",
        [
          "version": String(version), "practitioner-name": "Dr Berg", "practitioner-phone": "",
          "pharmacy-name": "Sun Pharmacy", "pharmacy-phone": "+47 22 00 11 22",
        ])
      #expect(saved.status == .seeOther, "\(saved.text)")
      let asked = try await house.browser.open("/doses/\(dose)").text
      #expect(asked.contains("href=\"tel:+4722001122\"") && asked.contains("Sun Pharmacy"))
      // The page about earlier doses says the same the next day, without advice of its own.
      harness.clock.advance(minutes: 1_200)
      let missed = try await house.browser.open("/missed").text
      #expect(missed.contains("Ask before you take it.") && missed.contains("+47 22 00 11 22"))
      #expect(!missed.contains("make up"))
    }
  }
}
