// SPDX-License-Identifier: Apache-2.0
import Foundation
import Synchronization
import Testing
import TestSupport

@testable import Storage

/// A data folder with rows of every kind, and a backup of it.
struct BackupFixture {
  static let secret = BackupSecret.key([UInt8](repeating: 7, count: 32))
  static let made = Timestamp(milliseconds: 1_772_348_400_000)
  let path: String
  var file: String { path + "/one.backup" }
  var target: String { path + "/restored" }

  /// Fills a folder and backs it up; long texts make several chunks of the file.
  static func make(
    in path: String, rows: Int = 300, secret: BackupSecret = secret
  ) async throws -> BackupFixture {
    let fixture = BackupFixture(path: path)
    let database = try fixture.open("live")
    try await database.write { writer in
      for number in 0..<rows {
        try writer.execute(
          "INSERT INTO notes (patient, id, text, amount, content) VALUES ($1, $2, $3, $4, $5)",
          [
            .text("p\(number % 3)"), SQLValue(number + 100), text(number),
            number.isMultiple(of: 2) ? .null : .real(Double(number) / 8),
            .blob([UInt8](repeating: UInt8(number & 0xFF), count: number * 4)),
          ])
        writer.audit(.sample(number))
      }
    }
    _ = try await fixture.backup(database, secret: secret)
    await database.close()
    return fixture
  }

  private static func text(_ number: Int) -> SQLValue {
    number == 5 ? .null : .text(String(repeating: "ø\u{1F600}\u{0}", count: number))
  }

  func open(_ name: String) throws -> Database {
    let folder = try DataFolder(path: "\(path)/\(name)")
    return try Database.open(
      .folder(folder), keys: try KeyRing.load(from: folder, random: seededBytes(4)), node: "test",
      logger: .quiet, migrations: Migration.withTestTable)
  }

  func backup(
    _ database: Database, secret: BackupSecret = secret,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async throws -> BackupReport {
    try await DatabaseBackup(
      of: database, folder: path + "/live", application: "1.2.3", random: seededBytes(9)
    ).write(to: file, secret: secret, now: Self.made, isCancelled: isCancelled)
  }

  func restore(
    secret: BackupSecret = secret, migrations: [Migration] = Migration.withTestTable,
    drill: @escaping BackupRestore.Drill = { _, _, _ in [] }
  ) async throws -> BackupManifest {
    var restore = BackupRestore(
      from: file, secret: secret, node: "test", logger: .quiet, drill: drill)
    restore.migrations = migrations
    return try await restore.perform(into: target).manifest
  }

  var targetIsUntouched: Bool { !FileManager.default.fileExists(atPath: target) }

  /// Returns every row of every table as one text.
  static func content(_ database: Database) async throws -> [String] {
    try await database.read { reader in
      var lines: [String] = []
      for table in try SQLiteCatalogue().tables(in: reader) {
        _ = try #require(TableReading(table)).forEach(in: reader) { row in
          lines.append("\(table.name): \((0..<row.count).map { row[$0] })")
        }
      }
      return lines
    }
  }
}
