// SPDX-License-Identifier: Apache-2.0

import Foundation
import Identifiers
import Logging
import TestSupport
import Testing
import Web

@testable import Operations
@testable import Storage

/// `regimen upgrade`: it says what it will do, makes a backup, and says how to go back.
@Suite struct DatabaseUpgradeTests {
  private static let step = Migration(
    name: "m8999-next", sql: "CREATE TABLE upgrade_marks (id BIGINT NOT NULL PRIMARY KEY);")
  private static let broken = Migration(
    name: "m8999-next", sql: "DELETE FROM audit; INSERT INTO nowhere VALUES (1);")
  private static let now = Timestamp(milliseconds: 1_772_348_400_000)
  private static let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }

  /// A data folder of the present schema, and the place of its backups.
  private struct Place {
    let path: String
    let keys: KeyRing
    let folder: DataFolder

    var backup: DatabaseUpgrade.Backup {
      DatabaseUpgrade.Backup(
        path: path + "/before.backup", secret: .key([UInt8](repeating: 7, count: 32)),
        option: "--key-file /etc/key")
    }

    func upgrade(
      _ migrations: [Migration], freeBytes: Int64 = 1 << 40
    ) -> DatabaseUpgrade {
      var schema = SchemaUpgrade(
        of: .folder(folder), keys: keys, node: "test", anchoring: .expected,
        logger: DatabaseUpgradeTests.logger)
      schema.migrations += migrations
      var upgrade = DatabaseUpgrade(
        schema: schema, folder: folder.path, keys: folder.keyPlace, isFile: true,
        random: { [UInt8](repeating: 5, count: $0) }, now: { DatabaseUpgradeTests.now })
      upgrade.freeBytes = { _ in freeBytes }
      return upgrade
    }
  }

  @Test func `the check names the steps, and what prevents them`() async throws {
    try await withPlace { place in
      let well = try await place.upgrade([Self.step]).check(backup: place.backup.path)
      #expect(well.isWell)
      #expect(well.lines.contains("      steps to apply: 1"))
      #expect(well.lines.contains("        m8999-next"))
      #expect(well.lines.filter { $0.hasPrefix("ok    free space") }.count == 2)
      let full = try await place.upgrade([Self.step], freeBytes: 5).check(backup: nil)
      #expect(!full.isWell)
      #expect(full.lines.filter { $0.hasPrefix("FAIL  free space") }.count == 1)
      let same = try await place.upgrade([]).check(backup: nil)
      #expect(same.isWell)
      #expect(same.lines == ["ok    the database is up to date: there is nothing to upgrade"])
    }
  }

  @Test func `an upgrade begins with a backup, which leads back`() async throws {
    try await withPlace { place in
      let report = try await place.upgrade([Self.step]).perform(backup: place.backup)
      #expect(report.isWell)
      #expect(report.lines.first?.hasPrefix("ok    backup made: \(place.backup.path), ") == true)
      #expect(report.lines.contains("ok    steps applied: m8999-next"))
      #expect(
        report.lines.last
          == "regimen restore --from \(place.backup.path) --key-file /etc/key"
          + " --data \(place.folder.path)")
      // The earlier program refuses the new data, and opens the backup.
      await #expect(throws: StorageError.migrationNewer(name: Self.step.name)) {
        try await place.upgrade([]).schema.plan()
      }
      let restore = BackupRestore(
        from: place.backup.path, secret: place.backup.secret, node: "test", logger: Self.logger
      ) { database, _, _ in try await database.damage() }
      let restored = try await restore.perform(into: place.path + "/restored")
      #expect(restored.faults == [])
      let again = try await place.upgrade([Self.step]).perform(backup: place.backup)
      #expect(again.lines == ["ok    the database is up to date: there is nothing to upgrade"])
    }
  }

  @Test func `the upgrade is in the audit trail`() async throws {
    try await withPlace { place in
      let upgrade = place.upgrade([Self.step])
      let report = try await upgrade.perform(backup: nil)
      #expect(report.lines.last == "To go back: restore your own backup with the earlier version.")
      let database = try upgrade.schema.perform()
      let names = try await database.read { reader in
        try reader.query("SELECT resource FROM audit ORDER BY sequence").map { try $0.text(0) }
      }
      await database.close()
      #expect(names.last == "Upgrade")
      #expect(!names.contains("Backup"))
    }
  }

  @Test func `a failure names the backup and leaves the data as they were`() async throws {
    try await withPlace { place in
      let upgrade = place.upgrade([Self.broken])
      do {
        _ = try await upgrade.perform(backup: place.backup)
        Issue.record("The broken step was accepted.")
      } catch let error as DatabaseUpgradeError {
        #expect(error.description.contains("the data is as before"))
        #expect(error.description.hasSuffix("The backup is \(place.backup.path)."))
      }
      #expect(try await upgrade.schema.plan().steps == [Self.broken.name])
      let database = try place.upgrade([]).schema.perform()
      #expect(try await database.verifyAudit().isIntact)
      #expect(try await database.verifyAudit().rows == 1)
      await database.close()
    }
  }

  @Test func `without space nothing begins`() async throws {
    try await withPlace { place in
      do {
        _ = try await place.upgrade([Self.step], freeBytes: 5).perform(backup: place.backup)
        Issue.record("It began on a full disk.")
      } catch DatabaseUpgradeError.noRoom(_, _, let free) {
        #expect(free == 5)
      }
      #expect(!FileManager.default.fileExists(atPath: place.backup.path))
      #expect(try await place.upgrade([Self.step]).schema.plan().steps == [Self.step.name])
    }
  }

  /// Runs a body on a closed database with one row in its audit trail.
  private func withPlace(_ body: (Place) async throws -> Void) async throws {
    let path = try #require(TemporaryFolder.make())
    defer { try? FileManager.default.removeItem(atPath: path) }
    let folder = try DataFolder(path: path + "/data")
    let keys = try KeyRing.load(from: folder) { [UInt8](repeating: 3, count: $0) }
    let database = try Database.open(
      .folder(folder), keys: keys, node: "test", logger: Self.logger)
    try await database.write { writer in
      writer.audit(
        AuditEntry(
          at: Self.now, actor: .hostOperator, kind: .update, patient: nil, resource: "Plan",
          purpose: "care"))
    }
    await database.close()
    try await body(Place(path: path, keys: keys, folder: folder))
  }
}
