// SPDX-License-Identifier: Apache-2.0

import Accounts
import HTTPTypes
import HummingbirdTesting
import Testing

/// The ambulance number: none until the country is known, then shown wherever it may be needed.
@Suite struct EmergencyNumberTests {
  private static let unknown = "In an emergency, call your country’s emergency number."
  private static let thailand = "Ambulance in Thailand: <a href=\"tel:1669\">1669</a>"

  @Test
  func `an administrator chooses the country, and cards and children's pages name its number`()
    async throws
  {
    try await ServerHarness.run { harness in
      let nursery = try await Nursery.make(harness, weight: nil, approves: false)
      let pages = ["/emergency-card", nursery.home, "\(nursery.home)/dose"]
      for page in pages {
        let text = try await nursery.browser.open(page).text
        #expect(text.contains(Self.unknown) && !text.contains("tel:1669"), "\(page): \(text)")
      }
      let refused = try await nursery.browser.post("/status/country", ["country": "th"])
      #expect(refused.status != .seeOther || refused.headers[.location] != "/status?done=country")
      #expect(try await nursery.browser.open("/status").text.contains("name=\"country\"") == false)

      let olga = try await harness.makeAccount("Olga", isAdministrator: true)
      let browser = try await harness.session(of: olga)
      #expect(try await browser.open("/status").text.contains("name=\"country\""))
      let chosen = try await browser.post("/status/country", ["country": "th"])
      #expect(chosen.headers[.location] == "/status?done=country", "\(chosen.text)")
      #expect(try await browser.open("/status?done=country").text.contains(Self.thailand))
      for page in pages {
        #expect(try await nursery.browser.open(page).text.contains(Self.thailand), "\(page)")
      }
      let nonsense = try await browser.post("/status/country", ["country": "mars"])
      #expect(nonsense.headers[.location] == "/status#country")
      #expect(try await nursery.browser.open(nursery.home).text.contains(Self.thailand))
      _ = try await browser.post("/status/country", ["country": "other"])
      #expect(try await nursery.browser.open(nursery.home).text.contains(Self.unknown))
    }
  }

  @Test func `a helper sees the number on the opened card`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount(isAdministrator: true)
      let browser = try await harness.session(of: ann)
      _ = try await browser.post("/status/country", ["country": "th"])
      _ = try await browser.post("/emergency-card", ["days": "7", "shows-code": "yes"])
      let page = try await browser.open("/emergency-card").text
      let address = try #require(
        page.firstMatch(of: /(\/emergency-card\/open\/rgc_[A-Za-z0-9_-]+)/)?.output.1)
      let code = try #require(
        page.firstMatch(of: /class="fingerprint" translate="no">([^<]+)</)?.output.1)
      let opened = try await harness.submit(String(address), [("code", String(code))], [:])
      #expect(opened.text.contains(Self.thailand), "\(opened.text)")
    }
  }
}
