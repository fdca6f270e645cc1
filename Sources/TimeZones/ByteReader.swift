// SPDX-License-Identifier: Apache-2.0

/// Reads big-endian numbers from bytes, never past their end.
struct ByteReader {
  private(set) var remaining: ArraySlice<UInt8>

  init(_ bytes: ArraySlice<UInt8>) { remaining = bytes }

  /// Returns the next bytes and moves past them; nil if there are fewer.
  mutating func take(_ count: Int) -> ArraySlice<UInt8>? {
    guard count >= 0, count <= remaining.count else { return nil }
    let taken = remaining.prefix(count)
    remaining = remaining.dropFirst(count)
    return taken
  }

  mutating func byte() -> UInt8? { take(1)?.first }

  mutating func int32() -> Int32? {
    take(4).map { Int32(truncatingIfNeeded: Self.bigEndian($0)) }
  }

  mutating func int64() -> Int64? {
    take(8).map { Int64(bitPattern: Self.bigEndian($0)) }
  }

  private static func bigEndian(_ bytes: ArraySlice<UInt8>) -> UInt64 {
    bytes.reduce(0) { $0 << 8 | UInt64($1) }
  }
}
