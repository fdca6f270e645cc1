// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import HTTPTypes
import HummingbirdTesting
import Identifiers
import MQTT
import Storage
import Synchronization
import Testing
import TestSupport

@testable import HomeAutomation
@testable import Operations
@testable import Web

/// What a broker was sent; it refuses everything while it is told to.
final class SentMessages: Sendable {
  private struct State {
    var messages: [MQTTMessage] = []
    var refusal: MQTTError?
    var room = Int.max
  }

  private let state = Mutex(State())

  /// The messages since the last call.
  func take() -> [MQTTMessage] {
    state.withLock { state in
      let messages = state.messages
      state.messages = []
      return messages
    }
  }

  func refuse(with error: MQTTError?, after room: Int = 0) {
    state.withLock { state in
      state.refusal = error
      state.room = room
    }
  }

  func send(_ message: MQTTMessage) throws(MQTTError) {
    let error = state.withLock { state -> MQTTError? in
      if state.room <= 0, let refusal = state.refusal { return refusal }
      state.room -= 1
      state.messages.append(message)
      return nil
    }
    if let error { throw error }
  }
}

/// Ann's medicines at 08:00 and a publisher without a broker.
struct HomeAssistantHouse {
  let house: DoseHouse
  let broker: HomeBroker
  let sent: SentMessages
  let events: SentMessages
  var publisher: HomePublisher
  let presses: HomePresses

  init(_ harness: ServerHarness, plans: [String]) async throws {
    house = try await DoseHouse(harness, plans: plans)
    let address = try #require(MQTTAddress("mqtt://127.0.0.1"))
    let broker = HomeBroker(
      MQTTSettings(address: address, clientID: "test"), prefix: "regimen",
      discoveryPrefix: "homeassistant")
    let (directory, published, announced) = (HomeDirectory(), SentMessages(), SentMessages())
    self.broker = broker
    sent = published
    events = announced
    publisher = HomePublisher(
      environment: harness.environment, broker: broker, directory: directory,
      send: { (message: MQTTMessage) throws(MQTTError) in try published.send(message) })
    presses = HomePresses(
      environment: harness.environment, broker: broker, directory: directory,
      announce: { event, topics in
        try? announced.send(
          MQTTMessage(topic: topics.event, payload: event.json.bytes, isRetained: false))
      })
  }

  /// Publishes until nothing is left, and returns what was sent.
  mutating func rounds(changed: Set<PatientID>? = nil) async throws -> [MQTTMessage] {
    var changed = changed
    let now = house.harness.clock.now
    while try await publisher.round(changed: changed, isIdle: true, at: now) { changed = [] }
    return sent.take()
  }

  /// Publishes what has changed of Ann.
  mutating func follow() async throws -> [MQTTMessage] {
    try await rounds(changed: [house.account.patient])
  }

  func turnOn(names: Bool = false) async throws {
    try await house.harness.proveAgain()
    let answer = try await house.browser.post(
      "/device/home-assistant", names ? ["names": "yes"] : [:])
    #expect(answer.headers[.location]?.contains("?done=") == true, "\(answer.text)")
  }

  /// The state in the last of some messages.
  static func state(_ messages: [MQTTMessage]) throws -> JSONValue {
    let last = try #require(messages.last { $0.topic.hasSuffix("/state") })
    return try JSONValue(parsing: last.payload)
  }

  /// The message of a button with the key of a state.
  func message(
    _ press: String, _ state: JSONValue, isRetained: Bool = false
  ) async throws -> MQTTMessage {
    let id = try #require(try await id())
    let payload: JSONValue = ["press": .string(press), "dose_key": state["dose_key"] ?? ""]
    return MQTTMessage(
      topic: "regimen/\(id)/command", payload: payload.bytes, isRetained: isRetained)
  }

  /// Presses a button with the key of a state.
  func press(
    _ press: String, _ state: JSONValue, isRetained: Bool = false
  ) async throws -> HomeMetrics.Outcome {
    await presses.outcome(of: try await message(press, state, isRetained: isRetained))
  }

  /// The id of Ann's topics; nil if she is not shown.
  func id() async throws -> String? {
    let (patient, now) = (house.account.patient, house.harness.clock.now)
    let links = try await house.harness.environment.database.read { reader in
      try HomeLinkStore.all(of: patient, at: now, in: reader)
    }
    let cipher = house.harness.environment.accounts.cipher
    return links.first.map { HomeTopics.id(of: $0.place, cipher: cipher) }
  }
}
