// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Storage

/// Data of every released version survives the upgrade to the newest schema.
///
/// `Scripts/store-schema` writes the fixture of the current version.
@Suite struct UpgradeTests {
  /// The databases of the releases, as SQL texts.
  private static let releases: [StoredRelease] = {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Releases")
    let folders = try? FileManager.default.contentsOfDirectory(
      at: folder, includingPropertiesForKeys: nil)
    return (folders ?? []).compactMap { StoredRelease($0) }.sorted { $0.version < $1.version }
  }()

  @Test func `the present schema is stored`() throws {
    let steps = Self.releases.map(\.lastStep)
    #expect(steps.contains(try #require(Migration.embedded.last?.name)))
  }

  @Test(arguments: releases)
  func `a stored database opens with all of its rows`(release: StoredRelease) async throws {
    try await withTemporaryFolder { path in
      let before = try await load(release, into: path)
      let database = try Database.open(
        .folder(try DataFolder(path: path)), keys: try KeyRing.test, node: "test", logger: .quiet,
        anchoring: .begins)
      try await check(database, before)
      #expect(try await database.damage().isEmpty)
      await database.close()
    }
  }

  @Test(arguments: releases)
  func `a backup of a stored database restores with all of its rows`(
    release: StoredRelease
  ) async throws {
    try await withTemporaryFolder { path in
      let live = path + "/live"
      let before = try await load(release, into: live)
      let folder = try DataFolder(path: live)
      try KeyRing.test.write(to: folder.keysPath)
      let upgrade = SchemaUpgrade(
        of: .folder(folder), keys: try KeyRing.test, node: "test", anchoring: .begins,
        logger: .quiet)
      let database = try upgrade.openBefore(try await upgrade.plan())
      let file = path + "/release.backup"
      _ = try await DatabaseBackup(
        of: database, folder: live, application: release.version, random: seededBytes(9)
      ).write(to: file, secret: BackupFixture.secret, now: BackupFixture.made)
      await database.close()
      let restore = BackupRestore(
        from: file, secret: BackupFixture.secret, node: "test", logger: .quiet
      ) { restored, _, _ in
        try await check(restored, before)
        return []
      }
      let manifest = try await restore.perform(into: path + "/restored").manifest
      #expect(manifest.application == release.version)
      #expect(manifest.schema == release.lastStep)
    }
  }

  @Test(.enabled(if: TestDatabase.engine == .postgres), arguments: releases)
  func `the same rows are there after the steps on PostgreSQL`(
    release: StoredRelease
  ) async throws {
    guard case .postgres(let address, _, let uptime) = try await TestDatabase.location(.postgres)
    else { return }
    let before = try await TestDatabase.apart {
      let engine = try PostgresEngine.open(address, uptime: uptime, logger: .quiet)
      defer { engine.close { _ in } }
      return try engine.prepare { connection throws(StorageError) in
        // The place comes with the newest schema.
        try connection.executeScript("DROP SCHEMA public CASCADE; CREATE SCHEMA public")
        try Migrator(migrations: release.steps).migrate(connection)
        try connection.executeScript(release.postgresRows)
        return try StoredRows(PostgresCatalogue(), in: connection)
      }
    }
    let database = try await TestDatabase.apart {
      try Database.open(
        .postgres(address, nil, uptime: uptime), keys: try KeyRing.test, node: "test",
        logger: .quiet)
    }
    try await check(database, before)
    await database.close()
  }

  /// Creates the database of a release in a folder, and returns its rows.
  private func load(_ release: StoredRelease, into path: String) async throws -> StoredRows {
    try await make(path) { connection throws(StorageError) in
      try connection.enforce(foreignKeys: false, checks: true)
      try connection.executeScript(release.sql)
      return try StoredRows(SQLiteCatalogue(), in: connection)
    }
  }

  /// Checks that an upgraded database has the rows of before, and that they agree.
  private func check(_ database: Database, _ before: StoredRows) async throws {
    #expect(before.counts["plans"] == 2 && before.counts["audit"] == 2)
    #expect(before.records.count == 2)
    let after = try await database.rowCounts()
    for (table, count) in before.counts { #expect(after[table] == count, "\(table)") }
    #expect(try await database.read { try StoredRows.records(in: $0) } == before.records)
    #expect(try await database.brokenRules().isEmpty)
    #expect(try await database.verifyAudit().isIntact)
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
