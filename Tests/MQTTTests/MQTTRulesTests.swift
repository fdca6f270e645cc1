// SPDX-License-Identifier: Apache-2.0

import Testing

@testable import MQTT

/// The rules of addresses, topics, pauses and troubles, without a broker.
@Suite struct MQTTRulesTests {
  @Test(arguments: [
    ("mqtt://broker", "broker", 1883, false),
    ("mqtts://broker.example.org", "broker.example.org", 8883, true),
    ("mqtt://10.0.0.2:1884", "10.0.0.2", 1884, false),
    ("mqtts://[fd00::2]:8884", "fd00::2", 8884, true),
  ])
  func `addresses name host, port and TLS`(
    text: String, host: String, port: Int, isSecure: Bool
  ) {
    let address = MQTTAddress(text)
    #expect(address?.host == host && address?.port == port && address?.isSecure == isSecure)
  }

  @Test(arguments: [
    "", "broker", "http://broker", "mqtt://", "mqtt://:1883", "mqtt://broker:", "mqtt://broker:0",
    "mqtt://broker:65536", "mqtt://broker:1883/topic", "mqtt://user:password@broker", "mqtt://a b",
    "mqtt://[fd00::2", "mqtt://[fd00::2]1883", "mqtt://[broker]", "mqtt://broker:+1",
  ])
  func `other addresses are refused`(text: String) {
    #expect(MQTTAddress(text) == nil)
  }

  @Test(arguments: [
    ("regimen/a/command", "regimen/+/command", true),
    ("regimen/a/b/command", "regimen/+/command", false),
    ("regimen/command", "regimen/+/command", false),
    ("regimen/a/commands", "regimen/+/command", false),
    ("regimen/a/b", "regimen/#", true), ("regimen", "regimen/#", true), ("$SYS/uptime", "#", false),
    ("$SYS/uptime", "$SYS/uptime", true), ("a//b", "a/+/b", true), ("a", "a/b", false),
  ])
  func `filters match topics`(topic: String, filter: String, matches: Bool) {
    #expect(MQTTTopic.matches(topic, filter: filter) == matches)
  }

  @Test func `a prefix has plain levels`() {
    #expect(MQTTTopic.isPrefix("regimen") && MQTTTopic.isPrefix("home/regimen_2"))
    for text in ["", "/regimen", "regimen/", "a//b", "a/+", "#", "ä", "a b"] {
      #expect(!MQTTTopic.isPrefix(text), "\(text)")
    }
  }

  @Test func `pauses double up to a minute, and are shortened at random`() {
    for failures in 0..<40 {
      let full = MQTTBackoff.pause(afterFailures: failures, random: UInt64.max)
      for random: UInt64 in [0, 1, 12_345, .max] {
        let pause = MQTTBackoff.pause(afterFailures: failures, random: random)
        #expect((250...60_000).contains(pause), "\(failures) \(pause)")
      }
      #expect(full <= 60_000)
    }
    #expect(MQTTBackoff.pause(afterFailures: 1, random: 0) == 250)
    #expect(MQTTBackoff.pause(afterFailures: 2, random: 0) == 500)
    #expect(MQTTBackoff.pause(afterFailures: 30, random: 0) == 30_000)
    let pauses = Set((0..<200).map { MQTTBackoff.pause(afterFailures: 9, random: $0 &* 7_919) })
    #expect(pauses.count > 100)
  }

  @Test func `the broker's answers and the library's results have a meaning`() {
    #expect(MQTTTrouble.answer(0) == nil)
    #expect(MQTTTrouble.answer(1) == .refused && MQTTTrouble.answer(2) == .refused)
    #expect(MQTTTrouble.answer(3) == .unavailable)
    #expect(MQTTTrouble.answer(4) == .credentials && MQTTTrouble.answer(5) == .credentials)
    func result(_ code: Int32, secure: Bool = false, connected: Bool = false) -> MQTTTrouble {
      .result(code, isSecure: secure, wasConnected: connected)
    }
    #expect(result(MQTTResult.tls) == .insecure && result(MQTTResult.handshake) == .insecure)
    #expect(result(MQTTResult.lost) == .unreachable)
    #expect(result(MQTTResult.lost, secure: true) == .insecure)
    #expect(result(MQTTResult.lost, secure: true, connected: true) == .lost)
    #expect(result(14) == .unreachable && result(14, connected: true) == .lost)
  }
}
