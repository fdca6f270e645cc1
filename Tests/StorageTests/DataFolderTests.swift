// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Storage

@Suite struct DataFolderTests {
  @Test func `only the owner can read the folder and its files`() async throws {
    try await withTemporaryFolder { path in
      try FileManager.default.createDirectory(
        atPath: path + "/wide", withIntermediateDirectories: false,
        attributes: [.posixPermissions: 0o755])
      for name in ["new/nested", "wide"] {
        let folder = try DataFolder(path: path + "/" + name)
        let database = try Database.open(
          .folder(folder), keys: try KeyRing.test, node: "test", logger: .quiet)
        try await database.write { $0.audit(.sample(1)) }
        #expect(permissions(folder.path) == 0o700)
        let files = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(files.contains("regimen.sqlite") && files.contains("audit-head"))
        for file in files {
          #expect(permissions(folder.path + "/" + file) == 0o600, "\(file)")
        }
        await database.close()
      }
    }
  }

  @Test func `a second holder is refused until the first releases the lock`() async throws {
    try await withTemporaryFolder { path in
      func hold() throws {
        let first = try DataFolder(path: path + "/data")
        #expect(throws: StorageError.inUse(folder: path + "/data")) {
          try DataFolder(path: path + "/data")
        }
        #expect(first.controlSocketPath == path + "/data/control.sock")
      }
      try hold()
      _ = try DataFolder(path: path + "/data")
    }
  }

  @Test func `the lock excludes another process`() async throws {
    try await withTemporaryFolder { path in
      let folder = try DataFolder(path: path + "/data")
      #expect(try tryLock(folder) != 0)
      withExtendedLifetime(folder) {}
    }
    try await withTemporaryFolder { path in
      let lockPath = path + "/data/lock"
      do { _ = try DataFolder(path: path + "/data") }
      #expect(try run("/usr/bin/flock", ["-n", lockPath, "true"]) == 0)
    }
  }

  @Test func `a path that cannot be a folder is refused`() async throws {
    try await withTemporaryFolder { path in
      try Data().write(to: URL(filePath: path + "/file"))
      #expect(throws: StorageError.self) { try DataFolder(path: path + "/file") }
      #expect(throws: StorageError.self) { try DataFolder(path: path + "/file/below") }
    }
  }

  private func tryLock(_ folder: DataFolder) throws -> Int32 {
    try run("/usr/bin/flock", ["-n", folder.path + "/lock", "true"])
  }

  private func run(_ program: String, _ arguments: [String]) throws -> Int32 {
    let process = Process()
    process.executableURL = URL(filePath: program)
    process.arguments = arguments
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private func permissions(_ path: String) -> Int? {
    try? FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
  }
}
