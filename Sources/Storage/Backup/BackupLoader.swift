// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Loads a backup into an empty database, and its files into a folder.
///
/// The schema is first migrated to the step at which the backup was made; the next opening applies later
/// steps.
final class BackupLoader: BackupReceiver {
  /// The number of rows in a transaction: few enough to save memory, many enough for speed.
  private static let batch = 5_000
  private let folder: String
  private let connection: any SQLConnection
  private let catalogue: any EngineCatalogue
  private let known: [Migration]
  private var tables: [String: StoredTable] = [:]
  private var insert: SQLText = ""
  private var waiting = 0
  private var expected: [String: Int64] = [:]

  init(
    folder: String, connection: any SQLConnection, catalogue: any EngineCatalogue,
    migrations: [Migration] = Migration.embedded
  ) {
    self.folder = folder
    self.connection = connection
    self.catalogue = catalogue
    known = migrations
  }

  /// Returns the migrations of this program that make up a backup's schema.
  static func migrations(
    of manifest: BackupManifest, among known: [Migration]
  ) throws -> [Migration] {
    for (index, step) in manifest.steps.enumerated() {
      if Migration.isUnreleased(checksum: step.checksum) { throw StorageError.schemaUnreleased }
      guard known.contains(where: { $0.name == step.name }) else {
        throw BackupError.newerSchema(name: step.name)
      }
      guard index < known.count, known[index].name == step.name else {
        throw StorageError.migrationOutOfOrder(name: step.name)
      }
      guard known[index].checksum == step.checksum else {
        throw StorageError.migrationChanged(name: step.name)
      }
    }
    return Array(known.prefix(manifest.steps.count))
  }

  func begin(_ manifest: BackupManifest) throws {
    expected = manifest.rows
    let steps = try Self.migrations(of: manifest, among: known)
    try Migrator(migrations: steps).migrate(connection)
    for table in try catalogue.tables(in: connection) { tables[table.name] = table }
    // Rows come table by table, and a row that broke a rule in the backup stays as it was: the drill reports
    // it.
    try connection.enforce(foreignKeys: false, checks: false)
  }

  func file(_ name: String, _ content: [UInt8]) throws {
    // Accept only known names, so that nothing is written elsewhere.
    guard DataFolder.companions.contains(name) else { throw BackupError.malformed }
    try PrivateFile.replace("\(folder)/\(name)", with: Data(content), synced: true)
  }

  func table(_ table: StoredTable) throws {
    try commit()
    guard let own = tables[table.name], Set(own.columns) == Set(table.columns),
      own.columns.count == table.columns.count
    else { throw BackupError.malformed }
    // A migration may have inserted rows that the backup also contains.
    var clear: SQLText = "DELETE FROM "
    clear.appendIdentifiers([table.name])
    try connection.execute(dynamic: clear, [])
    insert = "INSERT INTO "
    insert.appendIdentifiers([table.name])
    insert.append(" (")
    insert.appendIdentifiers(table.columns)
    insert.append(") VALUES (")
    insert.appendPlaceholders(table.columns.count, startingAt: 1)
    insert.append(")")
  }

  func row(_ values: [SQLValue]) throws {
    if waiting == 0 { try connection.execute("BEGIN IMMEDIATE") }
    waiting += 1
    try connection.execute(dynamic: insert, values)
    if waiting >= Self.batch { try commit() }
  }

  func end() throws {
    try commit()
    try connection.enforce(foreignKeys: true, checks: true)
    for (table, expected) in expected.sorted(by: { $0.key < $1.key }) {
      let found = try TableReading.count(table, in: connection)
      guard found == expected else {
        throw BackupError.countsDiffer(table: table, expected: expected, found: found)
      }
    }
  }

  private func commit() throws {
    guard waiting > 0 else { return }
    waiting = 0
    try connection.execute("COMMIT")
  }
}
