// SPDX-License-Identifier: Apache-2.0

import Access
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

@testable import Web

/// Pages without anything to show.
@Suite struct EmptyPagesTests {
  @Test func `an empty page explains itself and links to the next step`() async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      for (address, words, next) in [
        ("/", "Your doses will show up here", "/medicines/new"),
        ("/medicines", "No medicines yet", "/medicines/new"),
        ("/progress", "how many doses were taken", "/medicines/new"),
        ("/report/charts", "after the first planned dose", "/medicines/new"),
        ("/as-needed", "no as-needed medicines yet", "/medicines/new"),
        ("/stock", "before it runs out", "/stock/new"),
        ("/hospitals", "No hospitals connected yet", "/hospitals/new"),
        ("/care", "No patients yet", "/join"), ("/chat", "no one to write to yet", "/people"),
      ] {
        let page = try await browser.open(address).text
        let start = try #require(page.firstRange(of: "empty-state"), "\(address)")
        let rest = page[start.lowerBound...]
        #expect(rest.contains(words), "\(address)")
        #expect(rest.contains("href=\"\(next)\""), "\(address)")
      }
    }
  }

  @Test func `viewers are not offered to add a medicine`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      let looking = try await house.connect(bob, .family, categories: [.medicines, .adherence])
      for address in ["/", "/medicines", "/progress", "/report/charts", "/as-needed"] {
        let page = try await looking.open(address)
        #expect(page.status == .ok && !page.text.contains("/medicines/new"), "\(address)")
      }
    }
  }
}
