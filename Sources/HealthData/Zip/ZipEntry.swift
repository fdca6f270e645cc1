// SPDX-License-Identifier: Apache-2.0

/// A file in an archive, as the archive's directory describes it.
package struct ZipEntry: Sendable, Hashable {
  /// The compression method, by its number in the format if it is not supported.
  package enum Method: Sendable, Hashable {
    case stored, deflated
    case other(UInt16)
  }

  /// The path within the archive, with slashes.
  package let name: String
  let method: Method
  let isEncrypted: Bool
  let packedSize: Int64
  /// The uncompressed size in bytes, from the directory.
  package let size: Int64
  let checksum: UInt32
  let headerOffset: Int64

  /// True if the name is that of a file inside the archive's own folder.
  package var isSafe: Bool {
    !name.isEmpty && !name.hasPrefix("/") && !name.contains("\\") && !name.contains("\0")
      && !name.contains(":") && !name.split(separator: "/").contains("..") && !name.hasSuffix("/")
  }
}

/// Little-endian numbers in an archive.
struct LittleEndian {
  private let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the number in some bytes at a position, zero beyond the end.
  func number(at offset: Int, width: Int) -> UInt64 {
    guard offset >= 0, offset + width <= bytes.count else { return 0 }
    return (0..<width).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
  }

  func short(at offset: Int) -> UInt16 { UInt16(truncatingIfNeeded: number(at: offset, width: 2)) }
  func long(at offset: Int) -> UInt32 { UInt32(truncatingIfNeeded: number(at: offset, width: 4)) }

  /// Returns a size or position; nil if no file can be that long.
  func size(at offset: Int) -> Int64? {
    Int64(exactly: number(at: offset, width: 8)).flatMap { $0 < 1 << 50 ? $0 : nil }
  }
}
