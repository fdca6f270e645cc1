// SPDX-License-Identifier: Apache-2.0

import CZlib

/// The bytes of one file of an archive, unpacked while reading.
final class ZipStream: ByteSource {
  /// The maximum compression ratio; a file beyond it is not text: exports pack about fifteen to one.
  private static let maximumRatio: Int64 = 400
  /// The number of unpacked bytes before the ratio is checked.
  private static let free: Int64 = 32 << 20
  private static let inputBytes = 256 << 10

  private let packed: FileStretch
  private let entry: ZipEntry
  private let input = UnsafeMutableRawBufferPointer.allocate(
    byteCount: ZipStream.inputBytes, alignment: 16)
  private var stream = z_stream()
  private var isOpen = false
  private var isFinished = false
  private var checksum: UInt = 0
  private(set) var produced: Int64 = 0
  /// True if the data is complete: its size and checksum match the directory.
  private(set) var isWhole = false

  init(_ entry: ZipEntry, in file: HealthFile) throws(HealthFileError) {
    if entry.isEncrypted { throw .encrypted }
    if case .other = entry.method { throw .unknownCompression }
    guard let bytes = try file.bytes(at: entry.headerOffset, count: 30) else {
      throw .brokenArchive
    }
    let header = LittleEndian(bytes)
    guard header.long(at: 0) == 0x0403_4B50 else { throw .brokenArchive }
    let start =
      entry.headerOffset + 30 + Int64(header.short(at: 26)) + Int64(header.short(at: 28))
    packed = FileStretch(file, from: start, count: entry.packedSize)
    self.entry = entry
    if entry.method == .deflated {
      guard
        inflateInit2_(
          &stream, -MAX_WBITS, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK
      else { throw .unreadable }
      isOpen = true
    }
  }

  deinit {
    if isOpen { inflateEnd(&stream) }
    input.deallocate()
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthFileError) -> Int {
    guard !isFinished else { return 0 }
    let count = try isOpen ? inflated(into: buffer) : packed.read(into: buffer)
    produced += Int64(count)
    if produced > Self.free, produced / Self.maximumRatio > entry.packedSize {
      throw .archiveTooLarge
    }
    checksum = crc32(
      checksum, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self), UInt32(count))
    if count == 0 || isFinished { finish() }
    return count
  }

  private func inflated(into buffer: UnsafeMutableRawBufferPointer) throws(HealthFileError) -> Int {
    stream.next_out = buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    stream.avail_out = UInt32(buffer.count)
    while stream.avail_out > 0 {
      if stream.avail_in == 0 {
        let got = try packed.read(into: input)
        // The archive ends before the file does: return the data so far.
        if got == 0 { break }
        stream.next_in = input.baseAddress?.assumingMemoryBound(to: UInt8.self)
        stream.avail_in = UInt32(got)
      }
      let status = inflate(&stream, Z_NO_FLUSH)
      if status == Z_STREAM_END {
        isFinished = true
        break
      }
      // On damage, return the data unpacked so far; `isWhole` stays false.
      guard status == Z_OK || status == Z_BUF_ERROR else {
        isFinished = true
        break
      }
    }
    return buffer.count - Int(stream.avail_out)
  }

  private func finish() {
    isFinished = true
    isWhole = produced == entry.size && UInt32(truncatingIfNeeded: checksum) == entry.checksum
  }
}
