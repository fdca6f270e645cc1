// SPDX-License-Identifier: Apache-2.0

import Accounts
import Channels
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Outbound
import Storage
import Testing
import TestSupport

@testable import Web

/// ntfy from the form to the answered dose.
@Suite struct NtfyTests {
  static let form: KeyValuePairs<String, String> = [
    "server": "https://ntfy.example/", "topic": "regimen-secret-topic", "token": "tk_secret",
  ]

  @Test func `a topic rings once its test was confirmed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let plan = try await ann.event("2026-03-01T07:30:00Z", "2026-03-01T12:00:00Z")
      let browser = try await harness.session(of: ann.account)
      #expect(try await browser.open("/device/ntfy").text.contains("https://ntfy.example"))
      #expect(try await browser.post("/device/ntfy", Self.form).status == .seeOther)
      await harness.ring()
      let test = try #require(harness.outbox.ntfy.first)
      #expect(test.server == "https://ntfy.example" && test.token == "tk_secret")
      #expect(
        try await browser.open("/device").text.contains("Not confirmed yet. Tap the test to start"))
      // Unconfirmed, it gets no reminders.
      harness.clock.advance(minutes: 30)
      await harness.ring()
      #expect(harness.outbox.ntfy.count == 1 && harness.outbox.mails.count == 1)
      let proof = try Self.path(test.message.address)
      #expect(proof.hasPrefix("/proof/rgp_"))
      #expect(try await harness.send(.get, proof).status == .ok)
      #expect(
        try await browser.open("/device").text.contains("Not confirmed yet. Tap the test to start"))
      #expect(try await harness.submit(proof, []).status == .ok)
      #expect(
        !(try await browser.open("/device").text.contains(
          "Not confirmed yet. Tap the test to start")))
      // A dose goes there at once, since there is no device, and the button answers it.
      harness.clock.advance(minutes: 270)
      await harness.ring()
      let sent = try #require(harness.outbox.ntfy.last)
      #expect(harness.outbox.ntfy.count == 2)
      #expect(sent.message.title.contains("12:00") && !sent.message.title.contains("Testolol"))
      #expect(!sent.message.body.contains("Testolol"))
      let tap = try Self.path(sent.message.address)
      #expect(try await harness.submit(tap, []).status == .seeOther)
      let doses = try await ann.doses().filter { $0["plan"]?.string == plan.text }
      #expect(doses.last?["state"] == "taken")
      let told = try await ann.deliveries().filter { $0["channel"] == "ntfy" }
      let address = told.compactMap { $0["address"]?.string }
      #expect(address.allSatisfy { $0.hasPrefix("ntfy.example/…") } && !address.isEmpty)
    }
  }

  @Test func `the third step uses ntfy instead of the device`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      _ = try await ann.subscribe()
      try await Self.proven(harness, ann)
      for _ in 0..<51 {
        harness.clock.advance(minutes: 1)
        await harness.ring()
      }
      #expect(harness.outbox.pushes.count == 2)
      #expect(harness.outbox.ntfy.count == 2)
      #expect(
        harness.outbox.ntfy.last?.message.sequence == harness.outbox.pushes.last?.message.topic)
    }
  }

  @Test(arguments: [
    (ChannelOutcome.retry(afterSeconds: 60, .rateLimited), "retrying"),
    (.retry(afterSeconds: nil, .service(status: 503)), "retrying"),
    (.misconfigured(status: 401), "failed"), (.misconfigured(status: 404), "failed"),
  ])
  func `responses of the ntfy server`(outcome: ChannelOutcome, told: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let eve = try await harness.makeAccount("Eve", isAdministrator: true)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.proven(harness, ann)
      harness.outbox.answerNtfy(outcome)
      harness.clock.advance(minutes: 30)
      await harness.ring()
      let delivery = try await ann.deliveries()
        .first { $0["channel"] == "ntfy" && $0["doses"]?.array?.isEmpty == false }
      #expect(delivery?["outcome"] == .string(told))
      let page = try await harness.session(of: eve).open("/status")
      if told == "failed" { #expect(page.text.contains("ntfy.example")) }
    }
  }

  @Test(arguments: [
    ["server": "", "topic": "t"], ["server": "http://ntfy.example", "topic": "t"],
    ["server": "https://127.0.0.1", "topic": "t"],
    ["server": "https://ntfy.example:8443", "topic": "t"],
    ["server": "https://a@ntfy.example", "topic": "t"],
    ["server": "https://ntfy.example", "topic": ""],
    ["server": "https://ntfy.example", "topic": "a/b"],
    ["server": "https://ntfy.example", "topic": "t", "token": "a\r\nHost: evil"],
  ])
  func `unusable values are reported next to the field`(fields: [String: String]) async throws {
    try await ServerHarness.run { harness in
      let ann = try await harness.makeAccount()
      let browser = try await harness.session(of: ann)
      let answer = try await browser.post(
        "/device/ntfy",
        [
          "server": fields["server"] ?? "", "topic": fields["topic"] ?? "",
          "token": fields["token"] ?? "",
        ])
      #expect(answer.status == .unprocessableContent, "\(fields)")
      #expect(answer.text.contains("has-error"))
    }
  }

  @Test func `credentials are sealed and removed with the address`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      try await Self.proven(harness, ann)
      func kept() async throws -> [[UInt8]] {
        try await harness.environment.database.read { reader in
          try reader.query("SELECT settings_sealed FROM channel_addresses").map { try $0.blob(0) }
        }
      }
      #expect(
        try await kept().allSatisfy { !String(decoding: $0, as: UTF8.self).contains("secret") })
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open("/device")
      #expect(!page.text.contains("secret-topic") && !page.text.contains("tk_secret"))
      let remove = try #require(
        page.text.firstMatch(of: /\/device\/channels\/[^\/"]+\/remove/)?.output)
      #expect(try await browser.post(String(remove), [:]).status == .seeOther)
      #expect(try await kept() == [[]])
      _ = try await ann.event("2026-03-01T07:30:00Z")
      harness.clock.advance(minutes: 30)
      await harness.ring()
      #expect(harness.outbox.ntfy.count == 1)
    }
  }

  // MARK: Helpers

  private static func proven(_ harness: ServerHarness, _ person: Person) async throws {
    let browser = try await harness.session(of: person.account)
    #expect(try await browser.post("/device/ntfy", form).status == .seeOther)
    await harness.ring()
    let test = try #require(harness.outbox.ntfy.last)
    #expect(try await harness.submit(try path(test.message.address), []).status == .ok)
  }

  private static func path(_ address: String) throws -> String {
    let range = try #require(address.firstRange(of: /\/(proof|tap)\//))
    return String(address[range.lowerBound...])
  }
}
