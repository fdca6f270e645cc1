// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HummingbirdTesting
import Identifiers
import MQTT
import Storage
import Testing
import TestSupport

@testable import HomeAutomation
@testable import Operations
@testable import Web

/// Presses of the buttons in Home Assistant, without a broker.
@Suite struct HomePressTests {
  private static func due(_ harness: ServerHarness) async throws -> (HomeAssistantHouse, JSONValue)
  {
    var home = try await HomeAssistantHouse(harness, plans: ["Testolol", "Zinc"])
    try await home.turnOn()
    harness.clock.advance(minutes: 61)
    let sent = try await home.rounds()
    return (home, try HomeAssistantHouse.state(sent))
  }

  @Test func `a press answers the due doses once, although it comes twice`() async throws {
    try await ServerHarness.run { harness in
      let (made, state) = try await Self.due(harness)
      var home = made
      #expect(try await home.press("taken", state) == .answered)
      #expect(try await home.house.states() == ["taken", "taken"])
      #expect(try await home.press("taken", state) == .stale)
      let sent = try await home.follow()
      let after = try HomeAssistantHouse.state(sent)
      #expect(after["taken"]?.number?.integer == 2 && after["dose_key"]?.string == "")
      #expect(try await home.press("taken", state) == .stale)
      #expect(try await home.press("taken", after) == .refused)
      #expect(try await home.house.count("SELECT COUNT(*) FROM answers") == 2)
      // The history says where the answer came from.
      let page = try await home.house.open(0).text
      #expect(page.contains("Ann through Home Assistant"), "\(page)")
    }
  }

  @Test func `an old press never answers other doses`() async throws {
    try await ServerHarness.run { harness in
      let (made, state) = try await Self.due(harness)
      var home = made
      // Taken back: the doses are the same, but their versions are not.
      #expect(try await home.press("skip", state) == .answered)
      #expect(try await home.house.states() == ["skipped", "skipped"])
      for index in 0..<2 { _ = try await home.house.answer(index, ["action": "undo"]) }
      _ = try await home.follow()
      #expect(try await home.press("taken", state) == .stale)
      #expect(try await home.house.states() == ["due", "due"])
      // Answered elsewhere, before the new state was published.
      let open = try await home.stateAgain()
      _ = try await home.house.answer(0, ["action": "taken"])
      #expect(try await home.press("taken", open) == .stale)
      #expect(try await home.house.states() == ["taken", "due"])
    }
  }

  @Test func `later puts off, and the fourth time asks in the app`() async throws {
    try await ServerHarness.run { harness in
      var (home, state) = try await Self.due(harness)
      for _ in 0..<3 {
        #expect(try await home.press("snooze", state) == .answered)
        #expect(try await home.house.states() == ["later", "later"])
        harness.clock.advance(minutes: 11)
        let sent = try await home.rounds()
        state = try HomeAssistantHouse.state(sent)
      }
      #expect(try await home.press("snooze", state) == .question)
      #expect(
        home.events.take().map { String(decoding: $0.payload, as: UTF8.self) }
          == [#"{"event_type":"question"}"#])
      #expect(try await home.house.states() == ["due", "due"])
    }
  }

  @Test func `retained, foreign and invalid messages change nothing`() async throws {
    try await ServerHarness.run { harness in
      let (home, state) = try await Self.due(harness)
      #expect(try await home.press("taken", state, isRetained: true) == .refused)
      #expect(try await home.press("explode", state) == .refused)
      let id = try #require(try await home.id())
      let good: JSONValue = ["press": "taken", "dose_key": state["dose_key"] ?? ""]
      let messages = [
        ("regimen/\(id)x/command", good.bytes), ("regimen/\(id)/state", good.bytes),
        ("other/\(id)/command", good.bytes), ("regimen/\(id)/command", [0xFF, 0x00]),
        ("regimen/\(id)/command", []), ("regimen/\(id)/command", Array("PRESS".utf8)),
        ("regimen/\(id)/command", [UInt8](repeating: 0x7B, count: 4_096)),
      ]
      for (topic, payload) in messages {
        let outcome = await home.presses.outcome(
          of: MQTTMessage(topic: topic, payload: payload, isRetained: false))
        #expect(outcome == .refused, "\(topic)")
      }
      let other = await home.presses.outcome(
        of: MQTTMessage(
          topic: "regimen/\(id)/command", text: #"{"press":"taken","dose_key":"guess"}"#,
          isRetained: false))
      #expect(other == .stale)
      #expect(try await home.house.states() == ["due", "due"])
    }
  }

  @Test func `a press that the broker kept during a restart is answered`() async throws {
    try await ServerHarness.run { harness in
      let (home, state) = try await Self.due(harness)
      let message = try await home.message("taken", state)
      // After the start, people are known before their state is published.
      let directory = HomeDirectory()
      let presses = HomePresses(
        environment: harness.environment, broker: home.broker, directory: directory,
        announce: { _, _ in })
      #expect(await presses.outcome(of: message) == .refused)
      let (patient, now) = (home.house.account.patient, harness.clock.now)
      let links = try await harness.environment.database.read { reader in
        try HomeLinkStore.all(of: patient, at: now, in: reader)
      }
      directory.add(try #require(links.first), as: try #require(try await home.id()))
      #expect(await presses.outcome(of: message) == .answered)
      #expect(await presses.outcome(of: message) == .stale)
      #expect(try await home.house.states() == ["taken", "taken"])
    }
  }

  @Test func `a press ends with the grant of its account`() async throws {
    try await ServerHarness.run { harness in
      let (home, state) = try await Self.due(harness)
      let message = try await home.message("taken", state)
      let (account, now) = (home.house.account.id, harness.clock.now)
      try await harness.environment.database.write { writer in
        try writer.execute(
          "UPDATE grants SET ends = $1 WHERE account = $2", [SQLValue(now), .text(account)])
      }
      #expect(await home.presses.outcome(of: message) == .stale)
      #expect(try await home.house.count("SELECT COUNT(*) FROM answers") == 0)
    }
  }
}

extension HomeAssistantHouse {
  /// Publishes everything again and returns the state.
  mutating func stateAgain() async throws -> JSONValue {
    publisher.publishAgain()
    return try Self.state(try await rounds(changed: []))
  }
}
