// SPDX-License-Identifier: Apache-2.0

/// Whole numbers stored one after another with seven bits per byte, the form of a day's samples.
package struct PackedNumbers: Sendable {
  /// The stored form.
  package private(set) var bytes: [UInt8]
  private var place = 0

  /// Creates a reader of stored bytes, or an empty list to append to.
  package init(_ bytes: [UInt8] = []) { self.bytes = bytes }

  /// True if all numbers have been read.
  package var isAtEnd: Bool { place >= bytes.count }

  /// Appends a number; a negative one is stored as zero.
  package mutating func append(_ number: Int64) {
    append(bits: UInt64(max(0, number)))
  }

  /// Appends a number of either sign.
  mutating func append(signed number: Int64) {
    append(bits: UInt64(bitPattern: (number << 1) ^ (number >> 63)))
  }

  private mutating func append(bits: UInt64) {
    var rest = bits
    while rest >= 0x80 {
      bytes.append(UInt8(rest & 0x7F) | 0x80)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  /// Reads the next number; nil if none is left or it is cut off.
  package mutating func next() -> Int64? {
    nextBits().flatMap { Int64(exactly: $0) }
  }

  /// Reads the next number of either sign; nil if none is left or it is cut off.
  mutating func nextSigned() -> Int64? {
    nextBits().map { Int64(bitPattern: ($0 >> 1) ^ (0 &- ($0 & 1))) }
  }

  private mutating func nextBits() -> UInt64? {
    var value: UInt64 = 0
    var shift: UInt64 = 0
    while place < bytes.count, shift < 64 {
      let byte = bytes[place]
      place += 1
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80 { return value }
      shift += 7
    }
    return nil
  }
}
