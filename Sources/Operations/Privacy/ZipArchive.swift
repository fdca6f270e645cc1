// SPDX-License-Identifier: Apache-2.0

/// Makes a zip file as a stream: each call returns the bytes that go out next, and nothing but the
/// list of files is remembered.
///
/// Files are told as deflated in blocks that are not compressed, with their sizes behind them: what
/// programs that read from the front understand too. A file has less than 4 GiB, and the whole too.
struct ZipArchive: Sendable {
  enum Failure: Error, Equatable {
    /// The zip format without its 64-bit extension ends here.
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
  /// 1 January 1980: the oldest date there is, the same in every archive.
  private static let date: UInt16 = 0x21
  private var entries: [Entry] = []
  private var open: Entry?
  private var offset: UInt64 = 0

  /// Begins a file; the name is safe on every system whatever was given.
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

  /// Adds to the file that is open.
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

  /// Ends the file that is open.
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

  /// The list of files, which ends the archive.
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

  /// A name that leads nowhere else and that every system can keep: letters, digits, dots, hyphens
  /// and underscores, with single slashes between folders.
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

  /// The head of a block of deflate that is not compressed.
  private static func header(_ count: Int, isLast: Bool) -> [UInt8] {
    let length = UInt16(truncatingIfNeeded: count)
    return [
      isLast ? 1 : 0, UInt8(truncatingIfNeeded: length), UInt8(truncatingIfNeeded: length >> 8),
      UInt8(truncatingIfNeeded: ~length), UInt8(truncatingIfNeeded: ~length >> 8),
    ]
  }

  /// Numbers with their lowest byte first.
  private struct Bytes {
    var content: [UInt8] = []

    mutating func add(_ number: some FixedWidthInteger) {
      var rest = number
      for _ in 0..<(number.bitWidth / 8) {
        content.append(UInt8(truncatingIfNeeded: rest))
        rest >>= 8
      }
    }

    /// Version, flags (sizes behind the file, names in UTF-8), method, time and date.
    mutating func addFormat() {
      add(UInt16(20))
      add(UInt16(0x0808))
      add(UInt16(8))
      add(UInt16(0))
      add(ZipArchive.date)
    }
  }
}

/// The checksum of zip and gzip (ISO 3309).
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
