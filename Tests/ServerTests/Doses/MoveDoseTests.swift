// SPDX-License-Identifier: Apache-2.0

import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@Suite struct MoveDoseTests {
  @Test func `a dose is moved from its page, within its limits`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let page = try await house.open(0).text
      #expect(page.contains("Move this dose") && page.contains("name=\"move-time\""))
      let address = "/doses/\(house.doses[0])/move"
      let refused = try await house.browser.post(
        address, ["move-date": "2026-03-01", "move-time": "19:00", "scope": "once"])
      #expect(refused.status == .unprocessableContent && refused.text.contains("value=\"19:00\""))
      let unread = try await house.browser.post(
        address, ["move-date": "2026-03-01", "move-time": "soon", "scope": "once"])
      #expect(unread.status == .unprocessableContent)
      let moved = try await house.browser.post(
        address, ["move-date": "2026-03-01", "move-time": "10:30", "scope": "once"])
      #expect(moved.status == .seeOther, "\(moved.text)")
      let after = try await house.browser.open(try #require(moved.headers[.location])).text
      #expect(after.contains("Metoprolol is now due 10:30."))
      let medicine = try await house.browser.open("/medicines").text
      #expect(medicine.contains("10:30"))
      let following = try await house.browser.post(
        address, ["move-date": "2026-03-01", "move-time": "09:15", "scope": "following"])
      #expect(following.status == .seeOther, "\(following.text)")
    }
  }
}
