// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import Secrecy
import Storage
import Testing
import TestSupport

@testable import Channels
@testable import Reminders
@testable import Web

/// Chats with a bot, from the code to the edited message, with a simulated bot server.
@Suite struct BotTests {
  private static let secret = "a-secret-of-the-bot"

  private static func run(
    _ kind: ChatBot.Kind = .telegram,
    _ test: @escaping @Sendable (ServerHarness) async throws -> Void
  ) async throws {
    let bot = ChatBot(
      kind: kind, address: "https://bot.example", name: "pill_bot", token: Concealed("12:ab"),
      secret: Concealed(secret))
    try await ServerHarness.run(bot: bot, test)
  }

  private static func update(
    _ harness: ServerHarness, _ json: JSONValue, secret: String? = Self.secret
  ) async throws -> TestResponse {
    var headers: HTTPFields = [:]
    let name = try #require(HTTPField.Name("X-Telegram-Bot-Api-Secret-Token"))
    headers[name] = secret
    let answer = try await harness.send(.post, Chats.path, headers, json: json)
    await harness.ring()
    return answer
  }

  private static func message(_ text: String, id: Int = 1, chat: Int = 77) -> JSONValue {
    [
      "update_id": .number(JSONNumber(id)),
      "message": [
        "message_id": .number(JSONNumber(id)), "text": .string(text),
        "chat": ["id": .number(JSONNumber(chat)), "type": "private"],
      ],
    ]
  }

  private static func press(_ data: String, id: Int, chat: Int = 77) -> JSONValue {
    [
      "update_id": .number(JSONNumber(id)),
      "callback_query": [
        "id": "q", "data": .string(data),
        "message": [
          "message_id": 5, "chat": ["id": .number(JSONNumber(chat)), "type": "private"],
        ],
      ],
    ]
  }

  private static func bodies(_ harness: ServerHarness) throws -> [JSONValue] {
    try harness.outbox.chats.map { try JSONValue(parsing: $0.body) }
  }

  /// Makes a code on the page.
  private static func code(_ harness: ServerHarness, _ account: Account) async throws -> String {
    let browser = try await harness.session(of: account)
    #expect(try await browser.open("/device/chat").status == .ok)
    let page = try await browser.post("/device/chat", [:])
    return String(try #require(page.text.firstMatch(of: /rgx_[\w-]+/)?.output))
  }

  private static func states(_ person: Person) async throws -> [String] {
    try await person.doses().compactMap { $0["state"]?.string }
  }

  @Test func `a linked chat is answered by its buttons`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      let code = try await Self.code(harness, ann.account)
      _ = try await Self.update(harness, Self.message("/start \(code)"))
      #expect(try Self.bodies(harness).last?["text"]?.string?.hasPrefix("Linked") == true)
      // The code works once.
      _ = try await Self.update(harness, Self.message(code, id: 2, chat: 99))
      #expect(try Self.bodies(harness).last?["text"]?.string?.contains("doesn’t work") == true)
      harness.clock.advance(minutes: 30)
      await harness.ring()
      let sent = try #require(
        try Self.bodies(harness).last { $0["reply_markup"] != nil })
      #expect(sent["chat_id"] == "77" && sent["text"]?.string?.contains("07:30") == true)
      #expect(sent["text"]?.string?.contains("Testolol") == false)
      let rows = try #require(sent["reply_markup"]?["inline_keyboard"]?.array)
      let data = rows.compactMap { $0[0]?["callback_data"]?.string }
      #expect(data.count == 3 && data.allSatisfy { $0.utf8.count <= 64 })
      // Another chat has no use for the button.
      let before = harness.outbox.chats.count
      _ = try await Self.update(harness, Self.press(data[0], id: 3, chat: 99))
      #expect(try await Self.states(ann) == ["due"])
      #expect(harness.outbox.chats.count == before + 1, "only the press is acknowledged")
      for _ in 0..<2 { _ = try await Self.update(harness, Self.press(data[0], id: 4)) }
      #expect(try await Self.states(ann) == ["taken"])
      let edits = harness.outbox.chats.filter { $0.address.hasSuffix("/editMessageText") }
      #expect(edits.count == 1, "the second press is the same update")
      _ = try await Self.update(harness, Self.press(data[2], id: 5))
      #expect(try Self.bodies(harness).last?["text"]?.string?.contains("nothing left") == true)
      #expect(try await Self.states(ann) == ["taken"])
    }
  }

  @Test func `forged and garbled updates change nothing`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      let code = try await Self.code(harness, ann.account)
      for secret in [nil, "wrong"] {
        let answer = try await Self.update(harness, Self.message(code), secret: secret)
        #expect(answer.status == .forbidden)
      }
      for body: JSONValue in [
        [:], [], ["update_id": 1], Self.press("1", id: 2), Self.message("hi"),
      ] {
        #expect(try await Self.update(harness, body).status == .ok)
      }
      #expect(harness.outbox.chats.allSatisfy { $0.address.hasSuffix("/answerCallbackQuery") })
    }
  }

  @Test func `a code expires, and a removed chat gets nothing`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:50:00Z")
      let late = try await Self.code(harness, ann.account)
      harness.clock.advance(minutes: 16)
      _ = try await Self.update(harness, Self.message(late))
      #expect(try Self.bodies(harness).last?["text"]?.string?.contains("doesn’t work") == true)
      _ = try await Self.update(harness, Self.message(try await Self.code(harness, ann.account)))
      let browser = try await harness.session(of: ann.account)
      let page = try await browser.open("/device").text
      #expect(page.contains("Telegram …"))
      let path = try #require(
        page.firstMatch(of: /action="(\/device\/channels\/[^"]+\/remove)"/)?.1)
      _ = try await browser.post(String(path), [:])
      let before = harness.outbox.chats.count
      harness.clock.advance(minutes: 40)
      await harness.ring()
      _ = try await Self.update(harness, Self.message("1", id: 9))
      #expect(harness.outbox.chats.count == before)
    }
  }

  @Test func `a blocked bot lets the next channel take over`() async throws {
    try await Self.run { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      _ = try await Self.update(harness, Self.message(try await Self.code(harness, ann.account)))
      harness.outbox.answerChats(.misconfigured(status: 403))
      harness.clock.advance(minutes: 30)
      await harness.ring()
      let told = try await ann.deliveries().first {
        $0["channel"] == "webhook" && $0["doses"]?.array?.isEmpty == false
      }
      #expect(told?["outcome"] == "failed")
    }
  }

  @Test func `Signal is answered by numbers`() async throws {
    try await Self.run(.signal) { harness in
      let ann = try await Person.make(harness)
      _ = try await ann.event("2026-03-01T07:30:00Z")
      let code = try await Self.code(harness, ann.account)
      func say(_ text: String, _ time: Int) async throws -> Int {
        let answer = try await harness.send(
          .post, "\(Chats.path)?secret=\(Self.secret)",
          json: [
            "envelope": [
              "sourceNumber": "+4740000012",
              "dataMessage": [
                "timestamp": .number(JSONNumber(time)), "message": .string(text),
              ],
            ]
          ])
        await harness.ring()
        return answer.status.code
      }
      #expect(try await say(code, 1) == 200)
      harness.clock.advance(minutes: 30)
      await harness.ring()
      #expect(try Self.bodies(harness).last?["message"]?.string?.contains("Reply 1") == true)
      #expect(try await say("3", 2) == 200)
      #expect(try await Self.states(ann) == ["skipped"])
      #expect(try Self.bodies(harness).last?["message"]?.string?.contains("skipped") == true)
    }
  }
}
