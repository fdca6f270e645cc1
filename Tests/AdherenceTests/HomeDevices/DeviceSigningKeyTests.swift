// SPDX-License-Identifier: Apache-2.0

import Encodings
import Storage
import TestSupport
import Testing

@testable import HomeDevices

/// The signatures of reports and answers at a broker.
@Suite struct DeviceSigningKeyTests {
  private static let topic = "regimen/device/abc/events"
  private static let body = Array(#"{"events":[]}"#.utf8)

  private static func key(_ digest: UInt8 = 1, seed: UInt8 = 7) throws -> DeviceSigningKey {
    DeviceSigningKey(
      digest: [UInt8](repeating: digest, count: 32),
      cipher: FieldCipher(
        keys: try KeyRing.generate { count in [UInt8](repeating: seed, count: count) }))
  }

  @Test func `a signed body is opened with the same key and topic only`() throws {
    let key = try Self.key()
    let payload = key.payload(Self.body, topic: Self.topic)
    let opened = try #require(key.open(payload, topic: Self.topic))
    #expect(opened.body == Self.body)
    #expect(opened.signature == String(decoding: payload.prefix(64), as: UTF8.self))
    #expect(key.open(payload, topic: "regimen/device/abc/answers") == nil)
    #expect(try Self.key(2).open(payload, topic: Self.topic) == nil)
    // A copy of the database on another server signs nothing here.
    #expect(try Self.key(seed: 8).open(payload, topic: Self.topic) == nil)
  }

  @Test func `anything else is no signed body`() throws {
    let key = try Self.key()
    let good = key.payload(Self.body, topic: Self.topic)
    var changed = good
    changed[changed.count - 1] = UInt8(ascii: "]")
    var upperCase = good
    for index in 0..<64 where upperCase[index] >= UInt8(ascii: "a") { upperCase[index] -= 32 }
    let payloads: [[UInt8]] = [
      [], Self.body, Array(good.prefix(64)), Array(good.dropFirst()), changed, upperCase,
      [UInt8](repeating: 0xFF, count: 80), [UInt8](repeating: 0x0A, count: 65),
      good + [0x20],
    ]
    for payload in payloads {
      #expect(key.open(payload, topic: Self.topic) == nil, "\(payload)")
    }
    // An empty body can be signed; it is no report.
    #expect(key.open(key.payload([], topic: Self.topic), topic: Self.topic)?.body == [])
  }

  @Test func `an address is a digest in a topic, and nothing else`() throws {
    let digest = [UInt8](repeating: 9, count: 32)
    let text = Base64URL.encode(digest)
    #expect(DeviceAddress(text: text)?.digest == digest)
    for other in ["", "abc", "\(text)A", String(text.dropLast(4)), "+\(text.dropFirst())", "#"] {
      #expect(DeviceAddress(text: other) == nil, "\(other)")
    }
  }
}
