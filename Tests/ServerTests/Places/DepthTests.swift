// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import Web

/// The number of taps between a tab and the pages below it.
@Suite struct DepthTests {
  /// Returns the addresses that the main part of pages links to, by the number of taps from a tab.
  private static func taps(from tab: String, most: Int, _ browser: Browser) async throws
    -> [String: Int]
  {
    var found = [tab: 0]
    for tap in 1...most {
      for address in found.filter({ $0.value == tap - 1 }).keys.sorted() {
        let page = try await browser.open(address)
        guard page.status == .ok,
          let main = page.text.firstMatch(of: /<main.*<\/main>/.dotMatchesNewlines())
        else { continue }
        for link in main.output.matches(of: /<a [^>]*href="(\/[^"#?]*)/) where found.count < 400 {
          let target = String(link.output.1)
          if found[target] == nil { found[target] = tap }
        }
      }
    }
    return found
  }

  @Test func `everything about medicines is within three taps`() async throws {
    try await ServerHarness.run { harness in
      let house = try await DoseHouse(harness, plans: ["Metoprolol"])
      let plan = try #require(try await house.dose(0)["plan"]?.string)
      let taps = try await Self.taps(from: "/medicines", most: 2, house.browser)
      for (address, most) in [
        ("/medicines/new", 1), ("/medicines/\(plan)", 1), ("/import", 1), ("/stock", 1),
        ("/interactions", 1), ("/knowledge", 1), ("/hospitals", 1), ("/medicines/simplify", 1),
        ("/medicines/\(plan)/edit", 2), ("/medicines/\(plan)/pause", 2),
        ("/medicines/\(plan)/stop", 2), ("/medicines/\(plan)/reminders", 2),
        ("/medicines/\(plan)/appearance", 2), ("/hospitals/new", 2),
      ] {
        #expect((taps[address] ?? 9) <= most, "\(address)")
      }
    }
  }

  @Test func `everything about people is within three taps`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      _ = try await house.connect(bob, .family, categories: [.medicines])
      let invitation = try await house.invite(.family, categories: [.medicines])
      let taps = try await Self.taps(from: "/people", most: 2, house.chosen(house.child))
      for (address, most) in [
        ("/people/family", 1), ("/people/sharing", 1), ("/people/new", 1), ("/join", 1),
        ("/chat", 1), ("/caregiver-messages", 1), ("/doctors", 1), ("/children", 1),
        ("/emergency-card", 1), ("/people/share", 2), ("/people/access/\(bob.id)", 2),
        (invitation.address, 2), ("/caregiver-messages/rules", 2),
        ("/children/\(house.child)", 2),
      ] {
        #expect((taps[address] ?? 9) <= most, "\(address)")
      }
    }
  }
}
