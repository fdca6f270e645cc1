// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Testing

@testable import TimeZones

/// Zone files written byte by byte.
enum ZoneFileBytes {
  static func bigEndian(_ value: Int64, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> Int64(8 * (count - 1 - $0))) }
  }

  static func block(
    version: UInt8, timeSize: Int, transitions: [(Int64, UInt8)], offsets: [Int32],
    leapSeconds: Int64 = 0
  ) -> [UInt8] {
    var bytes = Array("TZif".utf8) + [version] + [UInt8](repeating: 0, count: 15)
    for count in [0, 0, leapSeconds, Int64(transitions.count), Int64(offsets.count), 4] {
      bytes += bigEndian(count, 4)
    }
    for (time, _) in transitions { bytes += bigEndian(time, timeSize) }
    for (_, type) in transitions { bytes.append(type) }
    for offset in offsets { bytes += bigEndian(Int64(offset), 4) + [0, 0] }
    bytes += Array("ABC\0".utf8)
    bytes += [UInt8](repeating: 0, count: Int(leapSeconds) * (timeSize + 4))
    return bytes
  }

  static func versionTwo(
    transitions: [(Int64, UInt8)], offsets: [Int32], footer: String
  ) -> [UInt8] {
    block(version: 0x32, timeSize: 4, transitions: [(7, 0)], offsets: [0])
      + block(version: 0x32, timeSize: 8, transitions: transitions, offsets: offsets)
      + Array("\n\(footer)\n".utf8)
  }
}

@Suite struct ZoneFileTests {
  private static let good = ZoneFileBytes.versionTwo(
    transitions: [(-5_000_000_000, 1), (1000, 0)], offsets: [600, 3600], footer: "CET-1")

  @Test func readsTheSecondBlockAndTheFooter() throws {
    let file = try #require(ZoneFile(Self.good))
    #expect(
      file.transitions == [
        ZoneTransition(utcSeconds: -5_000_000_000, offsetSeconds: 3600),
        ZoneTransition(utcSeconds: 1000, offsetSeconds: 600),
      ])
    #expect(file.initialOffsetSeconds == 600)
    #expect(file.rule == ZoneRule(standardOffsetSeconds: 3600))
  }

  @Test func readsVersionOne() throws {
    let bytes = ZoneFileBytes.block(
      version: 0, timeSize: 4, transitions: [(-1000, 1)], offsets: [0, -3600])
    let file = try #require(ZoneFile(bytes))
    #expect(file.transitions == [ZoneTransition(utcSeconds: -1000, offsetSeconds: -3600)])
    #expect(file.rule == nil)
    let zone = Zone(
      identifier: "Test", transitions: file.transitions,
      initialOffsetSeconds: file.initialOffsetSeconds, rule: file.rule)
    #expect(zone.offsetSeconds(at: Instant(milliseconds: -2_000_000)) == 0)
    #expect(zone.offsetSeconds(at: .latest) == -3600)
  }

  @Test func anEmptyFooterMeansNoRule() throws {
    let bytes = ZoneFileBytes.versionTwo(transitions: [(5, 0)], offsets: [60], footer: "")
    #expect(try #require(ZoneFile(bytes)).rule == nil)
  }

  @Test func refusesAnyShortenedFile() {
    for length in 0..<Self.good.count {
      #expect(ZoneFile(Array(Self.good.prefix(length))) == nil)
    }
  }

  @Test(arguments: [
    ZoneFileBytes.versionTwo(transitions: [(5, 0), (5, 0)], offsets: [0], footer: ""),
    ZoneFileBytes.versionTwo(transitions: [(5, 1)], offsets: [0], footer: ""),
    ZoneFileBytes.versionTwo(transitions: [], offsets: [], footer: ""),
    ZoneFileBytes.versionTwo(transitions: [], offsets: [.max], footer: ""),
    ZoneFileBytes.versionTwo(transitions: [], offsets: [0], footer: "nonsense"),
    ZoneFileBytes.block(version: 0x31, timeSize: 4, transitions: [], offsets: [0]),
    ZoneFileBytes.block(version: 0, timeSize: 4, transitions: [], offsets: [0], leapSeconds: 2),
    Array("TZif".utf8), Array(repeating: 0xFF, count: 200), [],
  ])
  func refusesMalformedFiles(bytes: [UInt8]) {
    #expect(ZoneFile(bytes) == nil)
  }

  @Test func anyChangedByteIsReadOrRefused() {
    // A damaged file must cause no trap and no endless loop.
    for index in Self.good.indices {
      for value in [UInt8(0), 1, 0x7F, 0x80, 0xFF] {
        var bytes = Self.good
        bytes[index] = value
        guard let file = ZoneFile(bytes) else { continue }
        let zone = Zone(
          identifier: "Test", transitions: file.transitions,
          initialOffsetSeconds: file.initialOffsetSeconds, rule: file.rule)
        let offset = zone.offsetSeconds(at: Instant(milliseconds: 0))
        #expect(abs(offset) <= 93_600)
        #expect(zone.startOfDay(.earliest) < zone.startOfDay(.latest))
      }
    }
  }
}
