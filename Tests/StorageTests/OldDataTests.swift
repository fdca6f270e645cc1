// SPDX-License-Identifier: Apache-2.0
import Foundation
import TestSupport
import Testing

@testable import Storage

/// The data of every earlier schema, made by its own steps and filled, are there after the step to
/// the newest one.
@Suite struct OldDataTests {
  @Test func `every step has rows of its own here`() throws {
    for migration in Migration.embedded where OldData.rows[migration.name] == nil {
      Issue.record("Fill the tables of \(migration.name), so that later steps are tried on them.")
    }
  }

  @Test(arguments: 1...Migration.embedded.count)
  func `data of an earlier schema are there in the newest`(steps: Int) async throws {
    try await withTemporaryFolder { path in
      let old = Array(Migration.embedded.prefix(steps))
      let before = try await fill(old, in: path)
      let keys = try KeyRing.test
      let database = try Database.open(
        .folder(try DataFolder(path: path)), keys: keys, node: "test", logger: .quiet)
      let counts = try await database.rowCounts()
      for (table, count) in before {
        #expect(counts[table] == count, "\(table) after \(old.last?.name ?? "")")
      }
      #expect(try await database.damage().isEmpty)
      if steps >= 4 {
        let row = try await database.read { reader in
          try reader.first("SELECT answer, answered_at, version FROM doses WHERE plan = 'plan'")
        }
        #expect(try row?.text(0) == "a1")
        // Before m0008 there was no such column: the step takes it from the answer.
        #expect(try row?.optionalInteger(1) == (steps < 8 ? 12 : nil))
        #expect(try row?.integer(2) == 2)
        let shared = try await database.read { reader in
          try reader.first("SELECT categories FROM grants WHERE account = 'bob'")
        }
        // Before m0010 family saw everything: nobody loses sight of it by the step.
        #expect(try shared?.text(0) == "medicines adherence heart-rate messages stock")
      }
      if old.contains(where: { $0.name == "m0042-stock" }) {
        let stock = try await database.read { reader in
          try reader.first("SELECT pack_size FROM stocks WHERE stock = 'st'")
        }
        // m0064 does not treat an initial count without a later pack as a full pack.
        let isAfter = old.contains { $0.name == "m0064-stock-pack-size" }
        #expect(try stock?.integer(0) == (isAfter ? 30_000_000 : 0))
      }
      await database.close()
    }
  }

  @Test(arguments: 1...Migration.embedded.count)
  func `a step that fails leaves the data of an earlier schema`(steps: Int) async throws {
    try await withTemporaryFolder { path in
      let old = Array(Migration.embedded.prefix(steps))
      let before = try await fill(old, in: path)
      // It changes much before it fails.
      let broken = Migration(
        name: "m8999-broken",
        sql: "DELETE FROM audit; CREATE TABLE half (id BIGINT); INSERT INTO nowhere VALUES (1);")
      do {
        _ = try Database.open(
          .folder(try DataFolder(path: path)), keys: try KeyRing.test, node: "test",
          logger: .quiet, migrations: old + [broken])
        Issue.record("The broken step was accepted.")
      } catch StorageError.migrationFailed(let name, _) {
        #expect(name == "m8999-broken")
      }
      let database = try Database.open(
        .folder(try DataFolder(path: path)), keys: try KeyRing.test, node: "test",
        logger: .quiet, migrations: old)
      #expect(try await database.rowCounts() == before)
      await database.close()
    }
  }

  @Test func `a newer database is refused in words, and stays as it is`() async throws {
    try await withTemporaryFolder { path in
      let newer = Migration(
        name: "m8999-newer", sql: "CREATE TABLE newer (id BIGINT NOT NULL PRIMARY KEY);")
      let before = try await fill(Migration.embedded + [newer], in: path)
      func open(_ migrations: [Migration]) throws -> Database {
        try Database.open(
          .folder(try DataFolder(path: path)), keys: try KeyRing.test, node: "test",
          logger: .quiet, migrations: migrations)
      }
      do {
        _ = try open(Migration.embedded)
        Issue.record("The newer database was accepted.")
      } catch let error as StorageError {
        #expect(error == .migrationNewer(name: "m8999-newer"))
        #expect(error.description.contains("start a newer version"))
      }
      let database = try open(Migration.embedded + [newer])
      #expect(try await database.rowCounts() == before)
      await database.close()
    }
  }

  /// Makes a database of some steps with rows in all tables; the number of rows by table.
  private func fill(_ steps: [Migration], in path: String) async throws -> [String: Int64] {
    let folder = try DataFolder(path: path)
    let engine = try SQLiteEngine.open(file: folder.databasePath, logger: .quiet)
    let counts = try engine.prepare { connection throws(StorageError) in
      try Migrator(migrations: steps).migrate(connection)
      for statement in steps.flatMap({ OldData.rows[$0.name] ?? [] }) {
        try connection.executeScript(statement)
      }
      var counts: [String: Int64] = [:]
      for table in try SQLiteCatalogue().tables(in: connection) {
        counts[table.name] = try TableReading.count(table.name, in: connection)
      }
      return counts
    }
    await withCheckedContinuation { done in engine.close { _ in done.resume() } }
    withExtendedLifetime(folder) {}
    return counts
  }
}
