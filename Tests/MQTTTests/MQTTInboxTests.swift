// SPDX-License-Identifier: Apache-2.0

import Secrecy
import Synchronization
import Testing

@testable import MQTT

/// The limits and the state of a connection, as the library's callbacks change them.
@Suite struct MQTTInboxTests {
  private static func make(_ change: (inout MQTTSettings) -> Void = { _ in }) throws -> MQTTInbox {
    var settings = MQTTSettings(address: try #require(MQTTAddress("mqtt://x")), clientID: "test")
    change(&settings)
    return MQTTInbox(settings, changed: {})
  }

  private static func receive(_ inbox: MQTTInbox, bytes: Int) {
    [UInt8](repeating: 1, count: bytes).withUnsafeBytes {
      inbox.receive(topic: "a", payload: $0, isRetained: false)
    }
  }

  @Test func `too large and too many messages are dropped and counted`() throws {
    let inbox = try Self.make {
      $0.mostReceived = 2
      $0.largestPayload = 10
    }
    Self.receive(inbox, bytes: 11)
    for _ in 0..<3 { Self.receive(inbox, bytes: 10) }
    #expect(inbox.read(\.dropped) == 2)
    #expect(inbox.take().map(\.payload.count) == [10, 10])
    #expect(inbox.take().isEmpty)
    Self.receive(inbox, bytes: 0)
    #expect(inbox.take().map(\.payload) == [[]])
  }

  @Test func `only a limited number of messages waits`() throws {
    let inbox = try Self.make { $0.mostWaiting = 2 }
    #expect(throws: MQTTError.notConnected) { try inbox.reserve() }
    inbox.answered(0)
    try inbox.reserve()
    try inbox.reserve()
    #expect(throws: MQTTError.full) { try inbox.reserve() }
    inbox.acknowledged()
    try inbox.reserve()
    inbox.release()
    #expect(inbox.read(\.waiting) == 1 && inbox.read(\.published) == 1)
  }

  @Test func `a refusal is remembered until there is a connection`() throws {
    let inbox = try Self.make()
    inbox.begin()
    inbox.answered(5)
    inbox.end(5)
    #expect(inbox.read(\.trouble) == .credentials && !inbox.read(\.isConnected))
    inbox.begin()
    #expect(inbox.read(\.trouble) == .credentials)
    inbox.end(14)
    #expect(inbox.read(\.trouble) == .unreachable)
    inbox.begin()
    inbox.answered(0)
    #expect(inbox.read(\.trouble) == nil && inbox.read(\.connections) == 1)
    inbox.end(7)
    #expect(inbox.read(\.trouble) == .lost && !inbox.read(\.isConnected))
  }

  @Test func `settings are not printed`() throws {
    var settings = MQTTSettings(address: try #require(MQTTAddress("mqtt://x")), clientID: "test")
    settings.password = Concealed("secret word")
    var text = "\(settings)"
    dump(settings, to: &text)
    #expect(!text.contains("secret word"))
  }
}
