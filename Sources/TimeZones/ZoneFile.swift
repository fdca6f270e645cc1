// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// The content of a TZif file (RFC 8536, versions 1 to 4) that is needed for offsets.
struct ZoneFile: Equatable {
  var transitions: [ZoneTransition]
  /// The seconds east of UTC before the first transition, from local time type 0.
  var initialOffsetSeconds: Int
  /// The footer; nil for version 1, or if it is empty.
  var rule: ZoneRule?

  /// Reads a file; nil if its format is invalid or it counts leap seconds, which `Instant` does not.
  init?(_ bytes: [UInt8]) {
    var reader = ByteReader(bytes[...])
    guard let first = Header(&reader) else { return nil }
    guard first.version > 1 else {
      guard let block = Block(&reader, header: first, timeSize: 4) else { return nil }
      self.init(block, rule: nil)
      return
    }
    // From version 2 on the first block is only for old readers.
    guard reader.take(first.blockSize(timeSize: 4)) != nil, let second = Header(&reader),
      let block = Block(&reader, header: second, timeSize: 8), reader.byte() == UInt8(ascii: "\n"),
      let end = reader.remaining.firstIndex(of: UInt8(ascii: "\n"))
    else { return nil }
    let footer = reader.remaining[..<end]
    if footer.isEmpty {
      self.init(block, rule: nil)
    } else {
      guard let rule = PosixRuleReader.rule(footer) else { return nil }
      self.init(block, rule: rule)
    }
  }

  private init(_ block: Block, rule: ZoneRule?) {
    transitions = block.transitions
    initialOffsetSeconds = block.initialOffsetSeconds
    self.rule = rule
  }

  private struct Header {
    var version: UInt8
    var utcIndicators: Int
    var standardIndicators: Int
    var leapSeconds: Int
    var transitions: Int
    var types: Int
    var designationBytes: Int

    init?(_ reader: inout ByteReader) {
      guard let magic = reader.take(4), magic.elementsEqual("TZif".utf8),
        let version = reader.byte(), version == 0 || (0x32...0x34).contains(version),
        reader.take(15) != nil
      else { return nil }
      var counts: [Int] = []
      for _ in 0..<6 {
        // Real files are far below; the limit keeps the products small.
        guard let count = reader.int32(), (0...100_000).contains(count) else { return nil }
        counts.append(Int(count))
      }
      guard counts[4] >= 1, counts[4] <= 256, counts[2] == 0 else { return nil }
      self.version = version == 0 ? 1 : version - 0x30
      (utcIndicators, standardIndicators, leapSeconds) = (counts[0], counts[1], counts[2])
      (transitions, types, designationBytes) = (counts[3], counts[4], counts[5])
    }

    func blockSize(timeSize: Int) -> Int {
      transitions * (timeSize + 1) + types * 6 + designationBytes
        + leapSeconds * (timeSize + 4) + standardIndicators + utcIndicators
    }
  }

  private struct Block {
    var transitions: [ZoneTransition] = []
    var initialOffsetSeconds = 0

    init?(_ reader: inout ByteReader, header: Header, timeSize: Int) {
      var times: [Int64] = []
      times.reserveCapacity(header.transitions)
      for _ in 0..<header.transitions {
        guard let time = timeSize == 8 ? reader.int64() : reader.int32().map(Int64.init) else {
          return nil
        }
        if let last = times.last, last >= time { return nil }
        times.append(time)
      }
      guard let types = reader.take(header.transitions).map(Array.init) else { return nil }
      var offsets: [Int] = []
      for _ in 0..<header.types {
        guard let offset = reader.int32(), reader.take(2) != nil else { return nil }
        guard (-89_999...93_599).contains(offset) else { return nil }
        offsets.append(Int(offset))
      }
      let rest =
        header.designationBytes + header.leapSeconds * (timeSize + 4)
        + header.standardIndicators + header.utcIndicators
      guard reader.take(rest) != nil else { return nil }
      for (time, type) in zip(times, types) {
        guard Int(type) < offsets.count else { return nil }
        transitions.append(ZoneTransition(utcSeconds: time, offsetSeconds: offsets[Int(type)]))
      }
      initialOffsetSeconds = offsets.first ?? 0
    }
  }
}
