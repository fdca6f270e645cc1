// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing
import TestSupport

@testable import Storage

/// A backup of PostgreSQL has the same format: it is restored into a folder.
@Suite(.enabled(if: TestDatabase.engine == .postgres))
struct PostgresBackupTests {
  private func rows(_ database: Database) async throws -> [[SQLValue]] {
    try await database.read { reader in
      try reader.query("SELECT patient, id, text, amount, content FROM notes ORDER BY patient, id")
        .map { row in (0..<5).map { row[$0] } }
    }
  }

  @Test func `a PostgreSQL backup restores into a folder, row by row`() async throws {
    guard case .postgres(let address, _, _) = try await TestDatabase.location(.postgres) else {
      throw StorageError.closed
    }
    try await withTemporaryFolder { path in
      let fixture = BackupFixture(path: path)
      let database = try await TestDatabase.apart {
        let folder = try DataFolder(path: path + "/live")
        return try Database.open(
          .postgres(address, folder, uptime: { 0 }),
          keys: try KeyRing.load(from: folder, random: seededBytes(4)), node: "test",
          logger: .quiet, migrations: Migration.withTestTable)
      }
      try await database.write { writer in
        for number in 0..<230 {
          try writer.execute(
            "INSERT INTO notes (patient, id, text, amount, content) VALUES ($1, $2, $3, $4, $5)",
            [
              .text("p\(number % 3)"), SQLValue(number + 100),
              number == 5 ? .null : .text("ยา \(number)\u{0}'"), .real(Double(number) / 8),
              .blob([0, UInt8(number)]),
            ])
          writer.audit(.sample(number))
        }
      }
      let before = try await rows(database)
      let report = try await fixture.backup(database)
      let counts = try await database.rowCounts()
      #expect(report.rows == counts.values.reduce(0, +))
      await database.close()

      let manifest = try await fixture.restore { restored, _, _ in
        #expect(try await restored.verifyAudit().isIntact)
        return try await restored.damage()
      }
      #expect(manifest.rows == counts && manifest.rows["notes"] == 230)
      let restored = try fixture.open("restored")
      #expect(try await rows(restored) == before)
      await restored.close()
    }
  }
}
