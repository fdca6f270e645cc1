// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The folder with all data of an installation, locked by one process at a time.
///
/// The lock lasts as long as this object; the system releases it when the process ends for any reason.
package final class DataFolder: Sendable {
  /// The path of the folder, as given.
  package let path: String
  private let credentials: String?
  private let lockDescriptor: Int32

  /// Creates the folder if it is missing (rights 0700) and locks it.
  ///
  /// Throws ``StorageError/inUse(folder:)`` if another process or object has locked it.
  ///
  /// - Parameter credentials: the folder in which the service manager puts credentials; nil if it
  ///   provides none.
  package init(path: String, credentials: String? = nil) throws(StorageError) {
    self.path = path
    self.credentials = credentials
    try Self.makeFolder(path)
    let lockPath = path + "/lock"
    let descriptor = open(lockPath, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw .file(path: lockPath, code: errno) }
    guard Self.isLocked(descriptor) else {
      let code = errno
      Self.close(descriptor)
      throw code == EWOULDBLOCK ? .inUse(folder: path) : .file(path: lockPath, code: code)
    }
    lockDescriptor = descriptor
  }

  deinit {
    Self.close(lockDescriptor)
  }

  /// Tries to take the lock; errno says why it failed.
  ///
  /// A child process that is being started holds a copy of a lock just released, so this retries for a tenth
  /// of a second.
  private static func isLocked(_ descriptor: Int32) -> Bool {
    for _ in 0..<20 {
      if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
      guard errno == EWOULDBLOCK else { return false }
      usleep(5_000)
    }
    return flock(descriptor, LOCK_EX | LOCK_NB) == 0
  }

  /// The path of the database file.
  package var databasePath: String { Self.databasePath(in: path) }
  /// The path of the key file, which a backup includes in encrypted form.
  package var keysPath: String { "\(path)/\(Self.keysName)" }
  /// The place of the keys: a credential from the service manager if there is one, otherwise the key file.
  package var keyPlace: KeyPlace {
    guard let credentials else { return .file(path: keysPath) }
    let handedOver = "\(credentials)/\(KeyPlace.credentialName)"
    return PrivateFile.exists(handedOver)
      ? .credential(path: handedOver) : .file(path: keysPath)
  }
  /// The path of the Unix socket for administration while the server runs.
  package var controlSocketPath: String { path + "/control.sock" }
  /// The path of the file with the last known head of the audit chain.
  package var auditHeadPath: String { path + "/audit-head" }
  /// The path of the file with earlier heads of the audit chain; lines are only ever appended.
  package var auditAnchorsPath: String { path + "/audit-anchors" }

  /// True if there are keys.
  var hasKeys: Bool { PrivateFile.exists(keyPlace.path) }

  /// True if there is a database file that is not empty.
  package var hasDatabase: Bool {
    let size = try? FileManager.default.attributesOfItem(atPath: databasePath)[.size] as? NSNumber
    return (size?.int64Value ?? 0) > 0
  }

  /// True from the creation of the keys until the database is first opened.
  package var isNew: Bool { PrivateFile.exists(newPath) }

  /// Records that the folder starts an empty installation, or no longer does.
  package func setNew(_ isNew: Bool) throws(StorageError) {
    if isNew {
      try PrivateFile.create(newPath)
      PrivateFile.syncFolder(of: newPath)
    } else if self.isNew, unlink(newPath) != 0 {
      throw .file(path: newPath, code: errno)
    }
  }

  private var newPath: String { path + "/new" }

  static func databasePath(in folder: String) -> String { folder + "/regimen.sqlite" }

  static let keysName = "keys.json"

  /// The files next to the database that cannot be created again: the keys, and the certificates that devices
  /// trust.
  static let companions = [
    keysName, "home-authority.crt", "home-authority.key", "home-server.crt", "home-server.key",
    "DEMO",
  ]

  private static func makeFolder(_ path: String) throws(StorageError) {
    do {
      try FileManager.default.createDirectory(
        atPath: path, withIntermediateDirectories: true,
        attributes: [.posixPermissions: 0o700])
    } catch {
      throw .file(path: path, code: errno)
    }
    // An existing folder may have wider permissions.
    guard chmod(path, 0o700) == 0 else { throw .file(path: path, code: errno) }
  }

  private static func close(_ descriptor: Int32) {
    #if canImport(Glibc)
      _ = Glibc.close(descriptor)
    #else
      _ = Darwin.close(descriptor)
    #endif
  }
}
