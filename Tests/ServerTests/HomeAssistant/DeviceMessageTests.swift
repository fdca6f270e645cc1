// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import MQTT
import Storage
import Testing
import TestSupport

@testable import HomeAutomation
@testable import HomeDevices
@testable import Operations
@testable import Web

/// Reports of devices over the broker, without a broker.
@Suite struct DeviceMessageTests {
  /// A pill box of Ann that speaks over the broker.
  private struct Box {
    let ann: Person
    let id: HomeDeviceID
    let topics: DeviceTopics
    let key: DeviceSigningKey
    let sent: SentMessages
    let messages: DeviceMessages

    init(_ harness: ServerHarness, meaning: String = "log") async throws {
      let ann = try await Person.make(harness)
      let answer = try await ann.post(
        "/api/v1/home-devices",
        [
          "kind": "pill-box", "name": "Kitchen",
          "compartments": [["meaning": .string(meaning)]],
        ])
      let id = HomeDeviceID(try #require(try answer.json()["id"]?.string))
      let (patient, cipher) = (ann.account.patient, harness.environment.accounts.cipher)
      let found = try await harness.environment.database.read { reader in
        try HomeDeviceQueries.device(id, patient: patient, in: reader)
      }
      let device = try #require(found)
      self.ann = ann
      self.id = id
      key = try #require(DeviceSigningKey(of: device, cipher: cipher))
      topics = DeviceTopics(
        prefix: "regimen", address: try #require(DeviceAddress(of: device)).text)
      let sent = SentMessages()
      self.sent = sent
      messages = DeviceMessages(
        environment: harness.environment, prefix: "regimen", answer: { try? sent.send($0) })
    }

    /// Publishes a report with a signature.
    func publish(
      _ report: JSONValue, isRetained: Bool = false, mayHaveWaited: Bool = false
    ) async -> HomeMetrics.Outcome {
      await publish(
        key.payload(report.bytes, topic: topics.events), isRetained: isRetained,
        mayHaveWaited: mayHaveWaited)
    }

    /// Publishes a payload as it is.
    func publish(
      _ payload: [UInt8], at topic: String? = nil, isRetained: Bool = false,
      mayHaveWaited: Bool = false
    ) async -> HomeMetrics.Outcome {
      await messages.outcome(
        of: MQTTMessage(topic: topic ?? topics.events, payload: payload, isRetained: isRetained),
        mayHaveWaited: mayHaveWaited)
    }

    /// The last answer, whose signature is right; nil if there is none.
    func answer() throws -> JSONValue? {
      guard let message = sent.take().last else { return nil }
      #expect(message.topic == topics.answers && !message.isRetained)
      let opened = try #require(key.open(message.payload, topic: topics.answers))
      return try JSONValue(parsing: opened.body)
    }

    /// The outcomes of the events that were kept, the newest first.
    func kept() async throws -> [String?] {
      let shown = try await ann.get("/api/v1/home-devices/registered/\(id)").json()
      return try #require(shown["events"]?.array).map { $0["outcome"]?.string }
    }

    func state(of dose: String) async throws -> String? {
      try await ann.doses().first { $0["id"]?.string == dose }?["state"]?.string
    }
  }

  private static func opened(_ sequence: Int) -> JSONValue {
    ["events": [["sequence": .number(JSONNumber(sequence)), "event": "opened"]]]
  }

  @Test func `an opened lid is the dose taken, once, and the device is told`() async throws {
    try await ServerHarness.run { harness in
      let box = try await Box(harness)
      let dose = try await box.ann.newDose()
      harness.clock.advance(minutes: 65)
      #expect(await box.publish(Self.opened(1)) == .reported)
      let answer = try #require(try box.answer())
      #expect(answer["results"]?[0]?["outcome"]?.string == "logged")
      #expect(answer["results"]?[0]?["repeated"]?.bool == false)
      // It names the report that it is about.
      let payload = box.key.payload(Self.opened(1).bytes, topic: box.topics.events)
      #expect(answer["report"]?.string == String(decoding: payload.prefix(64), as: UTF8.self))
      let listed = try #require(
        try await box.ann.doses().first { $0["id"]?.string == dose })
      #expect(listed["state"]?.string == "taken")
      #expect(listed["answer"]?["by"]?.string == "Pill box “Kitchen”")
      // Delivered again, or sent over HTTP too.
      #expect(await box.publish(Self.opened(1)) == .reported)
      #expect(try box.answer()?["results"]?[0]?["repeated"]?.bool == true)
      #expect(try await box.kept() == ["logged"])
    }
  }

  @Test func `a message without the device's signature changes nothing and gets no answer`()
    async throws
  {
    try await ServerHarness.run { harness in
      let box = try await Box(harness)
      let dose = try await box.ann.newDose()
      harness.clock.advance(minutes: 65)
      let good = box.key.payload(Self.opened(1).bytes, topic: box.topics.events)
      var changed = good
      changed[0] = changed[0] == UInt8(ascii: "0") ? UInt8(ascii: "1") : UInt8(ascii: "0")
      let payloads: [[UInt8]] = [
        [], Self.opened(1).bytes, Array("rgd_token\n".utf8) + Self.opened(1).bytes, changed,
        good + [0x20], [UInt8](repeating: 0xFF, count: 16_384),
        // The answer of the server, sent back.
        box.key.payload(Self.opened(1).bytes, topic: box.topics.answers),
      ]
      for payload in payloads {
        #expect(await box.publish(payload) == .unsigned, "\(payload.prefix(80))")
      }
      let unknown = DeviceTopics(
        prefix: "regimen", address: String(repeating: "A", count: 43))
      for topic in [unknown.events, "regimen/device/x/events", "regimen/device/\u{0}/events"] {
        #expect(await box.publish(good, at: topic) == .unsigned, "\(topic)")
      }
      #expect(await box.publish(good, at: "other/device/x/events") == .refused)
      #expect(await box.publish(good, isRetained: true) == .refused)
      #expect(try box.answer() == nil)
      #expect(try await box.kept() == [])
      #expect(try await box.state(of: dose) == "due")
    }
  }

  @Test func `a signed report that is not understood is refused whole, with the reason`()
    async throws
  {
    try await ServerHarness.run { harness in
      let box = try await Box(harness)
      let bodies: [(String, Int)] = [
        ("", 400), ("{", 400), ("[]", 422), ("{}", 422), (#"{"events":"opened"}"#, 422),
        (#"{"events":[{"sequence":1,"event":"exploded"}]}"#, 422),
        (#"{"events":[{"sequence":1,"event":"opened"},{"sequence":-1,"event":"opened"}]}"#, 422),
        (String(repeating: "[", count: 9_000), 400), ("\u{FFFD}", 400),
      ]
      for (body, status) in bodies {
        let payload = box.key.payload(Array(body.utf8), topic: box.topics.events)
        #expect(await box.publish(payload) == .refused, "\(body.prefix(80))")
        let problem = try #require(try box.answer())["problem"]
        #expect(problem?["status"]?.number?.integer == status, "\(body.prefix(80))")
        #expect(problem?["detail"]?.string?.isEmpty == false)
      }
      #expect(try await box.kept() == [])
    }
  }

  @Test func `a device that was turned off, or whose guardian has gone, reports nothing`()
    async throws
  {
    try await ServerHarness.run { harness in
      let box = try await Box(harness)
      try await harness.environment.database.write { writer in
        try writer.execute("DELETE FROM grants", [])
      }
      #expect(await box.publish(Self.opened(1)) == .refused)
      #expect(try box.answer()?["problem"]?["status"]?.number?.integer == 404)
    }
    try await ServerHarness.run { harness in
      let box = try await Box(harness)
      let gone = try await harness.send(
        .delete, "/api/v1/home-devices/registered/\(box.id)", box.ann.token)
      #expect(gone.status == .noContent)
      #expect(await box.publish(Self.opened(1)) == .unsigned)
      #expect(try box.answer() == nil)
    }
  }

  @Test func `a flood is answered with the time to wait`() async throws {
    try await ServerHarness.run { harness in
      let box = try await Box(harness, meaning: "note")
      func batch(_ number: Int) -> JSONValue {
        let events = (0..<100).map { index -> JSONValue in
          ["sequence": .number(JSONNumber(number * 100 + index)), "event": "closed"]
        }
        return ["events": .array(events)]
      }
      for number in 0..<6 { #expect(await box.publish(batch(number)) == .reported) }
      #expect(await box.publish(batch(6)) == .throttled)
      let problem = try #require(try box.answer())["problem"]
      #expect(problem?["code"]?.string == "throttled")
      let seconds = try #require(problem?["retryAfter"]?.number?.integer)
      #expect((1...61).contains(seconds))
      harness.clock.advance(minutes: 1)
      #expect(await box.publish(batch(6)) == .reported)
    }
  }

  @Test func `what the broker kept is never dated by its arrival`() async throws {
    try await ServerHarness.run { harness in
      let box = try await Box(harness)
      let dose = try await box.ann.newDose()
      harness.clock.advance(minutes: 65)
      #expect(await box.publish(Self.opened(1), mayHaveWaited: true) == .reported)
      let answer = try #require(try box.answer())
      #expect(answer["results"]?[0]?["outcome"]?.string == "aside")
      #expect(answer["results"]?[0]?["reason"]?.string == "clock")
      #expect(try await box.state(of: dose) == "due")
      // It says when it was sent.
      var report = Self.opened(2)
      report["sent"] = "2026-03-01T08:01:00Z"
      #expect(await box.publish(report, mayHaveWaited: true) == .reported)
      #expect(try box.answer()?["results"]?[0]?["outcome"]?.string == "logged")
      let listed = try #require(
        try await box.ann.doses().first { $0["id"]?.string == dose })
      #expect(listed["answer"]?["at"]?.string?.hasPrefix("2026-03-01T08:01:00") == true)
    }
  }

  @Test func `only a device asks for its key, and only of a server with a broker`() async throws {
    try await ServerHarness.run { harness in
      let ann = try await Person.make(harness)
      let path = "/api/v1/home-devices/broker"
      let strangers: [HTTPFields] = [[:], [.authorization: "Bearer rgd_unknown"]]
      for fields in strangers {
        try await harness.send(.get, path, fields).expectProblem(.unauthorized, "login")
      }
      try await harness.send(.get, path, ann.token).expectProblem(.forbidden, "forbidden")
      let secret = try await MatrixPlan.addHomeDevice(
        harness, of: ann.account, named: HomeDeviceID("box"))
      try await harness.send(.get, path, [.authorization: "Bearer \(secret.text)"])
        .expectProblem(.notFound, "not-found")
    }
  }
}
