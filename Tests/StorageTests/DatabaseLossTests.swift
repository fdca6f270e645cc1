// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Storage

/// Keys without data are a loss, not a new installation.
@Suite struct DatabaseLossTests {
  private func open(_ path: String, begins: Bool = false) throws -> Database {
    let folder = try DataFolder(path: path)
    if begins { try folder.setNew(true) }
    let keys = try KeyRing.load(from: folder, random: seededBytes(3))
    return try Database.open(.folder(folder), keys: keys, node: "test", logger: .quiet)
  }

  private func remove(_ path: String, leaving content: Data? = nil) throws {
    for ending in ["", "-wal", "-shm"] {
      try? FileManager.default.removeItem(atPath: path + "/regimen.sqlite" + ending)
    }
    if let content { try content.write(to: URL(filePath: path + "/regimen.sqlite")) }
  }

  @Test(arguments: [nil, Data()] as [Data?])
  func `keys without a database are refused unless a new one is requested`(
    content: Data?
  ) async throws {
    try await withTemporaryFolder { path in
      let path = path + "/data"
      try await open(path).close()
      try await open(path).close()
      try remove(path, leaving: content)
      let lost = StorageError.dataMissing(place: path + "/regimen.sqlite")
      for _ in 0..<2 { #expect(throws: lost) { try open(path) } }
      #expect(try DataFolder(path: path).hasDatabase == false, "nothing was made in its place")
      #expect(lost.description.contains("--new"))
      try await open(path, begins: true).close()
      try await open(path).close()
      try remove(path)
      #expect(throws: lost) { try open(path) }
    }
  }

  @Test func `an interrupted first start can be repeated`() async throws {
    try await withTemporaryFolder { path in
      let path = path + "/data"
      do {
        let folder = try DataFolder(path: path)
        _ = try KeyRing.load(from: folder, random: seededBytes(3))
      }
      try await open(path).close()
      #expect(try DataFolder(path: path).isNew == false)
    }
  }

  @Test func `keys with a database without tables are refused`() async throws {
    try await withTemporaryFolder { path in
      let path = path + "/data"
      try await open(path).close()
      try remove(path)
      let engine = try SQLiteEngine.open(file: path + "/regimen.sqlite", logger: .quiet)
      try engine.prepare { connection throws(StorageError) in
        try connection.executeScript("CREATE TABLE something (a TEXT)")
      }
      engine.close { _ in }
      #expect(throws: StorageError.dataMissing(place: path + "/regimen.sqlite")) {
        try open(path)
      }
    }
  }

  @Test(.enabled(if: TestDatabase.engine == .postgres))
  func `a folder with keys refuses an empty PostgreSQL database`() async throws {
    try await withTemporaryFolder { path in
      let path = path + "/data"
      try await open(path).close()
      guard case .postgres(let address, _, _) = try await TestDatabase.location(.postgres) else {
        return
      }
      let engine = try PostgresEngine.open(address, uptime: { 0 }, logger: .quiet)
      try engine.prepare { connection throws(StorageError) in
        try connection.executeScript("DROP TABLE schema_migrations")
      }
      engine.close { _ in }
      let folder = try DataFolder(path: path)
      let keys = try KeyRing.load(from: folder, random: seededBytes(3))
      #expect(throws: StorageError.dataMissing(place: "the content of \(address)")) {
        try Database.open(
          .postgres(address, folder, uptime: { 0 }), keys: keys, node: "test", logger: .quiet)
      }
    }
  }
}
