// SPDX-License-Identifier: Apache-2.0

/// Creates a zip file as a stream: each call returns the next bytes, and only the list of files is
/// kept in memory.
///
/// Files are stored as uncompressed deflate blocks, followed by their sizes, which streaming
/// readers also understand. A file has less than 4 GiB, and so does the archive.
struct ZipArchive: Sendable {
  enum Failure: Error, Equatable {
    /// The archive exceeds the zip format without its 64-bit extension.
    case tooLarge
    case nothingOpen
  }

  private struct Entry {
    let name: [UInt8]
    let offset: UInt32
    var checksum = CRC32()
    var written: UInt64 = 0
    var size: UInt64 = 0
  }

  private static let longestBlock = 65_535
  /// 1 January 1980, the earliest date of the format, so that all archives have the same.
  private static let date: UInt16 = 0x21
  private var entries: [Entry] = []
  private var open: Entry?
  private var offset: UInt64 = 0

  /// Begins a file; any name is made safe for every system.
  mutating func begin(_ name: String) throws(Failure) -> [UInt8] {
    guard let place = UInt32(exactly: offset) else { throw .tooLarge }
    let entry = Entry(name: Array(Self.safe(name).utf8), offset: place)
    var bytes = Bytes()
    bytes.add(UInt32(0x0403_4B50))
    bytes.addFormat()
    bytes.add(UInt32(0))
    bytes.add(UInt32(0))
    bytes.add(UInt32(0))
    bytes.add(UInt16(entry.name.count))
    bytes.add(UInt16(0))
    bytes.content += entry.name
    open = entry
    offset += UInt64(bytes.content.count)
    return bytes.content
  }

  /// Adds bytes to the current file.
  mutating func add(_ content: some Collection<UInt8>) throws(Failure) -> [UInt8] {
    guard var entry = open else { throw .nothingOpen }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(content.count + content.count / 6_000 + 16)
    var rest = content[...]
    while !rest.isEmpty {
      let block = rest.prefix(Self.longestBlock)
      bytes += Self.header(block.count, isLast: false)
      bytes += block
      rest = rest.dropFirst(block.count)
    }
    entry.checksum.add(content)
    entry.size += UInt64(content.count)
    entry.written += UInt64(bytes.count)
    offset += UInt64(bytes.count)
    guard entry.written < UInt64(UInt32.max) - 64, offset < UInt64(UInt32.max) else {
      throw .tooLarge
    }
    open = entry
    return bytes
  }

  /// Ends the current file.
  mutating func end() throws(Failure) -> [UInt8] {
    guard var entry = open else { throw .nothingOpen }
    let last = Self.header(0, isLast: true)
    entry.written += UInt64(last.count)
    var bytes = Bytes(content: last)
    bytes.add(UInt32(0x0807_4B50))
    bytes.add(entry.checksum.value)
    bytes.add(UInt32(truncatingIfNeeded: entry.written))
    bytes.add(UInt32(truncatingIfNeeded: entry.size))
    offset += UInt64(bytes.content.count)
    entries.append(entry)
    open = nil
    return bytes.content
  }

  /// Returns the list of files, which ends the archive.
  mutating func finish() throws(Failure) -> [UInt8] {
    guard let start = UInt32(exactly: offset), let count = UInt16(exactly: entries.count) else {
      throw .tooLarge
    }
    var bytes = Bytes()
    for entry in entries {
      bytes.add(UInt32(0x0201_4B50))
      bytes.add(UInt16(20))
      bytes.addFormat()
      bytes.add(entry.checksum.value)
      bytes.add(UInt32(truncatingIfNeeded: entry.written))
      bytes.add(UInt32(truncatingIfNeeded: entry.size))
      bytes.add(UInt16(entry.name.count))
      for _ in 0..<4 { bytes.add(UInt16(0)) }
      bytes.add(UInt32(0))
      bytes.add(entry.offset)
      bytes.content += entry.name
    }
    let length = UInt32(bytes.content.count)
    bytes.add(UInt32(0x0605_4B50))
    bytes.add(UInt32(0))
    bytes.add(count)
    bytes.add(count)
    bytes.add(length)
    bytes.add(start)
    bytes.add(UInt16(0))
    return bytes.content
  }

  /// Returns a name that stays inside the archive's folder and is valid on every system: letters,
  /// digits, dots, hyphens and underscores, with single slashes between folders.
  static func safe(_ name: String) -> String {
    let parts = name.split(separator: "/").map { part in
      let kept = part.unicodeScalars.map { scalar in
        let isKept =
          scalar.isASCII
          && (scalar.properties.isAlphabetic || "0123456789-_.".unicodeScalars.contains(scalar))
        return isKept ? Character(scalar) : "_"
      }
      let text = String(kept.prefix(100))
      return text.allSatisfy { $0 == "." } ? "_" : text
    }
    return parts.isEmpty ? "_" : parts.joined(separator: "/")
  }

  /// Returns the header of an uncompressed deflate block.
  private static func header(_ count: Int, isLast: Bool) -> [UInt8] {
    let length = UInt16(truncatingIfNeeded: count)
    return [
      isLast ? 1 : 0, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8),
      UInt8(truncatingIfNeeded: ~length), UInt8(truncatingIfNeeded: ~length >> 8),
    ]
  }

  /// Little-endian numbers.
  private struct Bytes {
    var content: [UInt8] = []

    mutating func add(_ number: some FixedWidthInteger) {
      var rest = number
      for _ in 0..<(number.bitWidth / 8) {
        content.append(UInt8(truncatingIfNeeded: rest))
        rest >>= 8
      }
    }

    /// Adds version, flags (sizes after the file, names in UTF-8), method, time and date.
    mutating func addFormat() {
      add(UInt16(20))
      add(UInt16(0x0808))
      add(UInt16(8))
      add(UInt16(0))
      add(ZipArchive.date)
    }
  }
}

/// The CRC-32 of zip and gzip (ISO 3309).
struct CRC32: Sendable {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in
      value & 1 == 1 ? (value >> 1) ^ 0xEDB8_8320 : value >> 1
    }
  }
  private var state = UInt32.max

  var value: UInt32 { ~state }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    let table = Self.table
    var state = state
    for byte in bytes {
      state = table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8)
    }
    self.state = state
  }
}
