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
@testable import Operations
@testable import Web

/// The messages for Home Assistant, without a broker.
@Suite struct HomePublisherTests {
  @Test func `a person who is turned on is described, shown and followed`() async throws {
    try await ServerHarness.run { harness in
      var home = try await HomeAssistantHouse(harness, plans: ["Testolol", "Zinc"])
      let nothing = try await home.rounds()
      #expect(nothing.isEmpty)
      try await home.turnOn()
      let first = try await home.follow()
      let id = try #require(try await home.id())
      #expect(
        first.map(\.topic)
          == ["homeassistant/device/regimen-\(id)/config", "regimen/\(id)/state"])
      #expect(first.allSatisfy { $0.isRetained })
      let early = try HomeAssistantHouse.state(first)
      #expect(early["due"]?.string == "OFF" && early["dose_key"]?.string == "")
      #expect(early["next"]?.string == "2026-03-01T08:00:00+00:00")
      #expect(early["planned"]?.number?.integer == 4)
      // Nothing has changed, so nothing is sent.
      let same = try await home.follow()
      #expect(same.isEmpty)
      harness.clock.advance(minutes: 60)
      let due = try await home.rounds(changed: [])
      #expect(try HomeAssistantHouse.state(due)["due"]?.string == "ON")
      #expect(due.last?.topic == "regimen/\(id)/event" && due.last?.isRetained == false)
      #expect(due.last.map { String(decoding: $0.payload, as: UTF8.self) }?.contains("due") == true)
      _ = try await home.house.answer(0, ["action": "taken"])
      let taken = try await home.follow()
      #expect(try HomeAssistantHouse.state(taken)["taken"]?.number?.integer == 1)
      #expect(try HomeAssistantHouse.state(taken)["due_count"]?.number?.integer == 1)
      let all = (first + due + taken).map { String(decoding: $0.payload, as: UTF8.self) }.joined()
      #expect(!all.contains("Testolol") && !all.contains("Zinc"))
    }
  }

  @Test func `medicines are named if chosen, and hidden again`() async throws {
    try await ServerHarness.run { harness in
      var home = try await HomeAssistantHouse(harness, plans: ["Testolol"])
      try await home.turnOn(names: true)
      harness.clock.advance(minutes: 61)
      let named = try await home.rounds()
      #expect(try HomeAssistantHouse.state(named)["medicines"]?[0]?.string == "Testolol")
      let id = try await home.id()
      try await home.turnOn()
      let hidden = try await home.follow()
      #expect(try HomeAssistantHouse.state(hidden)["medicines"] == nil)
      // The topics stay.
      #expect(try await home.id() == id)
    }
  }

  @Test func `turning off removes what the broker retains, and only then the place`() async throws {
    try await ServerHarness.run { harness in
      var home = try await HomeAssistantHouse(harness, plans: ["Testolol"])
      try await home.turnOn()
      let shown = try await home.rounds()
      let off = try await home.house.browser.post("/device/home-assistant", ["change": "off"])
      #expect(off.status == .seeOther)
      let now = harness.clock.now
      let patient = home.house.account.patient
      // The broker is full, so the removal waits.
      home.sent.refuse(with: .full)
      _ = try await home.publisher.round(changed: [patient], isIdle: false, at: now)
      #expect(home.sent.take().isEmpty)
      #expect(try await home.house.count("SELECT COUNT(*) FROM home_places") == 1)
      home.sent.refuse(with: nil)
      _ = try await home.publisher.round(changed: nil, isIdle: false, at: now)
      let removed = home.sent.take()
      #expect(Set(removed.map(\.topic)) == Set(shown.map(\.topic)))
      #expect(removed.allSatisfy { $0.payload.isEmpty && $0.isRetained })
      #expect(try await home.house.count("SELECT COUNT(*) FROM home_places") == 1)
      _ = try await home.publisher.round(changed: [], isIdle: true, at: now)
      #expect(try await home.house.count("SELECT COUNT(*) FROM home_places") == 0)
    }
  }

  @Test func `an erased person and an ended account are removed`() async throws {
    try await ServerHarness.run { harness in
      var home = try await HomeAssistantHouse(harness, plans: ["Testolol"])
      try await home.turnOn()
      let shown = try await home.rounds()
      #expect(shown.count == 2)
      let patient = home.house.account.patient
      try await harness.environment.database.write { writer in
        try writer.execute("DELETE FROM people WHERE patient = $1", [.text(patient)])
      }
      let removed = try await home.rounds(changed: nil)
      #expect(Set(removed.map(\.topic)) == Set(shown.map(\.topic)))
      #expect(removed.allSatisfy { $0.payload.isEmpty })
      #expect(try await home.house.count("SELECT COUNT(*) FROM home_links") == 0)
    }
  }

  @Test func `a new connection and Home Assistant's start publish everything again`() async throws {
    try await ServerHarness.run { harness in
      var home = try await HomeAssistantHouse(harness, plans: ["Testolol"])
      try await home.turnOn()
      let first = try await home.rounds()
      home.publisher.publishAgain()
      let repeated = try await home.rounds(changed: [])
      #expect(repeated == first)
      try home.publisher.reconnect()
      let again = try await home.rounds()
      #expect(again.first?.topic == "regimen/status")
      #expect(again.first?.payload == Array("online".utf8) && again.first?.isRetained == true)
      #expect(Array(again.dropFirst()) == first)
    }
  }

  @Test func `what does not fit follows later`() async throws {
    try await ServerHarness.run { harness in
      var home = try await HomeAssistantHouse(harness, plans: ["Testolol"])
      try await home.turnOn()
      home.sent.refuse(with: .full, after: 1)
      let now = harness.clock.now
      let hasMore = try await home.publisher.round(changed: nil, isIdle: false, at: now)
      #expect(hasMore)
      #expect(home.sent.take().map(\.topic).allSatisfy { $0.hasSuffix("/config") })
      home.sent.refuse(with: nil)
      let rest = try await home.rounds(changed: [])
      #expect(rest.map(\.topic).allSatisfy { $0.hasSuffix("/state") } && rest.count == 1)
    }
  }

  @Test func `only one node holds the connection`() async throws {
    try await ServerHarness.run { harness in
      let (database, clock) = (harness.environment.database, harness.clock)
      func take(_ node: String) async throws -> Bool {
        let now = clock.now
        return try await database.write { try HomeLease.take(by: node, at: now, in: $0) }
      }
      #expect(try await take("a"))
      #expect(try await take("b") == false)
      clock.advance(milliseconds: HomeLease.milliseconds - 1)
      #expect(try await take("a"))
      clock.advance(milliseconds: HomeLease.milliseconds - 1)
      #expect(try await take("b") == false)
      clock.advance(milliseconds: 1)
      #expect(try await take("b"))
      #expect(try await take("a") == false)
      try await database.write { try HomeLease.giveBack(by: "a", in: $0) }
      #expect(try await take("a") == false)
      try await database.write { try HomeLease.giveBack(by: "b", in: $0) }
      #expect(try await take("a"))
    }
  }
}
