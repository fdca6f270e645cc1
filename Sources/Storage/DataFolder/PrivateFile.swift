// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Small files that only the owner can read (mode 0600).
package enum PrivateFile {
  /// Returns true if there is a file at a path.
  package static func exists(_ path: String) -> Bool {
    FileManager.default.fileExists(atPath: path)
  }

  /// Returns the whole content of a file.
  package static func read(_ path: String) throws(StorageError) -> Data {
    do {
      return try Data(contentsOf: URL(filePath: path))
    } catch {
      throw .file(path: path, code: errno)
    }
  }

  /// Creates an empty file if there is none, so that its mode is right from the first byte.
  static func create(_ path: String) throws(StorageError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: path, code: errno) }
    close(descriptor)
  }

  /// Replaces a whole file: readers see the old or the new content, never a part.
  package static func replace(
    _ path: String, with content: Data, synced: Bool
  ) throws(StorageError) {
    let temporary = path + ".new"
    let descriptor = open(temporary, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: temporary, code: errno) }
    var code: Int32 = 0
    content.withUnsafeBytes { bytes in
      var rest = bytes[...]
      while !rest.isEmpty {
        let written = write(
          descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
        guard written > 0 else {
          code = written < 0 ? errno : ENOSPC
          return
        }
        rest = rest.dropFirst(written)
      }
    }
    if code == 0, synced, fsync(descriptor) != 0 { code = errno }
    close(descriptor)
    guard code == 0 else { throw .file(path: temporary, code: code) }
    guard rename(temporary, path) == 0 else { throw .file(path: path, code: errno) }
    if synced { syncFolder(of: path) }
  }

  /// Appends to a file, which is created if it is missing.
  static func append(_ content: Data, to path: String) throws(StorageError) {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: path, code: errno) }
    defer { close(descriptor) }
    let written = content.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
    guard written == content.count else {
      throw .file(path: path, code: written < 0 ? errno : ENOSPC)
    }
  }

  /// Returns the last bytes of a file, or all of a short one.
  static func end(of path: String, atMost count: Int) throws(StorageError) -> Data {
    do {
      let handle = try FileHandle(forReadingFrom: URL(filePath: path))
      defer { try? handle.close() }
      let size = try handle.seekToEnd()
      try handle.seek(toOffset: size > UInt64(count) ? size - UInt64(count) : 0)
      return try handle.readToEnd() ?? Data()
    } catch {
      throw .file(path: path, code: errno)
    }
  }

  /// Returns true if the group or others have any permission on the file.
  package static func isOpenToOthers(_ path: String) -> Bool {
    var status = stat()
    guard stat(path, &status) == 0 else { return false }
    return status.st_mode & 0o077 != 0
  }

  /// Syncs a file to disk.
  static func sync(_ path: String) {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return }
    _ = fsync(descriptor)
    close(descriptor)
    syncFolder(of: path)
  }

  /// Returns the disk that holds a file or folder.
  package static func disk(of path: String) -> UInt64? {
    var status = stat()
    return stat(path, &status) == 0 ? UInt64(status.st_dev) : nil
  }

  /// Returns the disk that holds an open file, or nil for a pipe, a terminal or a device.
  package static func disk(ofOpenFile descriptor: Int32) -> UInt64? {
    var status = stat()
    guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return UInt64(status.st_dev)
  }

  /// Syncs a file's folder, so that the file's name is on disk.
  static func syncFolder(of path: String) {
    let folder = open((path as NSString).deletingLastPathComponent, O_RDONLY | O_CLOEXEC)
    guard folder >= 0 else { return }
    _ = fsync(folder)
    close(folder)
  }
}
