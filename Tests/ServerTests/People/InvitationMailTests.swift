// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Channels
import HTTPTypes
import HummingbirdTesting
import Testing
import TestSupport

/// Invitations that the server sends by mail.
@Suite struct InvitationMailTests {
  @Test func `the mail has a working link and names no one`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let bob = try await harness.makeAccount("Bob")
      let browser = house.chosen(house.child)
      let invitation = try await house.invite(.family, categories: [.medicines])
      #expect(try await browser.open(invitation.address).text.contains("name=\"email\""))
      // Addresses with and without an account get the same answer.
      for address in ["bob@example.org", "nobody@example.org"] {
        let answer = try await browser.post(
          invitation.address, ["action": "mail", "email": address])
        #expect(answer.status == .seeOther, "\(answer.text)")
        #expect(answer.headers[.location] == "\(invitation.address)?done=sent")
      }
      #expect(harness.outbox.mails.map(\.to.mailbox) == ["bob@example.org", "nobody@example.org"])
      let mail = try #require(harness.outbox.mails.first)
      #expect(harness.outbox.mails.last?.text == mail.text)
      for name in ["Ann", "Mali", "Little M", "ann@example.org"] {
        #expect(!mail.text.contains(name) && !mail.subject.contains(name))
      }
      let path = try #require(mail.text.firstMatch(of: /\/join\/[0-9A-Z-]{14}/)?.0)
      #expect(try await harness.session(of: bob).open(String(path)).status == .ok)
    }
  }

  @Test func `invalid addresses and too many mails a day are refused`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let browser = house.chosen(house.child)
      let invitation = try await house.invite(.family, categories: [.medicines])
      for address in ["", "nonsense", "a@b@c", "-f@example.org\nBcc: x@example.org"] {
        let answer = try await browser.post(
          invitation.address, ["action": "mail", "email": address])
        #expect(answer.status == .unprocessableContent, "\(address)")
      }
      #expect(harness.outbox.mails.isEmpty)
      for number in 0..<AccountStore.mostInvitationMails {
        let answer = try await browser.post(
          invitation.address, ["action": "mail", "email": "p\(number)@example.org"])
        #expect(answer.status == .seeOther)
      }
      let refused = try await browser.post(
        invitation.address, ["action": "mail", "email": "more@example.org"])
      #expect(refused.status == .unprocessableContent)
      #expect(harness.outbox.mails.count == AccountStore.mostInvitationMails)
      harness.clock.advance(minutes: 24 * 60 + 1)
      let next = try await browser.post(
        invitation.address, ["action": "mail", "email": "more@example.org"])
      #expect(next.status == .seeOther)
    }
  }

  @Test func `others' invitations and used ones are not sent`() async throws {
    try await ServerHarness.run { harness in
      let house = try await Household.make(harness)
      let invitation = try await house.invite(.family, categories: [.medicines])
      let fields: KeyValuePairs = ["action": "mail", "email": "x@example.org"]
      let eve = try await harness.session(of: try await harness.makeAccount("Eve"))
      #expect(try await eve.post(invitation.address, fields).status == .notFound)
      let bob = try await harness.session(of: try await harness.makeAccount("Bob"))
      _ = try await bob.post("/join/\(invitation.code)", ["action": "accept"])
      let late = try await house.chosen(house.child).post(invitation.address, fields)
      #expect(late.status == .notFound)
      #expect(harness.outbox.mails.isEmpty)
    }
  }
}
