// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import SiteMap
import Storage
import Testing
import TestSupport

@testable import Web

/// A bearer token is for programs: it creates no credential, channel, link or feed, and ends no
/// session.
@Suite struct BearerTests {
  private static let forms: [(path: String, fields: [(String, String)])] = [
    ("/heart-rate/phone", []),
    ("/account/tokens", [("label", "second"), ("days", "365")]),
    ("/account/security/sessions", []),
    ("/account/security/device", []),
    ("/account/security/recovery", []),
    ("/device/mail", [("do", "on")]),
    ("/device/ntfy", [("server", "https://ntfy.example"), ("topic", "another-topic")]),
    ("/calendar", [("do", "make"), ("names", "yes")]),
    ("/emergency-card", [("days", "30"), ("shows-code", "yes")]),
    ("/heart-rate/monitoring/glance", []),
    ("/widgets", [("names", "yes")]),
    ("/device/home-assistant", [("names", "yes")]),
    ("/report/links", [("ends", "30")]),
    ("/people/share", [("relationship", "family"), ("name", "Eve")]),
    ("/sign-out", []),
  ]

  /// Returns the row counts of the tables that grant access or send data out.
  private static func credentials(_ harness: ServerHarness) async throws -> [Int64] {
    try await harness.environment.database.read { reader in
      try reader.query(
        """
        SELECT 1, COUNT(*) FROM tokens UNION ALL SELECT 2, COUNT(*) FROM sessions
        UNION ALL SELECT 3, COUNT(*) FROM channel_addresses
        UNION ALL SELECT 4, COUNT(*) FROM calendar_feeds
        UNION ALL SELECT 5, COUNT(*) FROM emergency_cards
        UNION ALL SELECT 6, COUNT(*) FROM heart_rate_glances
        UNION ALL SELECT 7, COUNT(*) FROM report_links
        UNION ALL SELECT 8, COUNT(*) FROM grant_invitations
        UNION ALL SELECT 9, COUNT(*) FROM device_sign_ins
        UNION ALL SELECT 10, COUNT(*) FROM recovery_codes
        UNION ALL SELECT 11, COUNT(*) FROM mailbox_choices
        UNION ALL SELECT 12, COUNT(*) FROM widget_addresses
        UNION ALL SELECT 13, COUNT(*) FROM home_links ORDER BY 1
        """
      ).map { try $0.integer(1) }
    }
  }

  @Test(arguments: [TokenScope.user, .patient, .system, .vitals])
  func `a token creates nothing outliving it and ends no session`(scope: TokenScope) async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      let token = try await harness.token(of: ann, scope: scope)
      let before = try await Self.credentials(harness)
      for (path, fields) in Self.forms {
        let answer = try await harness.submit(path, fields, token)
        #expect(answer.status == .forbidden, "\(path): \(answer.status)")
      }
      #expect(try await Self.credentials(harness) == before)
      // The token can't read the secrets that pages show either.
      for path in ["/calendar", "/emergency-card", "/account/security", "/heart-rate/phone"] {
        #expect(try await harness.send(.get, path, token).status == .forbidden, "\(path)")
      }
      #expect(try await browser.open("/").status == .ok)
      // The same forms work for a signed-in person.
      #expect(try await browser.post("/heart-rate/phone", [:]).status == .ok)
      #expect(try await browser.post("/calendar", ["do": "make"]).status == .seeOther)
      #expect(try await Self.credentials(harness) != before)
    }
  }

  @Test func `phone tokens and external channels need a recent sign-in`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: ann)
      harness.clock.advance(minutes: 31)
      let before = try await Self.credentials(harness)
      for path in ["/heart-rate/phone", "/device/ntfy", "/device/add/webhook", "/identities"] {
        let answer = try await browser.post(path, [:])
        #expect(answer.status == .seeOther, "\(path)")
        #expect(answer.headers[.location]?.hasPrefix(Address.proof) == true, "\(path)")
      }
      #expect(try await Self.credentials(harness) == before)
      try await harness.proveAgain()
      let made = try await browser.post("/heart-rate/phone", [:])
      #expect(made.text.contains("Bearer \(Secret.tokenPrefix)"))
    }
  }

  @Test func `a device added by a token is removed with the token`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let kept = try await harness.send(
        .post, "/api/v1/push-subscriptions", browser.headers,
        json: Person.subscription("browser"))
      #expect(kept.status == .created)
      let other = try await ann.subscribe("by-token")
      let listed = try await harness.environment.database.read { [harness] reader in
        try harness.environment.accounts.tokens(
          of: ann.account.id, at: harness.clock.now, in: reader)
      }
      let id = try #require(listed.first).id
      #expect(try await ann.subscriptions().contains { $0["id"]?.string == other })
      #expect(try await browser.post("/account/tokens/\(id)", [:]).status == .seeOther)
      let left = try await harness.send(.get, "/api/v1/push-subscriptions", browser.headers)
      let ids = try left.json()["subscriptions"]?.array?.map { $0["id"]?.string }
      #expect(ids == [try kept.json()["id"]?.string])
    }
  }
}
