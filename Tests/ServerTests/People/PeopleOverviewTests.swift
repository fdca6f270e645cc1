// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Foundation
import HTTPTypes
import HummingbirdTesting
import Localization
import Testing
import TestSupport

@testable import AccountPages
@testable import Web

/// The overview of everything about people, and the pages it links to.
@Suite struct PeopleOverviewTests {
  /// Returns the state next to a link; nil if there is no such link, or no state.
  private static func state(_ address: String, of page: String) -> String? {
    guard let link = page.range(of: "<a href=\"\(address)\"") else { return nil }
    let row = page[link.upperBound...].prefix { $0 != "\n" }
    let end = row.range(of: "</li>")?.lowerBound ?? row.endIndex
    return row[..<end].firstMatch(of: /<span class="place-hint">([^<]*)<\/span>/)
      .map { String($0.output.1) }
  }

  @Test func `each page about people is listed with its state`() async throws {
    try await ServerHarness.run { harness in
      let alone = try await harness.session(of: harness.makeAccount("Zoe"))
      let empty = try await alone.open("/people").text
      #expect(Self.state("/people/family", of: empty) == "Zoe")
      #expect(Self.state("/people/sharing", of: empty) == "No one else")
      #expect(Self.state("/people/sharing#invitations", of: empty) == "No open invitations")
      #expect(Self.state("/chat", of: empty) == "No new messages")
      #expect(Self.state("/caregiver-messages", of: empty) == "No new messages")
      #expect(Self.state("/doctors", of: empty) == "No doctor yet")
      #expect(Self.state("/children", of: empty) == "No children yet")
      #expect(Self.state("/emergency-card", of: empty) == "No link for helpers yet")
      for address in ["/people/new", "/join"] {
        #expect(empty.contains("href=\"\(address)\""), "\(address)")
      }

      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      _ = try await house.connect(bob, .family, categories: [.medicines])
      let invitation = try await house.invite(.family, categories: [.medicines])
      let browser = house.chosen(house.child)
      let page = try await browser.open("/people").text
      #expect(Self.state("/people/family", of: page) == "Ann and Mali")
      #expect(Self.state("/people/sharing", of: page) == "Bob")
      #expect(Self.state("/people/sharing#invitations", of: page) == "1 waiting for an answer")
      #expect(Self.state("/children", of: page) == "Mali")
      let made = try await browser.post("/emergency-card", ["days": "30"])
      #expect(made.status == .seeOther, "\(made.text)")
      let after = try await browser.open("/people").text
      #expect(Self.state("/emergency-card", of: after) == "1 link for helpers")

      let sharing = try await browser.open("/people/sharing").text
      #expect(sharing.contains("<h1 id=\"page-title\">Who can see Mali</h1>"))
      #expect(sharing.contains("href=\"/people/access/\(bob.id)\""))
      #expect(sharing.contains("href=\"\(invitation.address)\""))
      #expect(sharing.contains("href=\"/people/share\""))
      // The header has its own switch.
      let whole = try await browser.open("/people/family").text
      let family = try whole[#require(whole.range(of: "<main")).lowerBound...]
      #expect(family.contains("You now see this person’s pages."))
      #expect(family.contains("name=\"person\" value=\"\(house.ann.patient)\""))
      #expect(!family.contains("name=\"person\" value=\"\(house.child)\""))
    }
  }

  @Test func `viewers see neither grants nor invitations`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      let looking = try await house.connect(bob, .family, categories: [.medicines])
      let page = try await looking.open("/people").text
      for address in ["/people/sharing", "/people/sharing#invitations", "/emergency-card"] {
        #expect(!page.contains("href=\"\(address)\""), "\(address)")
      }
      let answer = try await looking.open("/people/sharing")
      #expect(answer.status == .seeOther && answer.headers[.location] == "/people")
      #expect(try await looking.open("/people/family").text.contains("Mali"))
    }
  }

  @Test(
    arguments: [
      (["Ann"], "Ann"), (["Ann", "Bob"], "Ann and Bob"),
      (["Ann", "Bob", "Cleo", "Dan", "Eve"], "Ann, Bob and 3 more"),
    ])
  func `a long list of names is shortened`(names: [String], text: String) {
    let words = PeopleStateText(localizer: Localizer.of(.en))
    #expect(words.names(names) == text)
    #expect(words.invitations(toConfirm: 2, open: 3) == "2 accepted: please confirm")
  }
}
