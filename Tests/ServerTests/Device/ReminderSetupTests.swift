// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Testing
import TestSupport

@testable import DosePages
@testable import Reminders
@testable import Web

/// Setting up reminders after the first medicine.
@Suite struct ReminderSetupTests {
  @Test func `adding a medicine links to reminder setup until a device works`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let own = house.chosen(house.ann.patient)
      let (plan, _) = try await house.dose(of: house.ann.patient, medicine: "Metoprolol")
      let link = "href=\"/device/start\""
      #expect(try await own.open("/medicines/\(plan)?done=added").text.contains(link))
      #expect(!(try await own.open("/medicines/\(plan)").text).contains(link))
      #expect(!(try await own.open("/medicines/\(plan)?done=saved").text).contains(link))
      #expect(try await own.open("/").text.contains(link))
      let id = try await DevicePageTests.add("Firefox, Linux", for: house.ann, harness)
      #expect(try await own.open("/medicines/\(plan)?done=added").text.contains(link))
      _ = try await own.post("/device/\(id)/confirm", [:])
      #expect(!(try await own.open("/medicines/\(plan)?done=added").text).contains(link))
      #expect(!(try await own.open("/").text).contains(link))
    }
  }

  @Test func `the page asks for permission, tests and explains the device`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let empty = try await browser.open("/device/start")
      #expect(empty.status == .ok)
      for part in ["id=\"enable\"", "id=\"sound\"", "<noscript>", "data-platform=\"apple\""] {
        #expect(empty.text.contains(part), "\(part)")
      }
      #expect(empty.text.contains("Allow notifications first"))
      let id = try await DevicePageTests.add("Firefox, Linux", for: ann, harness)
      let page = try await browser.open("/device/start")
      #expect(page.text.contains("action=\"/device/\(id)/test\""))
      #expect(try page.hidden("from") == "setup")
      // The buttons return here, or to the page of all devices, and nowhere else.
      let tested = try await browser.post("/device/\(id)/test", ["from": "setup"])
      #expect(tested.headers[.location] == "/device/start?done=tested")
      #expect(
        try await browser.open("/device/start?done=tested").text.contains("Test sent."))
      let confirmed = try await browser.post("/device/\(id)/confirm", ["from": "//evil.example"])
      #expect(confirmed.headers[.location] == "/device?done=confirmed")
      let other = try await harness.session(of: harness.makeAccount("Bob"))
      #expect(!(try await other.open("/device/start").text).contains(id.text))
    }
  }
}
