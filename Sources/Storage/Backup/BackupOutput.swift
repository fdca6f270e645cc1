// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A backup being written, under a name that ends in `.part` until it is complete and on disk.
///
/// Used by one thread; the file is removed unless ``finish()`` succeeds.
final class BackupOutput {
  static let partSuffix = ".part"
  private let path: String
  private let descriptor: Int32
  private let chunks: BackupChunks
  private var buffer: [UInt8] = []
  private var number: UInt64 = 0
  private var isFinished = false
  /// The number of bytes written so far.
  private(set) var count: Int64 = 0

  init(path: String, preamble: BackupPreamble, keys: BackupKeys) throws {
    if FileManager.default.fileExists(atPath: path), !Self.isBackup(path) {
      throw BackupError.wouldOverwrite(path: path)
    }
    self.path = path
    let part = path + Self.partSuffix
    descriptor = open(part, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw BackupError.file(path: part, code: errno) }
    chunks = BackupChunks(key: keys.chunks)
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      isFinished = true  // Another process owns the part.
      throw BackupError.beingWritten(path: path)
    }
    guard fchmod(descriptor, 0o600) == 0, ftruncate(descriptor, 0) == 0 else {
      throw BackupError.file(path: part, code: errno)
    }
    buffer.reserveCapacity(2 * BackupPreamble.chunkBytes)
    try write(try preamble.bytes(keys: keys))
  }

  deinit {
    close(descriptor)
    if !isFinished { unlink(path + Self.partSuffix) }
  }

  /// Returns true if a file starts like a backup.
  static func isBackup(_ path: String) -> Bool {
    guard let handle = FileHandle(forReadingAtPath: path) else { return false }
    defer { try? handle.close() }
    let beginning = try? handle.read(upToCount: BackupPreamble.mark.count)
    return beginning.map { Array($0) == BackupPreamble.mark } ?? false
  }

  /// Appends content; one call appends only a little.
  func append(_ encode: (inout [UInt8]) -> Void) throws {
    encode(&buffer)
    // There is more than a full chunk, so this one is not the last.
    while buffer.count > BackupPreamble.chunkBytes {
      let piece = Array(buffer[..<BackupPreamble.chunkBytes])
      buffer.removeFirst(BackupPreamble.chunkBytes)
      try seal(piece, isLast: false)
    }
  }

  /// Writes the last chunk, syncs the file to disk and renames it.
  func finish() throws {
    try seal(buffer, isLast: true)
    let part = path + Self.partSuffix
    guard fsync(descriptor) == 0 else { throw failure(part) }
    guard rename(part, path) == 0 else { throw BackupError.file(path: path, code: errno) }
    isFinished = true
    PrivateFile.syncFolder(of: path)
  }

  private func seal(_ piece: [UInt8], isLast: Bool) throws {
    try write(try chunks.seal(piece, number: number, isLast: isLast))
    number += 1
  }

  private func write(_ bytes: [UInt8]) throws {
    var rest = bytes[...]
    while !rest.isEmpty {
      let written = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      guard written > 0 else {
        if written < 0, errno == EINTR { continue }
        throw failure(path + Self.partSuffix)
      }
      rest = rest.dropFirst(written)
    }
    count += Int64(bytes.count)
  }

  private func failure(_ path: String) -> BackupError {
    [ENOSPC, EDQUOT, EFBIG].contains(errno)
      ? .diskFull(path: path) : .file(path: path, code: errno)
  }
}
