// SPDX-License-Identifier: Apache-2.0
import Foundation
import Identifiers
import Testing
import TestSupport

@testable import Storage

/// The rules of the schema itself: keys, foreign keys with their indexes, and what remains after a person is
/// erased.
@Suite struct SchemaTests {
  /// Tables that keep a patient's id after the patient is erased.
  private static let kept: Set<String> = ["audit"]
  /// Tables without an index, which would cost every new record more than it saves on erasures.
  private static let unindexed: Set<String> = ["resource_keys"]

  private func withSchema(_ body: (any SQLReader) throws -> Void) throws {
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    var outcome: Result<Void, any Error> = .success(())
    try engine.prepare { connection throws(StorageError) in
      try Migrator(migrations: Migration.embedded).migrate(connection)
      outcome = Result { try body(connection) }
    }
    try outcome.get()
  }

  @Test
  func `tables are strict, with primary keys, and patient tables reference a person`() throws {
    try withSchema { reader in
      let tables = try SQLiteCatalogue().tables(in: reader)
      #expect(tables.count > 120)
      var parents: [String: Set<String>] = [:]
      for table in tables {
        #expect(!table.key.isEmpty, "\(table.name)")
        let strict = try reader.first(
          "SELECT strict FROM pragma_table_list WHERE name = $1", [.text(table.name)])
        #expect(try strict?.bool(0) == true, "\(table.name)")
        for row in try reader.query(
          "SELECT \"table\", on_delete FROM pragma_foreign_key_list($1)", [.text(table.name)])
        where try row.text(1) == "CASCADE" {
          parents[table.name, default: []].insert(try row.text(0))
        }
      }
      for table in tables where table.columns.contains("patient") && table.name != "people" {
        guard !Self.kept.contains(table.name) else { continue }
        var reached = parents[table.name] ?? []
        while !reached.contains("people") {
          let next = reached.union(reached.flatMap { parents[$0] ?? [] })
          guard next != reached else { break }
          reached = next
        }
        #expect(reached.contains("people"), "No key leads from \(table.name) to people.")
      }
    }
  }

  @Test func `every foreign key has an index that begins with its columns`() throws {
    try withSchema { reader in
      for table in try SQLiteCatalogue().tables(in: reader) {
        guard !Self.unindexed.contains(table.name) else { continue }
        var keys: [Int64: Set<String>] = [:]
        for row in try reader.query(
          "SELECT id, \"from\" FROM pragma_foreign_key_list($1)", [.text(table.name)])
        {
          keys[try row.integer(0), default: []].insert(try row.text(1))
        }
        let indexes = try reader.query(
          "SELECT name FROM pragma_index_list($1) WHERE partial = 0", [.text(table.name)]
        ).map { index in
          try reader.query(
            "SELECT name FROM pragma_index_info($1) ORDER BY seqno", [.text(try index.text(0))]
          ).map { try $0.optionalText(0) ?? "an expression" }
        }
        for columns in keys.values {
          #expect(
            indexes.contains { Set($0.prefix(columns.count)) == columns },
            "\(table.name) (\(columns.sorted().joined(separator: ", ")))")
        }
      }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `erasing a person removes all their rows and no one else's`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase(migrations: Migration.embedded) { database in
      let rows = try SchemaRows.all(["ann", "bob"])
      try await database.write { writer in for row in rows { try row.insert(in: writer) } }
      let tables = try await database.patientTables()
      func counts(_ person: PatientID) async throws -> [String: Int] {
        try await database.read { reader in
          try Dictionary(
            uniqueKeysWithValues: tables.map { ($0.name, try $0.count(of: person, in: reader)) })
        }
      }
      let before = try await database.rowCounts()
      #expect(try await counts("ann").values.allSatisfy { $0 == 1 })
      try await database.write { writer in
        try writer.execute("DELETE FROM people WHERE patient = 'ann'", [])
      }
      #expect(try await counts("ann").values.allSatisfy { $0 == 0 })
      #expect(try await counts("bob").values.allSatisfy { $0 == 1 })
      // The account's rows are erased with the person; rows of the installation stay.
      for (table, count) in try await database.rowCounts() {
        let had = try #require(before[table])
        let isOfPeople = had == 2 && table != "dose_approvals"
        #expect(count == (isOfPeople ? 1 : had), "\(table)")
      }
      #expect(try await database.brokenRules().isEmpty)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a row that breaks a rule only rolls back its own transaction`(
    form: DatabaseForm
  ) async throws {
    try await form.withDatabase(migrations: Migration.embedded) { database in
      let rows = try SchemaRows.all(["ann"])
      try await database.write { writer in for row in rows { try row.insert(in: writer) } }
      let broken: [(StaticString, StorageError.Constraint)] = [
        ("UPDATE plans SET status = 'running'", .check),
        ("UPDATE doses SET late_until = on_time_until - 1", .check),
        ("UPDATE escalation_settings SET quiet_until = NULL", .check),
        ("UPDATE message_rules SET minute = 1440", .check),
        ("UPDATE doses SET plan = 'none'", .foreignKey),
        ("DELETE FROM plans", .foreignKey),
        ("UPDATE people SET zone = NULL", .notNull),
        ("INSERT INTO secrets SELECT name, sealed FROM secrets", .unique),
      ]
      for (sql, rule) in broken {
        async let other: Void = database.write { writer in
          try writer.execute("UPDATE people SET nickname = 'A'", [])
        }
        do {
          try await database.write { writer in
            try writer.execute("UPDATE people SET display_name = 'half'", [])
            try writer.execute(sql, [])
          }
          Issue.record("\(sql) was accepted.")
        } catch StorageError.constraint(let found, let place) {
          #expect(found == rule, "\(sql)")
          #expect(!place.contains("running"))
        }
        try await other
      }
      let name = try await database.read { reader in
        try reader.first("SELECT display_name, nickname FROM people")
      }
      #expect(try name?.text(0) == "display_name-ann")
      #expect(try name?.text(1) == "A")
    }
  }

  @Test func `a value of the wrong type is refused`() async throws {
    try await DatabaseForm.sqliteMemory.withDatabase(migrations: Migration.embedded) { database in
      await #expect {
        try await database.write { writer in
          try writer.execute("INSERT INTO secrets VALUES ('a', 'text')", [])
        }
      } throws: { error in
        guard case StorageError.constraint(.type, _) = error else { return false }
        return true
      }
    }
  }

  @Test func `rows broken by hand are reported with table, row and rule`() async throws {
    try await withTemporaryFolder { path in
      let keys = try KeyRing.test
      func open() throws -> Database {
        try Database.open(
          .folder(try DataFolder(path: path)), keys: keys, node: "test", logger: .quiet)
      }
      let before = try open()
      let rows = try SchemaRows.all(["ann", "bob"])
      try await before.write { writer in for row in rows { try row.insert(in: writer) } }
      #expect(try await before.brokenRules().isEmpty)
      await before.close()
      try await changeByHand(
        path,
        """
        UPDATE plans SET status = 'running' WHERE patient = 'bob';
        DELETE FROM reminders WHERE patient = 'ann';
        """)
      let after = try open()
      #expect(try await after.damage().isEmpty)
      let found = try await after.brokenRules()
      #expect(found.count == 2)
      #expect(
        found.contains("deliveries, row 1: FOREIGN KEY (patient, subject) REFERENCES reminders"))
      #expect(found.contains { $0.hasPrefix("plans, row 2: CHECK (status IN ('active', ") })
      await after.close()
    }
  }

  /// Changes a database file like a program that does not know its rules.
  private func changeByHand(_ path: String, _ sql: String) async throws {
    let folder = try DataFolder(path: path)
    let engine = try SQLiteEngine.open(file: folder.databasePath, logger: .quiet)
    try engine.prepare { connection throws(StorageError) in
      try connection.enforce(foreignKeys: false, checks: false)
      try connection.executeScript(sql)
    }
    await withCheckedContinuation { done in engine.close { _ in done.resume() } }
    withExtendedLifetime(folder) {}
  }

  private static let texts: [(String, [String])] = [
    (
      "CREATE TABLE t (a TEXT CHECK (a IN ('x)', '--')), -- CHECK (no)\n CHECK (a <> b))",
      ["a IN ('x)', '--')", "a <> b"]
    ),
    ("CREATE TABLE t (a TEXT, unCHECK (a), CHECK a, \"CHECK (b)\" TEXT)", []),
    ("CREATE TABLE t (CHECK ((a IS NULL) =\n  (b IS NULL))", ["(a IS NULL) = (b IS NULL)"]),
    ("CHECK", []), ("CHECK (", [""]), ("'", []), ("", []),
  ]

  @Test(arguments: texts)
  func `the checks of a table are read from its text`(text: String, checks: [String]) {
    #expect(SchemaText(text).checks == checks)
  }
}
