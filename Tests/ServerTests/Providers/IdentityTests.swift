// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Storage
import Synchronization
import Testing
import TestSupport

@testable import Web

/// Linking accounts at providers, unlinking them, and Facebook.
@Suite struct IdentityTests {
  private func identities(_ harness: ServerHarness, of account: Account) async throws -> [Identity]
  {
    let accounts = harness.environment.accounts
    return try await harness.environment.database.read {
      try accounts.identities(of: account.id, in: $0)
    }
  }

  @Test func `returning from a provider needs a confirmation to link`() async throws {
    try await ProviderVisitor.run { harness, fake in
      let ann = try await harness.makeAccount("Ann")
      let bob = try await harness.makeAccount("Bob")
      let browser = try await harness.session(of: ann)
      let other = try await harness.session(of: bob)
      let visit = try await ProviderVisitor.begin(harness, fake, browser.headers)
      let page = try await ProviderVisitor.comeBack(harness, visit, browser.headers)
      #expect(page.text.contains("ann@example.org"))
      #expect(try await identities(harness, of: ann).isEmpty)
      let match = try #require(page.text.firstMatch(of: /name="ticket" value="([^"]+)"/))
      let ticket = String(match.1)
      // No one else can use the ticket, and neither can another site.
      #expect(try await other.post("/identities", ["ticket": ticket]).status == .notFound)
      #expect(
        try await browser.post("/identities", ["ticket": ticket], token: "x").status == .forbidden)
      #expect(try await browser.post("/identities", ["ticket": ticket]).status == .seeOther)
      #expect(try await browser.post("/identities", ["ticket": ticket]).status == .notFound)
      #expect(try await identities(harness, of: ann).map(\.label) == ["ann@example.org"])
      // Someone who began signed in and returns as another, or signed out, links nothing.
      let second = try await ProviderVisitor.begin(harness, fake, browser.headers)
      let swapped = try await ProviderVisitor.comeBack(harness, second, other.headers)
      #expect(swapped.status == .badRequest)
      let third = try await ProviderVisitor.begin(harness, fake, browser.headers)
      #expect(try await ProviderVisitor.comeBack(harness, third).status == .badRequest)
    }
  }

  @Test func `one external account links to only one account here`() async throws {
    try await ProviderVisitor.run { harness, fake in
      let ann = try await harness.session(of: harness.makeAccount("Ann"))
      let bob = try await harness.session(of: harness.makeAccount("Bob"))
      #expect(try await ProviderVisitor.link(harness, fake, ann).status == .seeOther)
      #expect(try await ProviderVisitor.link(harness, fake, ann).status == .seeOther)
      let taken = try await ProviderVisitor.link(harness, fake, bob)
      #expect(taken.status == .unprocessableContent)
      // The same number at another provider is another person.
      fake.state.withLock {
        $0.inspection = ["app_id": "app-1", "is_valid": true, "user_id": "ann-17"]
      }
      let facebook = try await ProviderVisitor.link(harness, fake, bob, at: "facebook")
      #expect(facebook.status == .seeOther)
    }
  }

  @Test func `the last way to sign in can't be removed`() async throws {
    try await ProviderVisitor.run { harness, fake in
      let account = try await harness.makeAccount("Ann")
      let browser = try await harness.session(of: account)
      _ = try await ProviderVisitor.link(harness, fake, browser)
      let only = try #require(try await identities(harness, of: account).first)
      let path = "/identities/\(only.id)/remove"
      #expect(try await browser.post(path, [:]).status == .unprocessableContent)
      fake.state.withLock { $0.subject = "ann-18" }
      _ = try await ProviderVisitor.link(harness, fake, browser)
      #expect(try await browser.post(path, [:]).status == .seeOther)
      #expect(try await browser.post(path, [:]).status == .notFound)
      let left = try #require(try await identities(harness, of: account).first)
      let hash = try await harness.environment.signIn.hash(
        newPassword: "correct horse battery", rules: PasswordRules(), context: [])
      let accounts = harness.environment.accounts
      let now = harness.clock.now
      try await harness.environment.database.write { writer in
        try accounts.setPassword(hash, of: account.id, at: now, in: writer)
      }
      harness.environment.sessions.forget()
      let again = try await harness.session(of: account)
      #expect(try await again.post("/identities/\(left.id)/remove", [:]).status == .seeOther)
      #expect(try await identities(harness, of: account).isEmpty)
      let stranger = try await harness.session(of: harness.makeAccount("Bob"))
      #expect(try await stranger.post(path, [:]).status == .notFound)
    }
  }

  @Test func `an API token can't change sign-in methods`() async throws {
    try await ProviderVisitor.run { harness, _ in
      let token = try await harness.token(of: harness.makeAccount("Ann"))
      let answer = try await harness.submit("/identities", [("ticket", "rgo_x")], token)
      #expect(answer.status == .forbidden)
    }
  }

  static let inspections: [JSONValue] = [
    ["app_id": "another-app", "is_valid": true, "user_id": "ann-17"],
    ["app_id": "app-1", "is_valid": false, "user_id": "ann-17"],
    ["app_id": "app-1", "user_id": "ann-17"], ["app_id": "app-1", "is_valid": true],
    ["app_id": "app-1", "is_valid": true, "user_id": "somebody-else"],
    ["app_id": "app-1", "is_valid": true, "user_id": ""], [:],
  ]

  @Test(arguments: inspections)
  func `Facebook's token must belong to this app and person`(inspection: JSONValue) async throws {
    try await ProviderVisitor.run { harness, fake in
      let browser = try await harness.session(of: harness.makeAccount("Ann"))
      fake.state.withLock {
        $0.inspection = ["app_id": "app-1", "is_valid": true, "user_id": "ann-17"]
      }
      let linked = try await ProviderVisitor.link(harness, fake, browser, at: "facebook")
      #expect(linked.status == .seeOther)
      let right = try await ProviderVisitor.begin(harness, fake, at: "facebook")
      let open = try await ProviderVisitor.comeBack(harness, right, at: "facebook")
      #expect(open.headers[values: .setCookie].contains { $0.contains("rgs_") })
      #expect(fake.asked.contains("https://fb.example/g/debug_token"))
      fake.state.withLock { $0.inspection = inspection }
      let wrong = try await ProviderVisitor.begin(harness, fake, at: "facebook")
      let refused = try await ProviderVisitor.comeBack(harness, wrong, at: "facebook")
      #expect(refused.status.code == 424)
      #expect(!refused.headers[values: .setCookie].contains { $0.contains("rgs_") })
    }
  }

  @Test func `erasing an account removes its identities, and the copy names them`() async throws {
    try await ProviderVisitor.run { harness, fake in
      let account = try await harness.makeAccount("Ann")
      _ = try await ProviderVisitor.link(harness, fake, harness.session(of: account))
      let accounts = harness.environment.accounts
      let now = harness.clock.now
      let copies = try await harness.environment.database.read {
        try accounts.copies(ofPatient: account.patient, in: $0).map(\.copy)
      }
      #expect(copies.first?["identities"]?[0]?["label"] == "ann@example.org")
      try await harness.environment.database.write { writer in
        try accounts.erase(account.id, at: now, by: "test", in: writer)
      }
      #expect(try await identities(harness, of: account).isEmpty)
    }
  }
}
