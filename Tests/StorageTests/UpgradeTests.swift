// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Storage

/// Data of every released version survives the upgrade to the newest schema.
///
/// `Scripts/store-schema` writes the fixture of the current version.
@Suite struct UpgradeTests {
  /// Each fixture is the SQL text of a database, named after its last step.
  private static let fixtures: [URL] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures")
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == "sql" }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
  }()

  @Test func `the present schema has a fixture`() throws {
    let names = Self.fixtures.map { $0.deletingPathExtension().lastPathComponent }
    #expect(names.contains(try #require(Migration.embedded.last?.name)))
  }

  @Test(arguments: fixtures)
  func `a stored database opens with all its rows`(fixture: URL) async throws {
    let sql = try String(contentsOf: fixture, encoding: .utf8)
    try await withTemporaryFolder { path in
      try await make(path) { connection throws(StorageError) in
        try connection.enforce(foreignKeys: false, checks: true)
        try connection.executeScript(sql)
      }
      let before = try await counts(path)
      #expect(before["plans"] == 2 && before["audit"] == 2)
      let database = try Database.open(
        .folder(try DataFolder(path: path)), keys: try KeyRing.test, node: "test", logger: .quiet,
        anchoring: .begins)
      let after = try await database.rowCounts()
      for (table, count) in before { #expect(after[table] == count, "\(table)") }
      #expect(try await database.damage().isEmpty)
      #expect(try await database.brokenRules().isEmpty)
      #expect(try await database.verifyAudit().isIntact)
      await database.close()
    }
  }

  @Test(.enabled(if: TestDatabase.engine == .postgres), arguments: fixtures)
  func `upgrading on PostgreSQL keeps the same rows`(fixture: URL) async throws {
    let last = fixture.deletingPathExtension().lastPathComponent
    let steps = Migration.embedded.filter { $0.name <= last }
    let rows = try String(contentsOf: fixture, encoding: .utf8).split(separator: "\n")
      .filter { $0.hasPrefix("INSERT INTO") && !$0.hasPrefix("INSERT INTO schema_migrations") }
      .map { $0.replacing(/X'([0-9A-Fa-f]*)'/) { "'\\x\($0.output.1)'" } }
    guard case .postgres(let address, _, let uptime) = try await TestDatabase.location(.postgres)
    else { return }
    let before = try await TestDatabase.apart {
      let engine = try PostgresEngine.open(address, uptime: uptime, logger: .quiet)
      defer { engine.close { _ in } }
      return try engine.prepare { connection throws(StorageError) in
        // The place comes with the newest schema.
        try connection.executeScript("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        try Migrator(migrations: steps).migrate(connection)
        try connection.executeScript(rows.joined(separator: "\n"))
        var counts: [String: Int64] = [:]
        for table in try PostgresCatalogue().tables(in: connection) {
          counts[table.name] = try TableReading.count(table.name, in: connection)
        }
        return counts
      }
    }
    #expect(before["plans"] == 2 && before["audit"] == 2)
    let database = try await TestDatabase.apart {
      try Database.open(
        .postgres(address, nil, uptime: uptime), keys: try KeyRing.test, node: "test",
        logger: .quiet)
    }
    let after = try await database.rowCounts()
    for (table, count) in before { #expect(after[table] == count, "\(table)") }
    #expect(try await database.brokenRules().isEmpty)
    #expect(try await database.verifyAudit().isIntact)
    await database.close()
  }

  @Test func `a failed step leaves the data unchanged`() async throws {
    try await withTemporaryFolder { path in
      try await fill(path)
      let before = try await counts(path)
      // It makes many changes before it fails.
      let broken = Migration(
        name: "m8999-broken",
        sql: "DELETE FROM audit; CREATE TABLE half (id BIGINT); INSERT INTO nowhere VALUES (1);")
      do {
        _ = try open(path, Migration.embedded + [broken])
        Issue.record("The broken step was accepted.")
      } catch StorageError.migrationFailed(let name, _) {
        #expect(name == "m8999-broken")
      }
      #expect(try await counts(path) == before)
    }
  }

  @Test func `a newer database is refused with a message and left unchanged`() async throws {
    try await withTemporaryFolder { path in
      let newer = Migration(
        name: "m8999-newer", sql: "CREATE TABLE newer (id BIGINT NOT NULL PRIMARY KEY);")
      try await fill(path)
      await (try open(path, Migration.embedded + [newer])).close()
      let before = try await counts(path)
      do {
        _ = try open(path, Migration.embedded)
        Issue.record("The newer database was accepted.")
      } catch let error as StorageError {
        #expect(error == .migrationNewer(name: "m8999-newer"))
        #expect(error.description.contains("Start a newer version"))
      }
      #expect(try await counts(path) == before)
    }
  }

  /// Writes the database of the current version where `Scripts/store-schema` asks for it.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["REGIMEN_STORE_SCHEMA"] != nil))
  func `store the present schema`() async throws {
    let path = try #require(ProcessInfo.processInfo.environment["REGIMEN_STORE_SCHEMA"])
    try await fill(path)
  }

  private func open(_ path: String, _ migrations: [Migration]) throws -> Database {
    try Database.open(
      .folder(try DataFolder(path: path)), keys: try KeyRing.test, node: "test", logger: .quiet,
      migrations: migrations)
  }

  /// Creates a database of the current version with rows in all tables and an audit trail.
  private func fill(_ path: String) async throws {
    let database = try open(path, Migration.embedded)
    let rows = try SchemaRows.all(["ann", "bob"])
    try await database.write { writer in
      for row in rows { try row.insert(in: writer) }
      for number in 1...2 { writer.audit(.sample(number, patient: "ann")) }
    }
    await database.close()
  }

  private func counts(_ path: String) async throws -> [String: Int64] {
    try await make(path) { connection throws(StorageError) in
      var counts: [String: Int64] = [:]
      for table in try SQLiteCatalogue().tables(in: connection) {
        counts[table.name] = try TableReading.count(table.name, in: connection)
      }
      return counts
    }
  }

  /// Runs a block on the database file of a folder, without migrations.
  private func make<Value: Sendable>(
    _ path: String, _ body: (any SQLConnection) throws(StorageError) -> Value
  ) async throws -> Value {
    let folder = try DataFolder(path: path)
    let engine = try SQLiteEngine.open(file: folder.databasePath, logger: .quiet)
    let value = try engine.prepare(body)
    await withCheckedContinuation { done in engine.close { _ in done.resume() } }
    withExtendedLifetime(folder) {}
    return value
  }
}
