// SPDX-License-Identifier: Apache-2.0
import Foundation
import Identifiers
import Logging
import Synchronization
import Testing
import TestSupport

@testable import Storage

/// Predictable "random" bytes: each call continues the stream.
func seededBytes(_ seed: UInt64) -> RandomBytes {
  final class Source: Sendable {
    let generator: Mutex<SeededGenerator>
    init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }
  }
  let source = Source(seed: seed)
  return { count in
    source.generator.withLock { generator in
      (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
    }
  }
}

/// Runs a body with the path of an empty folder, and removes the folder afterwards.
func withTemporaryFolder(_ body: (String) async throws -> Void) async throws {
  let path = try #require(TemporaryFolder.make())
  defer { try? FileManager.default.removeItem(atPath: path) }
  try await body(path)
}

/// The form of database that a contract suite runs on; further engines are added here.
enum DatabaseForm: String, CaseIterable, Sendable, CustomTestStringConvertible {
  case sqliteMemory, sqliteFile, postgres

  static var allCases: [DatabaseForm] {
    TestDatabase.engine == .postgres ? [.postgres] : [.sqliteMemory, .sqliteFile]
  }

  var testDescription: String { rawValue }

  /// Runs a body on an empty database with a table for tests, and closes it.
  func withDatabase(
    migrations: [Migration] = Migration.withTestTable,
    _ body: (Database) async throws -> Void
  ) async throws {
    switch self {
    case .sqliteMemory:
      let database = try Database.open(
        .memory, keys: try KeyRing.test, node: "test", logger: .quiet, migrations: migrations)
      try await body(database)
      await database.close()
    case .sqliteFile:
      try await withTemporaryFolder { path in
        let database = try Database.open(
          .folder(try DataFolder(path: path + "/data")), keys: try KeyRing.test, node: "test",
          logger: .quiet, migrations: migrations)
        try await body(database)
        await database.close()
      }
    case .postgres:
      let location = try await TestDatabase.location(.postgres)
      let database = try await TestDatabase.apart {
        try Database.open(
          location, keys: try KeyRing.test, node: "test", logger: .quiet, migrations: migrations)
      }
      try await body(database)
      await database.close()
    }
  }
}

extension KeyRing {
  static var test: KeyRing {
    get throws { try generate(random: seededBytes(1)) }
  }
}

extension Logger {
  static var quiet: Logger { Logger(label: "test", factory: { _ in SwiftLogNoOpLogHandler() }) }
}

extension Migration {
  static let testTable = Migration(
    name: "m9000-test",
    sql: """
      CREATE TABLE notes (
        patient TEXT NOT NULL, id BIGINT NOT NULL, text TEXT, amount DOUBLE PRECISION,
        content BLOB, CHECK (id <> 13), PRIMARY KEY (patient, id)
      );
      CREATE TABLE note_marks (
        patient TEXT NOT NULL, id BIGINT NOT NULL,
        FOREIGN KEY (patient, id) REFERENCES notes (patient, id), PRIMARY KEY (patient, id)
      );
      """)

  static var withTestTable: [Migration] { embedded + [testTable] }
}

extension AuditEntry {
  static func sample(_ number: Int, patient: PatientID? = "p1") -> AuditEntry {
    AuditEntry(
      at: Timestamp(milliseconds: 1_700_000_000_000 + Int64(number) * 100), actor: "ann",
      kind: .update, patient: patient, resource: "MedicationRequest",
      resourceID: "r\(number % 7)", version: Int64(number), purpose: "care")
  }
}

extension Database {
  func addNote(_ id: Int, _ text: String? = "note", patient: PatientID = "p1") async throws {
    try await write { writer in
      try writer.execute(
        "INSERT INTO notes (patient, id, text) VALUES ($1, $2, $3)",
        [.text(patient), SQLValue(id), SQLValue(text)])
    }
  }

  func noteIDs() async throws -> [Int64] {
    try await read { reader in
      try reader.query("SELECT id FROM notes ORDER BY id").map { try $0.integer(0) }
    }
  }
}
