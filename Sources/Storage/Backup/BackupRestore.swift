// SPDX-License-Identifier: Apache-2.0
import Foundation
import Logging

/// Creates a data folder from a backup: complete and checked, or not at all.
package struct BackupRestore: Sendable {
  /// Checks the restored data before it is moved into place: throws if it cannot be used, and returns the
  /// faults that already existed when the backup was made.
  package typealias Drill =
    @Sendable (Database, KeyRing, BackupManifest) async throws -> [String]

  /// The name of the folder for incomplete data; one that exists is left over from an interrupted restore.
  static let staging = "restoring"
  let path: String
  let secret: BackupSecret
  let node: String
  let logger: Logger
  let drill: Drill
  var migrations: [Migration] = Migration.embedded

  /// Creates a restore of the file at `path`; `node` names the audit chain, and `drill` checks the
  /// restored data.
  package init(
    from path: String, secret: BackupSecret, node: String, logger: Logger, drill: @escaping Drill
  ) {
    self.path = path
    self.secret = secret
    self.node = node
    self.logger = logger
    self.drill = drill
  }

  /// Restores into a folder that is empty or does not exist, which stays so if anything fails.
  package func perform(
    into target: String
  ) async throws -> (manifest: BackupManifest, faults: [String]) {
    let wasThere = try Self.requireEmpty(target)
    let path = path
    let secret = secret
    // The whole backup is checked before the first byte is written.
    let manifest = try await offThePool { try BackupProof.check(path, secret: secret) }
    _ = try BackupLoader.migrations(of: manifest, among: migrations)
    let staging = "\(target)/\(Self.staging)"
    do {
      try await load(into: staging)
      let faults = try await check(staging, manifest)
      try Self.give(staging, to: target)
      return (manifest, faults)
    } catch {
      try? FileManager.default.removeItem(atPath: wasThere ? staging : target)
      throw error
    }
  }

  /// Returns true if the folder exists; throws unless it is empty.
  private static func requireEmpty(_ path: String) throws -> Bool {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      return false
    }
    guard isFolder.boolValue,
      let names = try? FileManager.default.contentsOfDirectory(atPath: path), names.isEmpty
    else { throw BackupError.targetNotEmpty(path: path) }
    return true
  }

  private func load(into staging: String) async throws {
    let restore = self
    try await offThePool {
      let folder = try DataFolder(path: staging)
      let engine = try SQLiteEngine.open(file: folder.databasePath, logger: restore.logger)
      var outcome: Result<Void, any Error> = .success(())
      try engine.prepare { connection throws(StorageError) in
        let loader = BackupLoader(
          folder: staging, connection: connection, catalogue: SQLiteCatalogue(),
          migrations: restore.migrations)
        outcome = Result {
          try BackupReader(path: restore.path, secret: restore.secret).perform(into: loader)
        }.map { _ in }
      }
      let closed = DispatchSemaphore(value: 0)
      engine.close { _ in closed.signal() }
      closed.wait()
      try outcome.get()
      withExtendedLifetime(folder) {}
    }
  }

  private func check(
    _ staging: String, _ manifest: BackupManifest
  ) async throws -> [String] {
    let folder = try DataFolder(path: staging)
    let keys = try KeyRing.load(from: folder) { _ in [] }
    let database = try Database.open(
      .folder(folder), keys: keys, node: node, logger: logger, migrations: migrations,
      anchoring: .begins)
    do {
      let faults = try await drill(database, keys, manifest)
      await database.close()
      return faults
    } catch {
      await database.close()
      throw error
    }
  }

  /// Moves the files into place, the database last, because nothing starts from a folder without it.
  private static func give(_ staging: String, to target: String) throws {
    let database = URL(filePath: DataFolder.databasePath(in: staging)).lastPathComponent
    // Each folder has its own lock file.
    let names = try FileManager.default.contentsOfDirectory(atPath: staging)
      .filter { $0 != database && $0 != "lock" }
    for name in names + [database] {
      guard rename("\(staging)/\(name)", "\(target)/\(name)") == 0 else {
        throw BackupError.file(path: "\(target)/\(name)", code: errno)
      }
    }
    try FileManager.default.removeItem(atPath: staging)
    guard chmod(target, 0o700) == 0 else { throw BackupError.file(path: target, code: errno) }
    PrivateFile.syncFolder(of: "\(target)/\(database)")
  }
}
