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

  @Test func `a database of a newer version is refused`() throws {
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

  @Test func `a failed step leaves the previous state`() throws {
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
    #expect(names.starts(with: ["m0001-storage", "m0002-people"]))
    #expect(names == Set(names).sorted())
  }

  @Test(arguments: [
    ("-- Only tables; DROP nothing.\nCREATE TABLE a (id BIGINT); -- DELETE\n", true),
    ("CREATE TABLE a (id BIGINT);\nCREATE INDEX i ON a (id);", true),
    ("CREATE TABLE a (id BIGINT); CREATE UNIQUE INDEX u ON a(id);", true),
    ("", true),
    ("CREATE INDEX i ON older (id);", true),
    ("CREATE UNIQUE INDEX i ON older (id);", false),
    ("CREATE TABLE a (id BIGINT); CREATE UNIQUE INDEX u ON older (id);", false),
    ("CREATE TABLE a (id BIGINT); INSERT INTO a VALUES (1);", false),
    ("ALTER TABLE older ADD COLUMN b TEXT;", true),
    ("ALTER TABLE older ADD COLUMN b INTEGER NOT NULL DEFAULT 0 CHECK (b >= 0);", true),
    ("ALTER TABLE older ADD COLUMN b INTEGER NOT NULL;", false),
    ("ALTER TABLE older DROP COLUMN b;", false),
    ("ALTER TABLE older RENAME TO newer;", false),
    ("CREATE TABLE a (id BIGINT); DROP TABLE older;", false),
    ("CREATE", false),
    ("CREATE INDEX i ON", false),
  ])
  func `a step is additive if it only adds what the older program can leave alone`(
    sql: String, isAdditive: Bool
  ) {
    #expect(Migration(name: "m0002-b", sql: sql).isAdditive == isAdditive)
  }

  @Test func `the program's own steps leave other nodes running`() {
    #expect(Migration.embedded.filter { !$0.isAdditive }.map(\.name) == [])
  }

  @Test func `data of a development build is refused with a clear message`() throws {
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    try engine.prepare { connection throws(StorageError) in
      try connection.executeScript(
        """
        CREATE TABLE schema_migrations (name TEXT NOT NULL, checksum TEXT NOT NULL);
        INSERT INTO schema_migrations VALUES ('m0001-storage',
          'dda09993cf47f043cd021dd2f444ad9f7966d6ac5cfe71c7fc9de1dbbe88e2b9');
        """)
    }
    #expect(throws: StorageError.schemaUnreleased) { try migrate(engine, Migration.embedded) }
    #expect(StorageError.schemaUnreleased.description.contains("start with an empty one"))
  }

  @Test func `a step may rebuild a referenced table but not break a row`() throws {
    let tables = Migration(
      name: "m0001-a",
      sql: """
        CREATE TABLE a (id INTEGER NOT NULL PRIMARY KEY, kind TEXT CHECK (kind IN ('x'))) STRICT;
        CREATE TABLE b (a INTEGER NOT NULL REFERENCES a (id) ON DELETE CASCADE) STRICT;
        INSERT INTO a VALUES (7, 'x'); INSERT INTO b VALUES (7);
        """)
    let rebuild = Migration(
      name: "m0002-b",
      sql: """
        CREATE TABLE a2 (id INTEGER NOT NULL PRIMARY KEY, kind TEXT CHECK (kind IN ('x', 'y'))) STRICT;
        INSERT INTO a2 SELECT id, kind FROM a; DROP TABLE a; ALTER TABLE a2 RENAME TO a;
        """)
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    try migrate(engine, [tables, rebuild])
    #expect(try count(engine) == 1)
    try engine.prepare { connection throws(StorageError) in
      let rows = try connection.query("SELECT a FROM b")
      #expect(rows.count == 1)
      // The rules are enforced again.
      #expect(throws: StorageError.self) { try connection.execute("INSERT INTO b VALUES (8)") }
    }
    let breaking = Migration(name: "m0003-c", sql: "DELETE FROM a;")
    #expect(throws: StorageError.self) { try migrate(engine, [tables, rebuild, breaking]) }
    #expect(try count(engine) == 1)
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
