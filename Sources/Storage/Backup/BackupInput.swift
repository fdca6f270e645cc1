// SPDX-License-Identifier: Apache-2.0
import Foundation

/// A backup being read.
///
/// Returns only content that was encrypted for this position of the file. Used by one thread.
final class BackupInput {
  private static let sealedBytes = BackupPreamble.chunkBytes + BackupChunks.tagBytes
  private let handle: FileHandle
  private let path: String
  private let chunks: BackupChunks
  private var number: UInt64 = 0
  private var isAtEnd = false
  private var buffer: [UInt8] = []
  private var position = 0
  /// The chunk after the current one, which shows if the current one is the last.
  private var ahead: [UInt8]

  init(path: String, secret: BackupSecret) throws {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder),
      !isFolder.boolValue, let handle = FileHandle(forReadingAtPath: path)
    else { throw BackupError.file(path: path, code: errno == 0 ? ENOENT : errno) }
    self.handle = handle
    self.path = path
    let (preamble, bytes, mac) = try BackupPreamble.read(path: path) {
      try Self.read($0, from: handle, path: path)
    }
    let keys = try secret.keys(for: preamble)
    guard BackupPreamble.isValid(mac, of: bytes, keys: keys) else {
      throw BackupError.wrongSecret
    }
    chunks = BackupChunks(key: keys.chunks)
    ahead = try Self.read(Self.sealedBytes, from: handle, path: path)
    guard !ahead.isEmpty else { throw BackupError.cut }
  }

  deinit { try? handle.close() }

  /// Returns exactly `count` bytes of the content.
  func next(_ count: Int) throws -> ArraySlice<UInt8> {
    while buffer.count - position < count {
      guard !isAtEnd else { throw BackupError.malformed }
      try openPiece()
    }
    defer { position += count }
    return buffer[position..<position + count]
  }

  /// Throws unless all content was read.
  func requireEnd() throws {
    guard isAtEnd, position == buffer.count else { throw BackupError.malformed }
  }

  private func openPiece() throws {
    let sealed = ahead
    ahead =
      sealed.count < Self.sealedBytes
      ? [] : try Self.read(Self.sealedBytes, from: handle, path: path)
    let isLast = ahead.isEmpty
    guard let piece = chunks.open(sealed, number: number, isLast: isLast) else {
      // A file that ends after a complete chunk that is not the last was truncated there.
      let isCut = isLast && chunks.open(sealed, number: number, isLast: false) != nil
      throw isCut ? BackupError.cut : BackupError.damaged(chunk: number)
    }
    buffer.removeFirst(position)
    position = 0
    buffer += piece
    number += 1
    isAtEnd = isLast
  }

  private static func read(_ count: Int, from handle: FileHandle, path: String) throws -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(count)
    do {
      while bytes.count < count,
        let some = try handle.read(upToCount: count - bytes.count), !some.isEmpty
      {
        bytes.append(contentsOf: some)
      }
    } catch {
      throw BackupError.file(path: path, code: errno)
    }
    return bytes
  }
}
