// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import NIOCore
import Testing
import TestSupport

@testable import Web

@Suite struct PushSubscriptionsAPITests {
  private static let path = "/api/v1/push-subscriptions"

  @Test func `a device is added once, listed masked, and removed`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.subscribe()
      let again = try await ann.post(Self.path, Person.subscription())
      #expect(again.status == .ok)
      #expect(try again.json() == ["id": .string(id)])
      let list = try await ann.get(Self.path)
      #expect(try list.json()["vapidPublicKey"] == "public-key")
      let listed = try await ann.subscriptions()
      #expect(listed.map { $0["id"]?.string } == [id])
      let address = try #require(listed.first?["address"]?.string)
      #expect(address.contains("fcm.googleapis.com"))
      #expect(!address.contains("/fcm/send/phone"))
      let removed = try await harness.send(.delete, "\(Self.path)/\(id)", ann.token)
      #expect(removed.status == .noContent)
      #expect(removed.text.isEmpty)
      let gone = try await harness.send(.delete, "\(Self.path)/\(id)", ann.token)
      try gone.expectProblem(.notFound)
      #expect(try await ann.subscriptions().isEmpty)
    }
  }

  @Test func `invalid JSON is 400, an invalid device 422 with its location`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      var headers = ann.token
      headers[.contentType] = "application/json"
      let broken = try await harness.client.executeRequest(
        uri: Self.path, method: .post, headers: headers, body: .init(string: "{\"endpoint\":"))
      try broken.expectProblem(.badRequest)
      let cases: [(JSONValue, String)] = [
        ([:], "endpoint"),
        (["endpoint": "https://fcm.googleapis.com/x"], "keys"),
        (["endpoint": 3, "keys": Outbox.keys], "endpoint"),
        (["endpoint": "https://fcm.googleapis.com/x", "keys": "abc"], "keys"),
        (["endpoint": "https://fcm.googleapis.com/x", "keys": ["auth": "x"]], "p256dh"),
        (Self.subscription(keys: ["p256dh": "AAAA", "auth": "BTBZMqHH6r4Tts7J_aSIgg"]), "keys"),
        (
          Self.subscription(keys: [
            "p256dh": Outbox.keys["p256dh"] ?? .null, "auth": "c2hvcnQ",
          ]), "keys"
        ),
      ]
      for (body, place) in cases {
        let answer = try await ann.post(Self.path, body)
        try answer.expectProblem(.unprocessableContent)
        #expect(
          try answer.json()["issues"]?[0]?["expression"]?.string == place, "\(answer.text)")
      }
      #expect(try await ann.subscriptions().isEmpty)
    }
  }

  @Test(arguments: [
    "http://fcm.googleapis.com/x", "https://fcm.googleapis.com:444/x",
    "https://evil.example/fcm.googleapis.com", "https://fcm.googleapis.com.evil.example/x",
    "https://fcm.googleapis.com@evil.example/x", "https://user@fcm.googleapis.com/x",
    "https://127.0.0.1/x", "https://[::1]/x", "https://169.254.169.254/latest",
    "https://fcm.googleapis.com./x", "https://push.apple.com.evil.example/x",
    "ftp://fcm.googleapis.com/x", "fcm.googleapis.com/x", "javascript:alert(1)",
    "https://fcm.googleapis.com\\@evil.example/", "https://fcm.googleapis.com%2f@evil.example/",
  ])
  func `an address of another host is refused`(endpoint: String) async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let answer = try await ann.post(
        Self.path, ["endpoint": .string(endpoint), "keys": Outbox.keys])
      try answer.expectProblem(.unprocessableContent)
      #expect(try answer.json()["issues"]?[0]?["expression"]?.string == "endpoint")
      #expect(try answer.json()["detail"]?.string?.contains("push service") == true)
    }
  }

  @Test func `an account keeps its latest 20 devices`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let oldest = try await ann.subscribe("phone-0")
      _ = try await bob.subscribe("other")
      for number in 1...20 {
        harness.clock.advance(milliseconds: 1)
        _ = try await ann.subscribe("phone-\(number)")
      }
      let listed = try await ann.subscriptions()
      #expect(listed.count == 20)
      #expect(!listed.contains { $0["id"]?.string == oldest })
      #expect(try await bob.subscriptions().count == 1)
    }
  }

  @Test func `other people's devices are not found`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let bob = try await Person.make(harness, "Bob")
      let id = try await ann.subscribe()
      let removed = try await harness.send(.delete, "\(Self.path)/\(id)", bob.token)
      try removed.expectProblem(.notFound)
      for action in ["test", "confirm"] {
        try await bob.post("\(Self.path)/\(id)/\(action)", [:]).expectProblem(.notFound)
        try await ann.post("\(Self.path)/nothing/\(action)", [:]).expectProblem(.notFound)
      }
      #expect(try await bob.subscriptions().isEmpty)
      #expect(try await ann.subscriptions().count == 1)
    }
  }

  @Test func `a test rings only that device, and a tap confirms it`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.subscribe("phone")
      _ = try await ann.subscribe("tablet")
      let answer = try await ann.post("\(Self.path)/\(id)/test", [:])
      #expect(answer.status == .accepted)
      let delivery = try #require(try answer.json()["delivery"]?.string)
      await harness.ring()
      let pushes = harness.outbox.pushes
      #expect(pushes.map(\.endpoint) == [Outbox.endpoint("phone")])
      #expect(pushes.first?.payload["delivery"]?.string == delivery)
      #expect(pushes.first?.payload["kind"] == "test")
      #expect(pushes.first?.payload["title"]?.string?.isEmpty == false)
      let shown = try await ann.post("/api/v1/deliveries/\(delivery)/shown", [:])
      #expect(shown.status == .noContent)
      #expect(try await ann.subscriptions().first { $0["id"]?.string == id }?["lastShown"] != nil)
      let confirmed = try await ann.post("\(Self.path)/\(id)/confirm", [:])
      #expect(confirmed.status == .noContent)
      let listed = try await ann.subscriptions().first { $0["id"]?.string == id }
      #expect(listed?["confirmed"]?.string == "2026-03-01T07:00:00+00:00")
    }
  }

  @Test func `a write sent again with its key does nothing twice`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let id = try await ann.subscribe()
      let key: HTTPFields = [.idempotencyKey: "once"]
      let first = try await ann.post("\(Self.path)/\(id)/test", [:], key)
      let second = try await ann.post("\(Self.path)/\(id)/test", [:], key)
      #expect(first.text == second.text)
      await harness.ring()
      #expect(harness.outbox.pushes.count == 1)
      let removed = try await harness.send(.delete, "\(Self.path)/\(id)", ann.token.with(key))
      let again = try await harness.send(.delete, "\(Self.path)/\(id)", ann.token.with(key))
      #expect(removed.status == .noContent && again.status == .noContent)
    }
  }

  @Test func `signing out silences only that session's device`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let browser = try await harness.session(of: ann.account)
      let made = try await harness.send(
        .post, Self.path, browser.headers, json: Person.subscription("browser"))
      #expect(made.status == .created)
      let other = try await ann.subscribe("other")
      let out = try await browser.post("/sign-out", [:])
      #expect(out.status == .seeOther)
      #expect(try await ann.subscriptions().map { $0["id"]?.string } == [other])
    }
  }

  private static func subscription(keys: JSONValue) -> JSONValue {
    ["endpoint": "https://fcm.googleapis.com/x", "keys": keys]
  }
}
