// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Storage

/// An upgrade says what it will do, does all of it or nothing, and leaves what it refuses as it was.
@Suite struct SchemaUpgradeTests {
  private static let first = Migration(
    name: "m8998-first",
    sql: """
      CREATE TABLE upgrade_marks (id BIGINT NOT NULL PRIMARY KEY);
      INSERT INTO upgrade_marks VALUES (1);
      """)
  private static let second = Migration(
    name: "m8999-second", sql: "INSERT INTO upgrade_marks VALUES (2);")
  private static let additive = Migration(
    name: "m8999-second", sql: "CREATE TABLE more_marks (id BIGINT NOT NULL PRIMARY KEY);")
  private static let broken = Migration(
    name: "m8999-second",
    sql: "INSERT INTO upgrade_marks VALUES (3); INSERT INTO nowhere VALUES (1);")

  @Test func `a plan names what would run, and changes nothing`() async throws {
    try await withStored { location in
      let upgrade = try make(location, adding: [Self.first, Self.second])
      for _ in 0..<2 {
        let plan = try await upgrade.plan()
        #expect(plan.steps == [Self.first.name, Self.second.name])
        #expect(plan.bytes > 0)
      }
      #expect(try await make(location).plan().steps == [])
    }
  }

  @Test func `the database can be read as it is before the upgrade`() async throws {
    try await withStored { location in
      let upgrade = try make(location, adding: [Self.first])
      let plan = try await upgrade.plan()
      let before = try await TestDatabase.apart { try upgrade.openBefore(plan) }
      #expect(try await before.rowCounts()["upgrade_marks"] == nil)
      await before.close()
      #expect(try await upgrade.plan().steps == [Self.first.name])
    }
  }

  @Test func `all steps are applied, or none`() async throws {
    try await withStored { location in
      let failing = try make(location, adding: [Self.first, Self.broken])
      do {
        _ = try await TestDatabase.apart { try failing.perform() }
        Issue.record("The broken step was accepted.")
      } catch StorageError.migrationFailed(let name, _) {
        #expect(name == Self.broken.name)
      }
      let good = try make(location, adding: [Self.first, Self.second])
      #expect(try await good.plan().steps == [Self.first.name, Self.second.name])
      let database = try await TestDatabase.apart { try good.perform() }
      let marks = try await database.read { reader in
        try reader.query("SELECT id FROM upgrade_marks ORDER BY id").map { try $0.integer(0) }
      }
      #expect(marks == [1, 2])
      #expect(try await database.verifyAudit().isIntact)
      await database.close()
      #expect(try await good.plan().steps == [])
    }
  }

  @Test func `a newer database is refused by an older program`() async throws {
    try await withStored { location in
      let newer = try make(location, adding: [Self.first])
      await (try await TestDatabase.apart { try newer.perform() }).close()
      let older = try make(location)
      let refusal = StorageError.migrationNewer(name: Self.first.name)
      await #expect(throws: refusal) { try await older.plan() }
      await #expect(throws: refusal) { try await TestDatabase.apart { try older.perform() } }
      #expect(try await newer.plan().steps == [])
    }
  }

  @Test(.enabled(if: TestDatabase.engine == .postgres))
  func `other nodes go on while tables are added, and must stop for other changes`() async throws {
    try await withStored { location in
      let node = try await TestDatabase.apart {
        try Database.open(location, keys: try KeyRing.test, node: "test", logger: .quiet)
      }
      node.observeOthers { _ in }
      let changing = try make(location, adding: [Self.first])
      // The node reports itself on a thread of its own.
      var servers = 0
      for _ in 0..<500 where servers == 0 {
        servers = try await changing.plan().servers
        if servers == 0 { try await Task.sleep(for: .milliseconds(10)) }
      }
      #expect(servers == 1)
      #expect(try await changing.plan().stopsServers)
      await #expect(throws: StorageError.nodesRunning) {
        try await TestDatabase.apart { try changing.perform() }
      }
      let adding = try make(location, adding: [Self.additive])
      #expect(try await adding.plan().stopsServers == false)
      await (try await TestDatabase.apart { try adding.perform() }).close()
      try await node.write { $0.audit(.sample(2)) }
      #expect(try await node.verifyAudit().rows == 2)
      await node.close()
      #expect(try await adding.plan().servers == 0)
    }
  }

  @Test func `other keys are refused before anything is touched`() async throws {
    try await withStored { location in
      let other = SchemaUpgrade(
        of: location, keys: try KeyRing.generate(random: seededBytes(2)), node: "test",
        anchoring: .expected, logger: .quiet)
      await #expect(throws: StorageError.foreignKeys) { try await other.plan() }
      let right = try make(location)
      let database = try await TestDatabase.apart { try right.perform() }
      #expect(database.auditConflict == nil)
      await database.close()
    }
  }

  @Test(.enabled(if: TestDatabase.engine != .postgres))
  func `a disk that becomes full changes nothing`() async throws {
    try await withStored { location in
      let full = Migration(
        name: "m8999-full",
        sql: """
          PRAGMA max_page_count = 1;
          CREATE TABLE large (content BLOB);
          INSERT INTO large VALUES (zeroblob(50000000));
          """)
      let upgrade = try make(location, adding: [Self.first, full])
      #expect(throws: StorageError.diskFull) { try upgrade.perform() }
      #expect(try await upgrade.plan().steps == [Self.first.name, full.name])
    }
  }

  @Test(.enabled(if: TestDatabase.engine != .postgres))
  func `a half-written file is refused and stays as it is`() async throws {
    try await withStored { location in
      guard case .folder(let folder) = location else { return }
      let file = URL(filePath: folder.databasePath)
      let whole = try Data(contentsOf: file)
      let half = whole.prefix(whole.count / 2)
      try half.write(to: file)
      do {
        _ = try await make(location, adding: [Self.first]).plan()
        Issue.record("Half of a file was accepted.")
      } catch let error as StorageError {
        #expect(error.description.contains("damaged"), "\(error)")
      }
      #expect(try Data(contentsOf: file) == half)
    }
  }

  private func make(
    _ location: Database.Location, adding migrations: [Migration] = []
  ) throws -> SchemaUpgrade {
    var upgrade = SchemaUpgrade(
      of: location, keys: try KeyRing.test, node: "test", anchoring: .expected, logger: .quiet)
    upgrade.migrations += migrations
    return upgrade
  }

  /// Runs a body on a closed database of the present schema with an audit trail.
  private func withStored(_ body: (Database.Location) async throws -> Void) async throws {
    guard TestDatabase.engine == .postgres else {
      try await withTemporaryFolder { path in
        let location = Database.Location.folder(try DataFolder(path: path + "/data"))
        try await store(in: location)
        try await body(location)
      }
      return
    }
    let location = try await TestDatabase.location(.postgres)
    try await store(in: location)
    try await body(location)
  }

  private func store(in location: Database.Location) async throws {
    let database = try await TestDatabase.apart {
      try Database.open(location, keys: try KeyRing.test, node: "test", logger: .quiet)
    }
    try await database.write { $0.audit(.sample(1)) }
    await database.close()
  }
}
