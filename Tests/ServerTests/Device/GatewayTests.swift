// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Storage
import Testing
import TestSupport

@testable import Reminders
@testable import Web

/// Webhooks, Home Assistant, text messages and calls, from the form to the answered dose.
@Suite struct GatewayTests {
  private static let secret = WebhookSecret { [UInt8](repeating: 3, count: $0) }.text

  static let forms: [(form: String, fields: [String: String])] = [
    ("webhook", ["server": "https://hook.example/in?x=1", "secret": secret]),
    ("home-assistant", ["server": "https://home.example/", "name": "-hook_1"]),
    (
      "home-assistant-notify",
      ["server": "https://home.example", "name": "notify.mobile_app_x", "secret": "tok.en"]
    ),
  ]

  @Test(arguments: forms.indices)
  func `a webhook rings once its test was tapped`(index: Int) async throws {
    let (form, fields) = Self.forms[index]
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.event("2026-03-01T07:30:00Z", "2026-03-01T12:00:00Z")
      let browser = try await harness.session(of: ann.account)
      #expect(try await browser.open("/device/add/\(form)").status == .ok)
      let answer = try await Self.post(browser, "/device/add/\(form)", fields)
      #expect(answer.status == .seeOther, "\(answer.text)")
      await harness.ring()
      let test = try #require(harness.outbox.webhooks.first)
      // Unconfirmed, it gets no reminders.
      harness.clock.advance(minutes: 30)
      await harness.ring()
      #expect(harness.outbox.webhooks.count == 1)
      let proof = try Self.path(in: test)
      #expect(proof.hasPrefix("/proof/rgp_"))
      #expect(try await harness.submit(proof, []).status == .ok)
      // A dose goes there at once, since there is no device, and its link answers it.
      harness.clock.advance(minutes: 270)
      await harness.ring()
      #expect(harness.outbox.webhooks.count == 2)
      let sent = try #require(harness.outbox.webhooks.last)
      let text = String(decoding: sent.body, as: UTF8.self)
      #expect(text.contains("12:00") && !text.contains("Testolol"))
      #expect(try await harness.submit(try Self.path(in: sent), []).status == .seeOther)
      let doses = try await ann.doses().filter { $0["plan"]?.string == plan.text }
      #expect(doses.last?["state"] == "taken")
      let told = try await ann.deliveries().filter { $0["channel"] == "webhook" }
      #expect(told.count == 2)
      #expect(told.allSatisfy { $0["address"]?.string?.contains(".example/…") == true })
      // The page shows the messages sent there, and no secrets.
      let page = try await browser.open("/device").text
      #expect(page.contains("Recent messages") && page.contains("· sent ·"))
      #expect(!page.contains(Self.secret) && !page.contains("tok.en") && !page.contains("hook_1"))
    }
  }

  @Test(arguments: [
    (ChannelOutcome.retry(afterSeconds: nil, .service(status: 503)), "retrying"),
    (.retry(afterSeconds: nil, .timeout), "retrying"), (.misconfigured(status: 404), "failed"),
  ])
  func `a failing webhook is reported`(outcome: ChannelOutcome, told: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.proven(harness, ann)
      harness.outbox.answerWebhooks(outcome)
      harness.clock.advance(minutes: 30)
      await harness.ring()
      let first = try #require(harness.outbox.webhooks.last)
      func delivery() async throws -> JSONValue? {
        try await ann.deliveries()
          .first { $0["channel"] == "webhook" && $0["doses"]?.array?.isEmpty == false }
      }
      #expect(try await delivery()?["outcome"] == .string(told))
      harness.clock.advance(minutes: 1)
      await harness.ring()
      let last = try #require(harness.outbox.webhooks.last)
      if told == "retrying" {
        // The same message with the same id, and a signature with a new time.
        #expect(try await delivery()?["outcome"] == "handedOver")
        #expect(last.body == first.body && Self.header(last, "webhook-id") != nil)
        #expect(Self.header(last, "webhook-id") == Self.header(first, "webhook-id"))
        #expect(Self.header(last, "webhook-signature") != Self.header(first, "webhook-signature"))
      } else {
        #expect(harness.outbox.webhooks.count == 2)
        #expect(harness.outbox.mails.contains { $0.subject.contains("07:30") || !$0.text.isEmpty })
        let browser = try await harness.session(of: ann.account)
        #expect(try await browser.open("/device").text.contains("status-404"))
      }
    }
  }

  @Test func `a number is verified by a code sent to it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      _ = try await ann.subscribe()
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open("/device").text
      #expect(page.contains("/device/add/sms") && page.contains("/device/add/call"))
      #expect(
        try await browser.post("/device/add/sms", ["number": "+47 400 00 012"]).status == .seeOther)
      await harness.ring()
      let sent = try #require(harness.outbox.phones.first)
      let code = try #require(Self.text(of: sent).firstMatch(of: /\d{6}/)?.output)
      let address = try await Self.address(harness, ann)
      let path = "/device/channels/\(address)/code"
      let wrong = code == "000000" ? "000001" : "000000"
      _ = try await browser.post(path, ["code-\(address)": wrong])
      #expect(try await !Self.isProven(harness))
      let right = try await browser.post(path, ["code-\(address)": String(code)])
      #expect(right.headers[.location]?.contains("done=proven") == true)
      #expect(try await Self.isProven(harness))
      // 20 minutes after the dose a text message is sent: neutral, masked on the page, and never
      // stored unencrypted.
      for _ in 0..<55 {
        harness.clock.advance(minutes: 1)
        await harness.ring()
      }
      let texts = harness.outbox.phones.map(Self.text)
      #expect(texts.count == 2 && texts[1].contains("07:30") && !texts[1].contains("Testolol"))
      #expect(texts[1].contains("/tap/rga_"))
      #expect(harness.outbox.pushes.count == 3 && harness.outbox.mails.count == 1)
      let device = try await browser.open("/device").text
      #expect(device.contains("…12") && !device.contains("40000012"))
      let delivery = try await ann.deliveries().first { $0["channel"] == "sms" }
      #expect(delivery?["address"] == "…12")
      let sealed = try await harness.environment.database.read { reader in
        try reader.query("SELECT host, settings_sealed FROM channel_addresses").map { row in
          try row.text(0) + String(decoding: row.blob(1), as: UTF8.self)
        }
      }
      #expect(sealed.allSatisfy { !$0.contains("40000012") })
    }
  }

  @Test func `codes can't be guessed or sent without limit`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let browser = try await harness.session(of: ann.account)
      _ = try await browser.post("/device/add/call", ["number": "+4740000012"])
      await harness.ring()
      let spoken = Self.text(of: try #require(harness.outbox.phones.first))
      let code = spoken.filter(\.isNumber).suffix(6)
      let address = try await Self.address(harness, ann)
      let path = "/device/channels/\(address)/code"
      // Another person's number appears not to exist.
      let stranger = try await harness.session(of: bob.account)
      #expect(
        try await stranger.post(path, ["code-\(address)": String(code)]).status == .notFound)
      for _ in 0..<ChannelAddresses.mostTries {
        let answer = try await browser.post(path, ["code-\(address)": "x"])
        #expect(answer.headers[.location]?.contains("wrong-code") == true)
      }
      let late = try await browser.post(path, ["code-\(address)": String(code)])
      #expect(late.headers[.location]?.contains("code-over") == true)
      #expect(try await !Self.isProven(harness))
      for _ in 1..<ChannelAddresses.mostPhoneTests {
        _ = try await browser.post("/device/channels/\(address)/test", [:])
        await harness.ring()
      }
      #expect(harness.outbox.phones.count == ChannelAddresses.mostPhoneTests)
      let more = try await browser.post("/device/channels/\(address)/test", [:])
      #expect(more.headers[.location]?.contains("too-many-tests") == true)
      #expect(
        try await browser.post("/device/add/sms", ["number": "+4740000013"]).status
          == .unprocessableContent)
      await harness.ring()
      #expect(harness.outbox.phones.count == ChannelAddresses.mostPhoneTests)
    }
  }

  @Test(arguments: [
    ("webhook", ["server": "http://hook.example", "secret": secret]),
    ("webhook", ["server": "https://127.0.0.1/x", "secret": secret]),
    ("webhook", ["server": "", "secret": secret]),
    ("webhook", ["server": "https://hook.example", "secret": "whsec_short"]),
    ("home-assistant", ["server": "https://home.example", "name": "a/b"]),
    ("home-assistant", ["server": "https://home.example?x", "name": "a"]),
    ("home-assistant-notify", ["server": "https://home.example", "name": "x", "secret": ""]),
    (
      "home-assistant-notify",
      ["server": "https://home.example", "name": "x", "secret": "a\r\nHost: b"]
    ),
    ("sms", ["number": "12"]), ("call", ["number": "+47 abc"]),
  ])
  func `unusable values are reported next to the field`(
    form: String, fields: [String: String]
  ) async throws {
    try await ServerHarness.run { harness in
      let browser = try await harness.session(of: try await harness.makeAccount())
      let answer = try await Self.post(browser, "/device/add/\(form)", fields)
      #expect(answer.status == .unprocessableContent, "\(fields)")
      #expect(answer.text.contains("has-error"))
      #expect(try await browser.open("/device/add/ntfy").status == .notFound)
      #expect(try await browser.open("/device/add/fax").status == .notFound)
    }
  }

  // MARK: Helpers

  private static func proven(_ harness: ServerHarness, _ person: Person) async throws {
    let browser = try await harness.session(of: person.account)
    #expect(try await post(browser, "/device/add/webhook", forms[0].fields).status == .seeOther)
    await harness.ring()
    let test = try #require(harness.outbox.webhooks.last)
    #expect(try await harness.submit(try path(in: test), []).status == .ok)
  }

  private static func post(
    _ browser: Browser, _ path: String, _ fields: [String: String]
  ) async throws -> TestResponse {
    try await browser.post(
      path,
      [
        "server": fields["server"] ?? "", "name": fields["name"] ?? "",
        "secret": fields["secret"] ?? "", "number": fields["number"] ?? "",
      ])
  }

  private static func path(in request: ChannelRequest) throws -> String {
    let text = String(decoding: request.body, as: UTF8.self)
    return String(try #require(text.firstMatch(of: /\/(proof|tap)\/[A-Za-z0-9_-]+/)).output.0)
  }

  private static func header(_ request: ChannelRequest, _ name: String) -> String? {
    request.headers.first { $0.0 == name }?.1
  }

  /// Returns the content of a text message, or the words of a call.
  private static func text(of request: ChannelRequest) -> String {
    var components = URLComponents()
    components.percentEncodedQuery = String(decoding: request.body, as: UTF8.self)
    let fields = components.queryItems ?? []
    return fields.first { $0.name == "Body" || $0.name == "Twiml" }?.value ?? ""
  }

  private static func address(_ harness: ServerHarness, _ person: Person) async throws -> String {
    let account = person.account.id
    return try await harness.environment.database.read { reader in
      try #require(try ChannelAddresses.list(account, in: reader).first).id
    }
  }

  private static func isProven(_ harness: ServerHarness) async throws -> Bool {
    try await harness.environment.database.read { reader in
      try reader.first("SELECT 1 FROM channel_addresses WHERE confirmed IS NOT NULL") != nil
    }
  }
}
