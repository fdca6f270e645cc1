// SPDX-License-Identifier: Apache-2.0
import Testing
import TestSupport

@testable import Storage

/// The contract of every engine; runs on each form of database.
@Suite struct DatabaseContractTests {
  @Test(arguments: DatabaseForm.allCases)
  func `values read back as they were written`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      let values: [(Int, SQLValue, SQLValue, SQLValue)] = [
        (1, .text(""), .real(0.1), .blob([])),
        (2, .text("Grüße, ยา\u{0}after"), .real(-1e300), .blob([0, 255, 1])),
        (3, .null, .null, .null),
        (
          4, .text(String(repeating: "long ", count: 5_000)), 2.5,
          .blob(.init(repeating: 7, count: 9_000))
        ),
      ]
      for (id, text, amount, content) in values {
        try await database.write { writer in
          let changed = try writer.execute(
            "INSERT INTO notes (patient, id, text, amount, content) VALUES ($1, $2, $3, $4, $5)",
            ["p", SQLValue(id), text, amount, content])
          #expect(changed == 1)
        }
        let row = try await database.read { reader in
          try reader.first(
            "SELECT text, amount, content, id FROM notes WHERE id = $1 AND patient = $2",
            [SQLValue(id), "p"])
        }
        #expect(row?[0] == text)
        #expect(row?[1] == amount)
        #expect(row?[2] == content)
        #expect(try row?.integer(3) == Int64(id))
      }
      await database.close()
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a row that doesn't match gives a clear error`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.addNote(1, nil)
      let row = try await database.read { try $0.first("SELECT id, text FROM notes") }
      let found = try #require(row)
      #expect(try found.optionalText(1) == nil)
      #expect(throws: StorageError.unexpectedValue(column: 1, expected: .text)) {
        try found.text(1)
      }
      #expect(throws: StorageError.unexpectedValue(column: 0, expected: .text)) {
        try found.optionalText(0)
      }
      #expect(throws: StorageError.unexpectedValue(column: 9, expected: .integer)) {
        try found.integer(9)
      }
      #expect(try found.bool(0))
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a failed body is rolled back with its audit entries`(form: DatabaseForm) async throws {
    struct Refused: Error {}
    try await form.withDatabase { database async throws in
      await #expect(throws: Refused.self) {
        try await database.write { writer in
          try writer.execute("INSERT INTO notes (patient, id) VALUES ($1, $2)", ["p", 1])
          writer.audit(.sample(1))
          throw Refused()
        }
      }
      #expect(try await database.noteIDs() == [])
      #expect(try await database.verifyAudit().rows == 0)
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `violations of different schema rules are distinguished`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.addNote(1)
      #expect(await constraint { try await database.addNote(1) } == .unique)
      #expect(await constraint { try await database.addNote(13) } == .check)
      let orphan = await constraint {
        try await database.write { writer in
          try writer.execute("INSERT INTO note_marks (patient, id) VALUES ($1, $2)", ["p", 99])
        }
      }
      #expect(orphan == .foreignKey)
      let missing = await constraint {
        try await database.write { writer in
          try writer.execute("INSERT INTO notes (patient, id) VALUES ($1, $2)", [nil, 5])
        }
      }
      #expect(missing == .notNull)
      #expect(try await database.noteIDs() == [1])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `arguments must fit the statement`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      await #expect(throws: StorageError.argumentCount(expected: 1, given: 2)) {
        try await database.read { try $0.query("SELECT id FROM notes WHERE id = $1", [1, 2]) }
      }
      await #expect(throws: StorageError.argumentCount(expected: 1, given: 0)) {
        try await database.read { try $0.query("SELECT id FROM notes WHERE id = $1") }
      }
      let repeated = try await database.read {
        try $0.first("SELECT $1, $2, $1", ["a", "b"]).map { [$0[0], $0[1], $0[2]] }
      }
      #expect(repeated == ["a", "b", "a"])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `an invalid statement gives the engine's error message`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      await #expect(throws: StorageError.self) {
        try await database.read { try $0.query("SELECT nothing FROM nowhere") }
      }
      #expect(try await database.noteIDs() == [])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `reads cannot write`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      await #expect(throws: StorageError.self) {
        try await database.read {
          try $0.query("INSERT INTO notes (patient, id) VALUES ('p', 1) RETURNING id")
        }
      }
      #expect(try await database.noteIDs() == [])
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `lists are bound, never spliced`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      for id in 1...5 { try await database.addNote(id, "it's \(id)") }
      for wanted in [[], [2], [1, 3, 5], Array(1...300)] {
        var sql: SQLText = "SELECT id FROM notes WHERE patient = $1 AND id IN ("
        sql.appendPlaceholders(wanted.count, startingAt: 2)
        sql.append(") ORDER BY id")
        let text = sql
        let found = try await database.read { reader in
          try reader.query(dynamic: text, ["p1"] + wanted.map { SQLValue($0) })
            .map { Int(try $0.integer(0)) }
        }
        #expect(found == wanted.filter { $0 <= 5 })
      }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a reader or writer kept beyond its block is refused`(form: DatabaseForm) async throws {
    final class Keeper: @unchecked Sendable {
      var reader: (any SQLReader)?
      var writer: (any SQLWriter)?
    }
    try await form.withDatabase { database async throws in
      let keeper = Keeper()
      try await database.read { keeper.reader = $0 }
      try await database.write { keeper.writer = $0 }
      #expect(throws: StorageError.closed) { try keeper.reader?.query("SELECT 1") }
      #expect(throws: StorageError.closed) { try keeper.writer?.execute("DELETE FROM notes", []) }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a closed database refuses work with a clear error`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.addNote(1)
      try await database.healthCheck()
      await database.close()
      await database.close()
      await #expect(throws: StorageError.closed) { try await database.noteIDs() }
      await #expect(throws: StorageError.closed) { try await database.addNote(2) }
      await #expect(throws: StorageError.closed) { try await database.healthCheck() }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `a cancelled check of everything ends early`(form: DatabaseForm) async throws {
    try await form.withDatabase { database async throws in
      try await database.addNote(1)
      let (gate, opening) = AsyncStream<Void>.makeStream()
      let check = Task {
        for await _ in gate {}
        return try await database.damage()
      }
      check.cancel()
      opening.finish()
      await #expect(throws: CancellationError.self) { try await check.value }
      #expect(try await database.damage().isEmpty)
      await database.close()
    }
  }

  @Test(.enabled(if: TestDatabase.engine != .postgres))
  func `closing a file ends a read that takes long`() async throws {
    try await DatabaseForm.sqliteFile.withDatabase { database async throws in
      let (beginning, begins) = AsyncStream<Void>.makeStream()
      let reading = Task {
        try await database.read { reader in
          // More than a minute, unless it is ended.
          for number in 0..<2_000 {
            _ = try reader.query(
              """
              WITH RECURSIVE n (x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 200000)
              SELECT count(*) FROM n
              """)
            if number == 0 { begins.finish() }
          }
        }
      }
      for await _ in beginning {}
      await database.close()
      await #expect(throws: StorageError.self) { try await reading.value }
    }
  }

  @Test(arguments: DatabaseForm.allCases)
  func `the engine reports its name`(form: DatabaseForm) async throws {
    let name = form == .postgres ? "PostgreSQL 1" : "SQLite 3."
    try await form.withDatabase { #expect($0.engineDescription.hasPrefix(name)) }
  }

  private func constraint(_ body: () async throws -> some Any) async -> StorageError.Constraint? {
    do {
      _ = try await body()
    } catch StorageError.constraint(let kind, _) {
      return kind
    } catch {}
    return nil
  }
}
