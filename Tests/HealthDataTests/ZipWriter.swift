// SPDX-License-Identifier: Apache-2.0

import CZlib
import Foundation
import HealthData

/// Archives in all the forms that programs produce, including invalid ones.
struct ZipWriter {
  var isDeflated = true
  var isWide = false
  /// True if sizes and checksum follow each file, with zeros before it.
  var hasDescriptors = false
  var isEncrypted = false
  private(set) var bytes: [UInt8] = []
  private var directory: [UInt8] = []
  private var count = 0

  init(isDeflated: Bool = true, isWide: Bool = false, hasDescriptors: Bool = false) {
    self.isDeflated = isDeflated
    self.isWide = isWide
    self.hasDescriptors = hasDescriptors
  }

  mutating func add(_ name: String, _ content: [UInt8]) {
    let packed = isDeflated ? Self.deflated(content) : content
    let checksum = crc32(0, content, UInt32(content.count))
    let offset = bytes.count
    let flags = (hasDescriptors ? 8 : 0) | (isEncrypted ? 1 : 0)
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    let known = hasDescriptors ? [0, 0, 0] : [Int(checksum), packed.count, content.count]
    bytes += number(0x0403_4B50, 4) + number(20, 2) + number(flags, 2)
    bytes += number(isDeflated ? 8 : 0, 2) + number(0, 4) + known.flatMap { number($0, 4) }
    bytes += number(name.utf8.count, 2) + number(0, 2) + Array(name.utf8) + packed
    if hasDescriptors {
      bytes += number(0x0807_4B50, 4) + number(Int(checksum), 4)
      bytes += number(packed.count, 4) + number(content.count, 4)
    }
    let full = 0xFFFF_FFFF
    let extra =
      isWide
      ? number(1, 2) + number(24, 2)
        + [content.count, packed.count, offset].flatMap { number($0, 8) }
      : []
    directory += number(0x0201_4B50, 4) + number(20, 2) + number(20, 2) + number(flags, 2)
    directory += number(isDeflated ? 8 : 0, 2) + number(0, 4) + number(Int(checksum), 4)
    directory += number(isWide ? full : packed.count, 4) + number(isWide ? full : content.count, 4)
    directory += number(name.utf8.count, 2) + number(extra.count, 2) + number(0, 2 + 2 + 2 + 4)
    directory += number(isWide ? full : offset, 4) + Array(name.utf8) + extra
    count += 1
  }

  /// Returns the archive with its directory.
  func finished() -> [UInt8] {
    func number(_ value: Int, _ width: Int) -> [UInt8] {
      (0..<width).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
    var all = bytes + directory
    if isWide {
      let record = all.count
      all += number(0x0606_4B50, 4) + number(44, 8) + number(45, 2) + number(45, 2)
      all += number(0, 8) + number(count, 8) + number(count, 8)
      all += number(directory.count, 8) + number(bytes.count, 8)
      all += number(0x0706_4B50, 4) + number(0, 4) + number(record, 8) + number(1, 4)
    }
    all += number(0x0605_4B50, 4) + number(0, 4) + number(isWide ? 0xFFFF : count, 2)
    all += number(isWide ? 0xFFFF : count, 2)
    all += number(isWide ? 0xFFFF_FFFF : directory.count, 4)
    return all + number(isWide ? 0xFFFF_FFFF : bytes.count, 4) + number(0, 2)
  }

  private static func deflated(_ content: [UInt8]) -> [UInt8] {
    var stream = z_stream()
    guard
      deflateInit2_(
        &stream, 9, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
        Int32(MemoryLayout<z_stream>.size)) == Z_OK
    else { return [] }
    defer { deflateEnd(&stream) }
    var input = content
    var output = [UInt8](repeating: 0, count: content.count + 1_000)
    let produced = input.withUnsafeMutableBufferPointer { from in
      output.withUnsafeMutableBufferPointer { into in
        stream.next_in = from.baseAddress
        stream.avail_in = UInt32(from.count)
        stream.next_out = into.baseAddress
        stream.avail_out = UInt32(into.count)
        _ = deflate(&stream, Z_FINISH)
        return into.count - Int(stream.avail_out)
      }
    }
    return Array(output[..<produced])
  }
}
