// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import HTTPTypes
import HummingbirdTesting
import Localization
import Storage
import Testing
import TestSupport

@testable import AccountPages
@testable import Operations
@testable import Web

@Suite struct RecoveryTests {
  private func wish(_ email: String) -> AccountSecurityMail.Wish {
    AccountSecurityMail.Wish(email: email, language: .en)
  }

  @Test func `the response doesn't reveal whether an address exists`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      var answers: Set<String> = []
      for email in [house.account.email, "nobody@example.org", "nonsense", ""] {
        let answer = try await harness.submit("/sign-in/forgotten", [("email", email)])
        #expect(answer.status == .ok)
        answers.insert(answer.text.withoutNonces)
      }
      #expect(answers.count == 1)
    }
  }

  @Test func `a reset link arrives by mail and works once within an hour`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let service = AccountSecurityMailService(environment: harness.environment)
      try await service.perform(wish("nobody@example.org"))
      try await service.perform(wish("nonsense"))
      #expect(harness.outbox.mails.isEmpty)
      try await service.perform(wish(house.account.email.uppercased()))
      let mail = try #require(harness.outbox.mails.last)
      #expect(mail.to.mailbox == house.account.email)
      let link = try #require(mail.text.firstMatch(of: /\/invitation\/rgi_[\w-]+/)).0
      let chosen = try await harness.submit(String(link), [("password", "eight blue bicycles")])
      #expect(chosen.status == .seeOther, "\(chosen.text)")
      #expect(try await house.browser.open("/").status == .seeOther)
      #expect(try await harness.send(.get, String(link)).status == .notFound)
      #expect(try await house.signIn("eight blue bicycles").status == .seeOther)
      try await service.perform(wish(house.account.email))
      let late = try #require(
        harness.outbox.mails.last?.text.firstMatch(of: /\/invitation\/rgi_[\w-]+/)
      ).0
      harness.clock.advance(minutes: 60)
      #expect(try await harness.send(.get, String(late)).status == .notFound)
    }
  }

  @Test func `a reset link is texted to a verified number`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let service = AccountSecurityMailService(environment: harness.environment)
      let (accounts, account, now) = (
        harness.environment.accounts, house.account, harness.clock.now
      )
      let number = try SignInName("+4790012345")
      for proved in [nil, now] {
        try await harness.environment.database.write { writer in
          try accounts.rename(account, to: number, proved: proved, at: now, in: writer)
        }
        try await service.perform(wish("0047 900 12 345"))
        #expect(harness.outbox.phones.count == (proved == nil ? 0 : 1))
      }
      let body = String(
        decoding: try #require(harness.outbox.phones.last).body, as: UTF8.self)
      let secret = try #require(body.firstMatch(of: /rgi_[\w-]+/)).0
      let chosen = try await harness.submit(
        "/invitation/\(secret)", [("password", "eight blue bicycles")])
      #expect(chosen.status == .seeOther, "\(chosen.text)")
      #expect(harness.outbox.mails.isEmpty)
      // The page offers it, and its answer reveals nothing.
      let page = try await harness.send(.get, "/sign-in/forgotten").text
      #expect(page.contains("or phone number"))
      for _ in 0..<20 { try await service.perform(wish("+4790012345")) }
      #expect(harness.outbox.phones.count <= 6)
    }
  }

  @Test func `the number of mails is limited`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let service = AccountSecurityMailService(environment: harness.environment)
      for _ in 0..<50 { try await service.perform(wish(house.account.email)) }
      #expect(harness.outbox.mails.count == 5)
    }
  }

  @Test func `the operator can help someone who only has the password`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      _ = try await house.setUpApp()
      #expect(try await house.signIn().headers[.location] == "/sign-in/second")
      _ = try await Administration(environment: harness.environment).perform(
        .removeSecondStep(email: house.account.email))
      #expect(try await house.browser.open("/").status == .seeOther)
      #expect(try await house.signIn().headers[.location] == "/")
      await #expect(throws: AccountError.unknownAccount) {
        try await Administration(environment: harness.environment).perform(
          .removeSecondStep(email: "nobody@example.org"))
      }
    }
  }
}
