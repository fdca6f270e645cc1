// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import AccountPages
@testable import Operations

@Suite struct AddressPageTests {
  /// Sends the waiting messages, and returns the mails.
  private func deliver(_ harness: ServerHarness, _ count: Int) async throws -> [MailMessage] {
    let service = AccountSecurityMailService(environment: harness.environment)
    let before = harness.outbox.mails.count
    var errands = harness.environment.accountSecurityMail.errands.makeAsyncIterator()
    for _ in 0..<count {
      let errand = try #require(await errands.next())
      try await service.perform(errand)
    }
    return Array(harness.outbox.mails.dropFirst(before))
  }

  private func link(in mail: MailMessage) throws -> String {
    String(try #require(mail.text.firstMatch(of: /\/address\/rge_[\w-]+/)).0)
  }

  @Test func `a new address must be confirmed, and the old one is notified`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let asked = try await house.browser.post(
        "/account/security/address", ["address": "ann.new@example.org"])
      #expect(asked.headers[.location] == "/account/security?address=sent", "\(asked.text)")
      let mail = try #require(try await deliver(harness, 1).first)
      #expect(mail.to.mailbox == "ann.new@example.org")
      let link = try link(in: mail)
      // Opening the link changes nothing: mail scanners open it too.
      for _ in 0..<2 {
        let page = try await harness.send(.get, link)
        #expect(page.status == .ok && page.text.contains("ann.new@example.org"))
        #expect(!page.text.contains(house.account.email))
      }
      #expect(try await house.browser.open("/account/security").text.contains(house.account.email))
      let done = try await harness.submit(link, [])
      #expect(done.status == .ok, "\(done.text)")
      let told = try #require(try await deliver(harness, 1).first)
      #expect(told.to.mailbox == house.account.email)
      let page = try await house.browser.open("/account/security").text
      #expect(page.contains("ann.new@example.org") && page.contains("Confirmed: "))
      #expect(try await harness.submit(link, []).status == .notFound)
      #expect(try await house.signIn().status == .unprocessableContent)
    }
  }

  @Test func `the current address is verified by mail`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let before = try await house.browser.open("/account/security").text
      #expect(before.contains("/account/security/address/check"))
      let asked = try await house.browser.post("/account/security/address/check", [:])
      #expect(asked.headers[.location] == "/account/security?address=sent")
      let mail = try #require(try await deliver(harness, 1).first)
      #expect(mail.to.mailbox == house.account.email)
      #expect(try await harness.submit(try link(in: mail), []).status == .ok)
      let after = try await house.browser.open("/account/security").text
      #expect(!after.contains("/account/security/address/check") && after.contains("Confirmed: "))
    }
  }

  @Test func `only an address's owner learns that it is taken`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let bob = try await AccountSecurityHouse(harness, "Bob")
      let asked = try await house.browser.post(
        "/account/security/address", ["address": bob.account.email])
      #expect(asked.headers[.location] == "/account/security?address=sent")
      let mail = try #require(try await deliver(harness, 1).first)
      let taken = try await harness.submit(try link(in: mail), [])
      #expect(taken.status == .conflict)
      #expect(try await bob.signIn().status == .seeOther)
    }
  }

  @Test func `without an SMS gateway a number is only a name, and the page says so`() async throws {
    try await ServerHarness.run(hasGateway: false) { harness in
      let house = try await AccountSecurityHouse(harness)
      let bob = try await AccountSecurityHouse(harness, "Bob")
      _ = try await Administration(environment: harness.environment).perform(
        .changeAddress(email: house.account.email, to: "+47 900 12 345"))
      #expect(try await deliver(harness, 1).first?.to.mailbox == house.account.email)
      let page = try await house.browser.open("/account/security").text
      #expect(page.contains("+4790012345"))
      #expect(
        page.contains("nothing is sent to it") && !page.contains("/account/security/address/check"))
      #expect(
        try await house.browser.post("/account/security/address/check", [:]).status == .notFound)
      let signedIn = try await harness.submit(
        "/sign-in", [("email", "0047 90012345"), ("password", AccountSecurityHouse.password)])
      #expect(signedIn.status == .seeOther)
      #expect(!(try await house.browser.open("/device").text).contains("/device/mail"))
      let me = try await house.browser.open("/api/v1/me").json()
      #expect(me["account"]?["phone"]?.string == "+4790012345")
      #expect(me["account"]?["email"] == nil)
      // Whether someone has a number is not revealed: only the operator can set it.
      #expect(
        try await bob.browser.open("/account/security/address").text.contains("add a phone number"))
      for number in ["+4790012345", "+4790099999"] {
        let answer = try await bob.browser.post("/account/security/address", ["address": number])
        #expect(answer.status == .unprocessableContent)
        #expect(answer.text.contains("can’t send texts"))
      }
    }
  }

  /// Returns the digits of the last text message, and its recipient.
  private func code(_ harness: ServerHarness) throws -> (digits: String, to: String) {
    let body = String(decoding: try #require(harness.outbox.phones.last).body, as: UTF8.self)
    let digits = try #require(body.firstMatch(of: /Body=(\d{6})/)).1
    let number = try #require(body.firstMatch(of: /To=%2B(\d+)/)).1
    return (String(digits), "+\(number)")
  }

  @Test func `a number is verified by the code sent to it`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let empty = try await house.browser.open("/account/security/address/code")
      #expect(empty.headers[.location] == "/account/security/address")
      let asked = try await house.browser.post(
        "/account/security/address", ["address": "+47 900 12 345"])
      #expect(asked.headers[.location] == "/account/security/address/code", "\(asked.text)")
      _ = try await deliver(harness, 1)
      let (digits, number) = try code(harness)
      #expect(number == "+4790012345")
      let page = try await house.browser.open("/account/security/address/code")
      #expect(page.status == .ok && page.text.contains("+4790012345"))
      #expect(page.text.contains("one-time-code"))
      let wrong = try await house.browser.post(
        "/account/security/address/code", ["code": digits == "111111" ? "222222" : "111111"])
      #expect(wrong.status == .unprocessableContent && wrong.text.contains("not the code"))
      #expect(try await house.browser.open("/account/security").text.contains(house.account.email))
      let done = try await house.browser.post("/account/security/address/code", ["code": digits])
      #expect(done.headers[.location] == "/account/security?address=changed", "\(done.text)")
      #expect(try await deliver(harness, 1).first?.to.mailbox == house.account.email)
      let overview = try await house.browser.open("/account/security").text
      #expect(overview.contains("+4790012345") && overview.contains("Confirmed: "))
      // Its owner is told by text message when it changes again.
      let other = try await house.browser.post(
        "/account/security/address", ["address": "+47 900 12 346"])
      #expect(other.status == .seeOther)
      _ = try await deliver(harness, 1)
      _ = try await house.browser.post(
        "/account/security/address/code", ["code": try code(harness).digits])
      _ = try await deliver(harness, 1)
      let told = String(
        decoding: try #require(harness.outbox.phones.last).body, as: UTF8.self)
      #expect(
        told.contains("4790012345") && told.contains("another+address")
          || told.contains("another%20address"))
    }
  }

  @Test func `only the phone's owner learns that its number has an account`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let bob = try await AccountSecurityHouse(harness, "Bob")
      _ = try await bob.browser.post("/account/security/address", ["address": "+4790012345"])
      _ = try await deliver(harness, 1)
      _ = try await bob.browser.post(
        "/account/security/address/code", ["code": try code(harness).digits])
      _ = try await deliver(harness, 1)
      for number in ["+4790012345", "+4790012346"] {
        let asked = try await house.browser.post("/account/security/address", ["address": number])
        #expect(asked.headers[.location] == "/account/security/address/code")
        _ = try await deliver(harness, 1)
        #expect(try code(harness).to == number)
      }
      _ = try await house.browser.post("/account/security/address", ["address": "+4790012345"])
      _ = try await deliver(harness, 1)
      let taken = try await house.browser.post(
        "/account/security/address/code", ["code": try code(harness).digits])
      #expect(taken.status == .conflict && taken.text.contains("can’t be used here"))
    }
  }

  @Test(arguments: [
    ("", "Enter an e-mail address"), ("ann", "Enter an e-mail address"),
    ("90012345", "Start the number with"), ("+47 9x", "Start the number with"),
    ("a@b@c", "Enter an e-mail address"),
  ])
  func `invalid input is reported next to the field`(typed: String, message: String) async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let answer = try await house.browser.post("/account/security/address", ["address": typed])
      #expect(answer.status == .unprocessableContent)
      #expect(answer.text.contains(message))
    }
  }

  @Test func `a change needs a recent sign-in and the form's token`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let forged = try await house.browser.post(
        "/account/security/address", ["address": "eve@example.org"], token: "wrong")
      #expect(forged.status == .forbidden)
      harness.clock.advance(minutes: 40)
      let late = try await house.browser.post(
        "/account/security/address", ["address": "eve@example.org"])
      #expect(late.headers[.location]?.hasPrefix("/account/security/prove") == true)
      let page = try await house.browser.open("/account/security/address")
      #expect(page.headers[.location]?.hasPrefix("/account/security/prove") == true)
    }
  }

  @Test func `the operator can change someone's sign-in address`() async throws {
    try await ServerHarness.run { harness in
      let house = try await AccountSecurityHouse(harness)
      let administration = Administration(environment: harness.environment)
      let id = try await administration.perform(
        .changeAddress(email: house.account.email, to: "0047 900 12 345"))
      #expect(id == house.account.id.text)
      #expect(try await house.browser.open("/account/security").text.contains("+4790012345"))
      await #expect(throws: AccountError.unknownAccount) {
        try await administration.perform(
          .changeAddress(email: "x@example.org", to: "y@example.org"))
      }
      await #expect(throws: AccountError.phoneMalformed) {
        try await administration.perform(.changeAddress(email: "+4790012345", to: "12"))
      }
    }
  }
}
