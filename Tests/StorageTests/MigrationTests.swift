// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import Storage

@Suite struct MigrationTests {
  private static let first = Migration(name: "m0001-a", sql: "CREATE TABLE a (id BIGINT);")
  private static let second = Migration(
    name: "m0002-b", sql: "CREATE TABLE b (id BIGINT); INSERT INTO a (id) VALUES (7);")

  @Test func `steps are applied once and in order`() throws {
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    try migrate(engine, [Self.first])
    try migrate(engine, [Self.first, Self.second])
    try migrate(engine, [Self.first, Self.second])
    #expect(try names(engine) == ["m0001-a", "m0002-b"])
    #expect(try count(engine) == 1)
  }

  @Test func `a database of a newer program is refused`() throws {
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    try migrate(engine, [Self.first, Self.second])
    #expect(throws: StorageError.migrationNewer(name: "m0002-b")) {
      try migrate(engine, [Self.first])
    }
  }

  @Test func `a changed step is refused`() throws {
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    try migrate(engine, [Self.first])
    let changed = Migration(name: "m0001-a", sql: Self.first.sql + " ")
    #expect(throws: StorageError.migrationChanged(name: "m0001-a")) {
      try migrate(engine, [changed, Self.second])
    }
    #expect(try names(engine) == ["m0001-a"])
  }

  @Test func `a step below applied ones is refused`() throws {
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    try migrate(engine, [Self.second.renamed("m0003-c", sql: "CREATE TABLE c (id BIGINT);")])
    #expect(throws: StorageError.migrationOutOfOrder(name: "m0001-a")) {
      try migrate(
        engine,
        [Self.first, Self.second.renamed("m0003-c", sql: "CREATE TABLE c (id BIGINT);")])
    }
  }

  @Test func `a failing step leaves the state before it`() throws {
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    let broken = Migration(
      name: "m0002-b", sql: "INSERT INTO a (id) VALUES (1); CREATE TABLE a (id BIGINT);")
    do {
      try migrate(engine, [Self.first, broken])
      Issue.record("The broken step was accepted.")
    } catch StorageError.migrationFailed(let name, _) {
      #expect(name == "m0002-b")
    }
    #expect(try names(engine) == ["m0001-a"])
    #expect(try count(engine) == 0)
    try migrate(engine, [Self.first, Self.second])
    #expect(try count(engine) == 1)
  }

  @Test func `the program's own steps have distinct, ordered names`() {
    let names = Migration.embedded.map(\.name)
    #expect(names.starts(with: ["m0001-storage", "m0002-records"]))
    #expect(names == Set(names).sorted())
  }

  private func migrate(_ engine: SQLiteEngine, _ migrations: [Migration]) throws(StorageError) {
    try engine.prepare { connection throws(StorageError) in
      try migrate(on: connection, migrations)
    }
  }

  private func migrate(
    on connection: some SQLConnection, _ migrations: [Migration]
  ) throws(StorageError) {
    try Migrator(migrations: migrations).migrate(connection)
  }

  private func names(_ engine: SQLiteEngine) throws -> [String] {
    try engine.prepare { connection throws(StorageError) in
      try connection.query("SELECT name FROM schema_migrations ORDER BY name")
        .map { row throws(StorageError) in try row.text(0) }
    }
  }

  private func count(_ engine: SQLiteEngine) throws -> Int64? {
    try engine.prepare { connection throws(StorageError) in
      try connection.first("SELECT count(*) FROM a")?.integer(0)
    }
  }
}

extension Migration {
  fileprivate func renamed(_ name: String, sql: String) -> Migration {
    Migration(name: name, sql: sql)
  }
}
