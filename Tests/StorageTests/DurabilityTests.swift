// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Storage

/// The guarantees about the file on disk.
@Suite struct DurabilityTests {
  @Test func `every commit is synced, and the setting survives reopening`() async throws {
    try await withTemporaryFolder { path in
      let engine = try SQLiteEngine.open(file: path + "/a.sqlite", logger: .quiet)
      let settings = try engine.prepare { connection throws(StorageError) in
        [
          try connection.first("PRAGMA synchronous")?.integer(0),
          try connection.first("PRAGMA foreign_keys")?.integer(0),
        ]
      }
      let journal = try engine.prepare { connection throws(StorageError) in
        try connection.first("PRAGMA journal_mode")?.text(0)
      }
      #expect(settings == [2, 1])
      #expect(journal == "wal")
      let error = await withCheckedContinuation { done in
        engine.close { done.resume(returning: $0) }
      }
      #expect(error == nil)
    }
  }

  @Test func `a statement on a table with a partial index is compiled once`() throws {
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    try engine.prepare { connection throws(StorageError) in
      try connection.executeScript(
        """
        CREATE TABLE things (kind TEXT, size INTEGER);
        CREATE INDEX things_large ON things (size) WHERE kind = 'large'
        """)
      for size in 1...3 {
        _ = try connection.query(
          "SELECT size FROM things WHERE kind = $1 AND size = $2", ["large", SQLValue(size)])
      }
      let compiled = try connection.query(
        "SELECT reprep FROM sqlite_stmt WHERE sql LIKE 'SELECT size FROM things%'", [])
      #expect(compiled.map { try? $0.integer(0) } == [0])
    }
  }

  /// A killed process leaves the database file with its log; copies of both stand for that.
  @Test func `acknowledged writes survive a kill`() async throws {
    try await withTemporaryFolder { path in
      let keys = try KeyRing.test
      let folder = try DataFolder(path: path + "/live")
      let database = try Database.open(
        .folder(folder), keys: keys, node: "test", logger: .quiet,
        migrations: Migration.withTestTable)
      for id in 20..<60 {
        try await database.write { writer in
          try writer.execute(
            "INSERT INTO notes (patient, id, text) VALUES ($1, $2, $3)", ["p", SQLValue(id), "x"])
          writer.audit(.sample(id))
        }
      }
      let copy = try DataFolder(path: path + "/killed")
      for name in ["regimen.sqlite", "regimen.sqlite-wal", "audit-head", "audit-anchors"] {
        try FileManager.default.copyItem(
          atPath: folder.path + "/" + name, toPath: copy.path + "/" + name)
      }
      await database.close()

      let reopened = try Database.open(
        .folder(copy), keys: keys, node: "test", logger: .quiet,
        migrations: Migration.withTestTable)
      #expect(try await reopened.noteIDs() == Array(20..<60))
      try await reopened.write { $0.audit(.sample(61)) }
      let verification = try await reopened.verifyAudit()
      #expect(verification.isIntact)
      #expect(verification.rows == 41)
      await reopened.close()
    }
  }

  @Test func `closing empties the log, and reopening finds everything`() async throws {
    try await withTemporaryFolder { path in
      for round in 0..<3 {
        let folder = try DataFolder(path: path + "/data")
        let database = try Database.open(
          .folder(folder), keys: try KeyRing.test, node: "test", logger: .quiet,
          migrations: Migration.withTestTable)
        try await database.addNote(100 + round)
        try await database.write { $0.audit(.sample(round)) }
        #expect(try await database.noteIDs() == (0...round).map { Int64(100 + $0) })
        #expect(try await database.verifyAudit().isIntact)
        await database.close()
        let log = folder.databasePath + "-wal"
        let size = (try? FileManager.default.attributesOfItem(atPath: log)[.size] as? Int) ?? 0
        #expect(size == 0)
      }
    }
  }

  @Test func `a full disk has its own error, and the database keeps working`() async throws {
    try await DatabaseForm.sqliteFile.withDatabase { database async throws in
      try await database.addNote(1)
      try await database.write { writer in
        _ = try writer.query("PRAGMA max_page_count = 60")
      }
      await #expect(throws: StorageError.diskFull) {
        try await database.write { writer in
          for id in 100..<400 {
            try writer.execute(
              "INSERT INTO notes (patient, id, content) VALUES ($1, $2, $3)",
              ["p", SQLValue(id), .blob([UInt8](repeating: 1, count: 4_000))])
          }
        }
      }
      try await database.addNote(2)
      #expect(try await database.noteIDs() == [1, 2])
    }
  }

  @Test func `a damaged file is refused`() async throws {
    try await withTemporaryFolder { path in
      let folder = try DataFolder(path: path + "/data")
      try Data(repeating: 0x41, count: 8_192).write(to: URL(filePath: folder.databasePath))
      #expect(throws: StorageError.self) {
        try Database.open(
          .folder(folder), keys: try KeyRing.test, node: "test", logger: .quiet)
      }
    }
  }

  @Test func `reads see one snapshot while writes go on`() async throws {
    try await DatabaseForm.sqliteFile.withDatabase { database async throws in
      try await database.addNote(1)
      let (first, later) = (AsyncStream<Void>.makeStream(), DispatchSemaphore(value: 0))
      async let counts = database.read { reader in
        let before = try reader.first("SELECT count(*) FROM notes")?.integer(0)
        first.continuation.yield()
        later.wait()
        return [before, try reader.first("SELECT count(*) FROM notes")?.integer(0)]
      }
      var started = first.stream.makeAsyncIterator()
      await started.next()
      try await database.addNote(2)
      later.signal()
      #expect(try await counts == [1, 1])
      #expect(try await database.noteIDs() == [1, 2])
    }
  }
}
