// SPDX-License-Identifier: Apache-2.0

import Foundation
import Synchronization
import Web

/// An uploaded file in its own folder that only the server can read, removed once it is released.
package final class TemporaryUpload: Sendable {
  let path: String
  private let handle: FileHandle
  private let isRemoved = Mutex(false)

  /// - Parameter name: Chosen by the server, never by a client.
  init(name: String, settings: ServerSettings) throws {
    let folder =
      (settings.dataFolder ?? FileManager.default.temporaryDirectory.path(percentEncoded: false))
      + "/uploads"
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o700])
    // Fails if the file already exists, whoever created it.
    var made: (path: String, descriptor: Int32)?
    for attempt in 0..<100 where made == nil {
      let path = "\(folder)/\(name)-\(attempt)"
      let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
      if descriptor >= 0 {
        made = (path, descriptor)
      } else if errno != EEXIST {
        break
      }
    }
    guard let made else { throw CocoaError(.fileWriteUnknown) }
    path = made.path
    handle = FileHandle(fileDescriptor: made.descriptor, closeOnDealloc: true)
  }

  /// Copies a file that others may still write.
  convenience init(copying file: String, name: String, settings: ServerSettings) throws {
    try self.init(name: name, settings: settings)
    guard let source = FileHandle(forReadingAtPath: file) else {
      throw CocoaError(.fileReadNoSuchFile)
    }
    while let bytes = try source.read(upToCount: 1 << 20), !bytes.isEmpty {
      try handle.write(contentsOf: bytes)
    }
    try close()
  }

  deinit { remove() }

  func append(_ bytes: some Sequence<UInt8>) throws {
    try handle.write(contentsOf: Data(bytes))
  }

  func close() throws { try handle.close() }

  /// Removes the file; again it does nothing, since the name may belong to another upload by then.
  func remove() {
    isRemoved.withLock { isRemoved in
      if !isRemoved { _ = unlink(path) }
      isRemoved = true
    }
  }

  /// Removes the files that a stopped server left behind.
  package static func clear(_ settings: ServerSettings) {
    guard let data = settings.dataFolder else { return }
    try? FileManager.default.removeItem(atPath: data + "/uploads")
  }
}
