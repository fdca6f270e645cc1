// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A source of bytes, read once from start to end.
protocol ByteSource: AnyObject {
  /// Fills the buffer as far as possible; returns 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthFileError) -> Int
}

/// An error of a whole file.
package enum HealthFileError: String, Error, Sendable, Hashable, CaseIterable {
  /// The system refuses to open or read the file.
  case unreadable
  case empty
  /// The file is not a zip archive, or its directory is damaged.
  case brokenArchive = "broken-archive"
  case encrypted
  /// It uses a compression other than deflate.
  case unknownCompression = "unknown-compression"
  /// It has more entries, or a larger unpacked size, than any export.
  case archiveTooLarge = "archive-too-large"
  /// There is no export in the archive or text.
  case noExport = "no-export"
  /// The database is damaged, or not from Gadgetbridge.
  case brokenDatabase = "broken-database"
  /// The file exceeds the limit for its kind.
  case tooLarge = "too-large"
  /// The table's columns are not mapped.
  case unknownColumns = "unknown-columns"
  case cancelled
}

/// An open file that can be read at any position, any number of times.
package final class HealthFile: Sendable {
  /// The length in bytes at the time of opening.
  package let count: Int64
  let path: String
  private let descriptor: Int32

  /// Opens a file for reading.
  ///
  /// Throws ``HealthFileError/unreadable`` if the system refuses.
  package init(path: String) throws(HealthFileError) {
    self.path = path
    descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .unreadable }
    let end = lseek(descriptor, 0, SEEK_END)
    guard end >= 0 else {
      close(descriptor)
      throw .unreadable
    }
    count = Int64(end)
  }

  deinit { close(descriptor) }

  /// Returns the first bytes of the file, at most `most`.
  package func head(_ most: Int) throws(HealthFileError) -> [UInt8] {
    try bytes(at: 0, count: Int(min(count, Int64(most)))) ?? []
  }

  /// Reads bytes at a position; fewer at the end of the file.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws(HealthFileError)
    -> Int
  {
    guard let base = buffer.baseAddress, offset >= 0, offset < count else { return 0 }
    while true {
      let got = pread(descriptor, base, buffer.count, off_t(offset))
      if got >= 0 { return got }
      guard errno == EINTR else { throw .unreadable }
    }
  }

  /// Returns exactly `count` bytes at a position, or nil if the file ends before.
  func bytes(at offset: Int64, count: Int) throws(HealthFileError) -> [UInt8]? {
    guard count >= 0, offset >= 0, offset <= self.count, Int64(count) <= self.count - offset else {
      return nil
    }
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      var got = 0
      var failure: HealthFileError?
      bytes.withUnsafeMutableBytes { all in
        do throws(HealthFileError) {
          got = try read(
            at: offset + Int64(filled),
            into: UnsafeMutableRawBufferPointer(rebasing: all[filled...])
          )
        } catch {
          failure = error
        }
      }
      if let failure { throw failure }
      guard got > 0 else { return nil }
      filled += got
    }
    return bytes
  }
}

/// A part of a file.
final class FileStretch: ByteSource {
  private let file: HealthFile
  private var offset: Int64
  private let end: Int64

  init(_ file: HealthFile, from offset: Int64 = 0, count: Int64? = nil) {
    self.file = file
    self.offset = offset
    end = count.map { min(file.count, offset + $0) } ?? file.count
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws(HealthFileError) -> Int {
    let wanted = Int(min(Int64(buffer.count), end - offset))
    guard wanted > 0 else { return 0 }
    let got = try file.read(
      at: offset, into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted]))
    offset += Int64(got)
    return got
  }
}
