// SPDX-License-Identifier: Apache-2.0

/// The directory at the end of an archive, including ZIP64.
///
/// Sizes and positions come only from here: the header before each file may leave them to a descriptor after
/// it.
package struct ZipDirectory: Sendable {
  /// The maximum number of entries: more than the routes and cardiograms of many years.
  static let maximumEntries = 200_000
  private static let maximumBytes: Int64 = 64 << 20

  /// The files of the archive, in the order of the directory.
  package let entries: [ZipEntry]
  /// The number of entries whose names lead outside the archive; they are left out of ``entries``.
  package let unsafeNames: Int

  /// Reads the directory at the end of a file.
  ///
  /// - Throws: ``HealthFileError/empty``, ``HealthFileError/brokenArchive`` or
  ///   ``HealthFileError/archiveTooLarge``.
  package init(_ file: HealthFile) throws(HealthFileError) {
    guard file.count > 0 else { throw .empty }
    let place = try Self.find(file)
    guard place.entries <= Self.maximumEntries, place.count <= Self.maximumBytes else {
      throw .archiveTooLarge
    }
    guard let bytes = try file.bytes(at: place.offset, count: Int(place.count)) else {
      throw .brokenArchive
    }
    (entries, unsafeNames) = try Self.read(LittleEndian(bytes), bytes)
  }

  private struct Place {
    var offset: Int64
    var count: Int64
    var entries: Int64
  }

  /// Finds the end record backwards from the end, because a comment of any length may follow it.
  private static func find(_ file: HealthFile) throws(HealthFileError) -> Place {
    let tail = Int(min(file.count, 65_557 + 20))
    let start = file.count - Int64(tail)
    guard tail >= 22, let bytes = try file.bytes(at: start, count: tail) else {
      throw .brokenArchive
    }
    let numbers = LittleEndian(bytes)
    var at = tail - 22
    while at >= 0 {
      if numbers.long(at: at) == 0x0605_4B50,
        at + 22 + Int(numbers.short(at: at + 20)) <= tail
      {
        break
      }
      at -= 1
    }
    guard at >= 0 else { throw .brokenArchive }
    if at >= 20, numbers.long(at: at - 20) == 0x0706_4B50 {
      guard let offset = numbers.size(at: at - 20 + 8),
        let record = try file.bytes(at: offset, count: 56)
      else { throw .brokenArchive }
      let wide = LittleEndian(record)
      guard wide.long(at: 0) == 0x0606_4B50, let entries = wide.size(at: 32),
        let count = wide.size(at: 40), let directory = wide.size(at: 48)
      else { throw .brokenArchive }
      return Place(offset: directory, count: count, entries: entries)
    }
    return Place(
      offset: Int64(numbers.long(at: at + 16)), count: Int64(numbers.long(at: at + 12)),
      entries: Int64(numbers.short(at: at + 10)))
  }

  private static func read(_ numbers: LittleEndian, _ bytes: [UInt8]) throws(HealthFileError) -> (
    [ZipEntry], Int
  ) {
    var entries: [ZipEntry] = []
    var unsafeNames = 0
    var at = 0
    while at + 46 <= bytes.count, numbers.long(at: at) == 0x0201_4B50 {
      guard entries.count + unsafeNames < maximumEntries else { throw .archiveTooLarge }
      let name = Int(numbers.short(at: at + 28))
      let extra = Int(numbers.short(at: at + 30))
      let next = at + 46 + name + extra + Int(numbers.short(at: at + 32))
      guard next <= bytes.count else { throw .brokenArchive }
      let entry = try entry(
        numbers, at: at, name: String(decoding: bytes[(at + 46)..<(at + 46 + name)], as: UTF8.self),
        extra: (at + 46 + name)..<(at + 46 + name + extra))
      if entry.isSafe {
        entries.append(entry)
      } else if !entry.name.hasSuffix("/") {
        unsafeNames += 1
      }
      at = next
    }
    guard at == bytes.count || at > 0 else { throw .brokenArchive }
    return (entries, unsafeNames)
  }

  private static func entry(
    _ numbers: LittleEndian, at offset: Int, name: String, extra: Range<Int>
  ) throws(HealthFileError) -> ZipEntry {
    var size = Int64(numbers.long(at: offset + 24))
    var packed = Int64(numbers.long(at: offset + 20))
    var header = Int64(numbers.long(at: offset + 42))
    let full = Int64(UInt32.max)
    // 64-bit numbers are in the extra field of kind 1, only those that did not fit.
    var at = extra.lowerBound
    while at + 4 <= extra.upperBound {
      let length = Int(numbers.short(at: at + 2))
      if numbers.short(at: at) == 1 {
        var wide = at + 4
        let end = min(extra.upperBound, wide + length)
        func next() throws(HealthFileError) -> Int64 {
          guard wide + 8 <= end, let value = numbers.size(at: wide) else { throw .brokenArchive }
          wide += 8
          return value
        }
        if size == full { size = try next() }
        if packed == full { packed = try next() }
        if header == full { header = try next() }
      }
      at += 4 + length
    }
    let method: ZipEntry.Method =
      switch numbers.short(at: offset + 10) {
      case 0: .stored
      case 8: .deflated
      case let other: .other(other)
      }
    return ZipEntry(
      name: name, method: method, isEncrypted: numbers.short(at: offset + 8) & 1 == 1,
      packedSize: packed, size: size, checksum: numbers.long(at: offset + 16),
      headerOffset: header)
  }
}
