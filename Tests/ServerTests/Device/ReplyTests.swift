// SPDX-License-Identifier: Apache-2.0

import Accounts
import Crypto
import FHIR
import Foundation
import HTTPTypes
import HummingbirdTesting
import Identifiers
import NIOCore
import Presentation
import Storage
import Testing
import TestSupport

@testable import Channels
@testable import DosePages
@testable import Reminders
@testable import Web

/// Texts that are answered, through a simulated gateway that signs as Twilio does.
@Suite struct ReplyTests {
  private static let key = "signing-key"
  private static let number = "+4740000012"

  private static func run(
    _ test: @escaping @Sendable (ServerHarness) async throws -> Void
  ) async throws {
    try await ServerHarness.run(signingKey: key, test)
  }

  /// Adds a confirmed number to an account.
  private static func verify(
    _ harness: ServerHarness, _ account: Account, number: String = Self.number,
    form: ChannelForm = .sms
  ) async throws {
    let context = harness.environment.reminderContext(at: harness.clock.now)
    try await harness.environment.database.write { writer in
      let id = try ChannelAddresses.add(
        ChannelSettings(server: "", topic: number), form: form, host: "…12", account: account.id,
        context, in: writer)
      try ChannelAddresses.confirm(try #require(id), at: context.now, in: writer)
    }
  }

  /// Sends a text to the server as the gateway would.
  private static func text(
    _ harness: ServerHarness, _ body: String, id: String = UUID().uuidString,
    from: String = Self.number, key: String = Self.key
  ) async throws -> TestResponse {
    let answer = try await post(
      harness, Replies.path,
      [("MessageSid", id), ("AccountSid", "AC0123"), ("From", from), ("Body", body)], key: key)
    await harness.ring()
    return answer
  }

  private static func post(
    _ harness: ServerHarness, _ path: String, _ fields: [(String, String)],
    key: String = Self.key
  ) async throws -> TestResponse {
    let signed =
      harness.environment.baseURL + path
      + fields.sorted { $0.0 < $1.0 }.map { $0.0 + $0.1 }.joined()
    let code = HMAC<Insecure.SHA1>.authenticationCode(
      for: Data(signed.utf8), using: SymmetricKey(data: Data(key.utf8)))
    var headers: HTTPFields = [:]
    let name = try #require(HTTPField.Name("X-Twilio-Signature"))
    headers[name] = Data(code).base64EncodedString()
    return try await harness.submit(path, fields, headers)
  }

  /// Rings until a text was sent for a dose at 07:30.
  private static func rung(_ harness: ServerHarness) async {
    for _ in 0..<60 {
      harness.clock.advance(minutes: 1)
      await harness.ring()
    }
  }

  private static func texts(_ harness: ServerHarness) -> [String] {
    harness.outbox.phones.map { request in
      var components = URLComponents()
      components.percentEncodedQuery = String(decoding: request.body, as: UTF8.self)
      let body = components.queryItems?.first { $0.name == "Body" || $0.name == "Twiml" }
      return body?.value ?? ""
    }
  }

  private static func states(_ person: Person) async throws -> [String] {
    try await person.doses().compactMap { $0["state"]?.string }
  }

  @Test(arguments: [("1", "taken"), ("Tatt!", "taken"), ("๓", "skipped"), ("SKIP", "skipped")])
  func `one word answers the only reminder`(word: String, state: String) async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.verify(harness, ann.account)
      await Self.rung(harness)
      let sent = Self.texts(harness)
      #expect(sent.last?.contains("Reply 1 if taken") == true)
      #expect(try await Self.text(harness, word, id: "SM1").status == .ok)
      #expect(try await Self.states(ann) == [state])
      let told = Self.texts(harness)
      #expect(told.count == sent.count + 1 && told.last?.contains("07:30") == true)
      #expect(told.last?.contains("Testolol") == false)
      // The gateway sends the same message again.
      #expect(try await Self.text(harness, word, id: "SM1").status == .ok)
      #expect(Self.texts(harness).count == told.count)
      // A second word comes too late, and says so.
      _ = try await Self.text(harness, "1", id: "SM2")
      #expect(Self.texts(harness).last?.contains("nothing left to answer") == true)
      #expect(try await Self.states(ann) == [state])
    }
  }

  @Test func `a confirmation is tried again, and given up after an hour`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.verify(harness, ann.account)
      await Self.rung(harness)
      harness.outbox.answerPhones(.retry(afterSeconds: nil, .timeout))
      _ = try await Self.text(harness, "1")
      let before = Self.texts(harness)
      harness.clock.advance(minutes: 1)
      await harness.ring()
      let after = Self.texts(harness)
      #expect(after.count == before.count + 1 && after.last == before.last)
      harness.clock.advance(minutes: 1)
      await harness.ring()
      #expect(Self.texts(harness).count == after.count, "it was accepted")
      harness.outbox.answerPhones(.retry(afterSeconds: nil, .timeout))
      _ = try await Self.text(harness, "1")
      harness.clock.advance(minutes: 61)
      let given = Self.texts(harness).count
      await harness.ring()
      #expect(Self.texts(harness).count == given)
    }
  }

  @Test func `the source of an answer is shown`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.verify(harness, ann.account)
      await Self.rung(harness)
      _ = try await Self.text(harness, "taken")
      let names = try await harness.environment.database.read { reader in
        try reader.query("SELECT by_name FROM answers").map { try $0.text(0) }
      }
      #expect(names == ["Ann, by text message"])
    }
  }

  @Test func `several reminders are numbered first`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:10:00Z", name: "Testolol")
      _ = try await ann.event("2026-03-01T07:40:00Z", name: "Zinc")
      try await Self.verify(harness, ann.account)
      await Self.rung(harness)
      _ = try await Self.text(harness, "skip")
      let question = try #require(Self.texts(harness).last)
      #expect(question.contains("Which one?") && question.contains("07:10"))
      #expect(question.contains("07:40") && !question.contains("Zinc"))
      #expect(try await Set(Self.states(ann)) == ["due"])
      let isFirst = question.contains("1: 07:10")
      _ = try await Self.text(harness, isFirst ? "1" : "2")
      let doses = try await ann.doses()
      let skipped = doses.filter { $0["state"] == "skipped" }
      #expect(skipped.count == 1 && skipped[0]["due"]?.string?.contains("07:10") == true)
      // One is left, so the next word needs no number.
      _ = try await Self.text(harness, "taken")
      #expect(try await Set(Self.states(ann)) == ["skipped", "taken"])
    }
  }

  @Test func `unknown words are explained twice`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.verify(harness, ann.account)
      await Self.rung(harness)
      let before = Self.texts(harness).count
      for word in ["what?", "7", String(repeating: "x", count: 2_000), "\u{0}"] {
        #expect(try await Self.text(harness, word).status == .ok)
      }
      let told = Self.texts(harness).dropFirst(before)
      #expect(told.count == 2 && told.allSatisfy { $0.hasPrefix("Reply 1") })
      #expect(try await Self.states(ann) == ["due"])
      _ = try await Self.text(harness, "1")
      #expect(try await Self.states(ann) == ["taken"])
    }
  }

  @Test func `other numbers, other people and forged requests answer nothing`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.verify(harness, ann.account)
      try await Self.verify(harness, bob.account, number: "+4740000099")
      await Self.rung(harness)
      let before = Self.texts(harness).count
      for from in ["+4740000099", "+4740000077", "Bank", ""] {
        let answer = try await Self.text(harness, "1", from: from)
        #expect(answer.status == .ok && answer.text.hasSuffix("<Response/>"))
      }
      #expect(try await Self.text(harness, "1", key: "wrong").status == .forbidden)
      #expect(try await harness.submit(Replies.path, [("Body", "1")]).status == .forbidden)
      #expect(Self.texts(harness).count == before)
      #expect(try await Self.states(ann) == ["due"])
    }
  }

  @Test func `a removed number and an ended grant answer nothing`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.verify(harness, ann.account)
      await Self.rung(harness)
      let (account, now) = (ann.account.id, harness.clock.now)
      try await harness.environment.database.write { writer in
        let id = try #require(try ChannelAddresses.list(account, in: writer).first?.id)
        _ = try ChannelAddresses.remove(id, account: account, at: now, in: writer)
      }
      let before = Self.texts(harness).count
      _ = try await Self.text(harness, "1")
      #expect(Self.texts(harness).count == before)
      #expect(try await Self.states(ann) == ["due"])
    }
  }

  @Test func `STOP ends all texts, and START resumes them`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z", "2026-03-01T12:00:00Z")
      try await Self.verify(harness, ann.account)
      await Self.rung(harness)
      let before = Self.texts(harness).count
      _ = try await Self.text(harness, "Stop")
      _ = try await Self.text(harness, "1")
      #expect(Self.texts(harness).count == before)
      harness.clock.advance(minutes: 240)
      await Self.rung(harness)
      #expect(Self.texts(harness).count == before, "a text after STOP")
      _ = try await Self.text(harness, "START")
      #expect(Self.texts(harness).last?.contains("on again") == true)
      let confirmed = try await harness.environment.database.read { reader in
        try reader.first("SELECT confirmed FROM channel_addresses", [])?.integer(0)
      }
      #expect(confirmed == harness.clock.now.milliseconds)
    }
  }

  @Test func `a flood from one number is answered only at first`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.verify(harness, ann.account)
      await Self.rung(harness)
      _ = try await Self.text(harness, "1")
      let before = Self.texts(harness).count
      for _ in 0..<80 { #expect(try await Self.text(harness, "1").status == .ok) }
      let told = Self.texts(harness).count - before
      #expect(told > 0 && told < 70)
    }
  }

  @Test func `a key pressed in a call answers its reminder`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      try await Self.verify(harness, ann.account, form: .call)
      await Self.rung(harness)
      let call = try #require(Self.texts(harness).last { $0.contains("<Gather") })
      #expect(call.contains("Press 1 if taken"))
      let path = String(
        try #require(call.firstMatch(of: /\/api\/v1\/gateways\/replies\?delivery=[^"]+/)?.output))
      func press(_ digits: String, _ path: String) async throws -> String {
        try await Self.post(
          harness, path,
          [("CallSid", "CA1"), ("AccountSid", "AC0123"), ("To", Self.number), ("Digits", digits)]
        ).text
      }
      let unknown = try await press("9", path)
      #expect(unknown.contains("<Gather") && unknown.contains("Press 1 if taken"))
      let other = try await press("1", "\(Replies.path)?delivery=other")
      #expect(other.contains("nothing left to answer"))
      #expect(try await Self.states(ann) == ["due"])
      let taken = try await press("2", path)
      #expect(taken.contains("remind you again"))
      #expect(try await Self.states(ann) == ["later"])
    }
  }

  @Test func `without a signing key no replies are taken`() async throws {
    try await ServerHarness.run { harness in
      let answer = try await Self.text(harness, "1")
      #expect(answer.status == .notFound)
    }
  }
}
