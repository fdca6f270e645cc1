// SPDX-License-Identifier: Apache-2.0
import Foundation

/// The result of a backup.
package struct BackupReport: Sendable, Equatable {
  /// The size of the file in bytes.
  package let bytes: Int64
  /// The number of rows in the backup.
  package let rows: Int64
  /// The number of tables in the backup.
  package let tables: Int
}

/// Writes a snapshot of the database and the files that belong to it into one encrypted file.
///
/// It reads in one transaction on a reading connection. Writers continue, and the file contains everything
/// committed when the transaction began. Memory use does not grow with the data.
package struct DatabaseBackup: Sendable {
  let database: Database
  /// The data folder's path.
  let folder: String?
  let keys: KeyPlace?
  let application: String
  let random: RandomBytes
  let catalogue: any EngineCatalogue

  /// Creates a backup of an open database.
  package init(
    of database: Database, folder: String?, keys: KeyPlace? = nil, application: String,
    random: @escaping RandomBytes
  ) {
    self.database = database
    self.folder = folder
    self.keys = keys
    self.application = application
    self.random = random
    catalogue = database.catalogue
  }

  /// Returns the names and contents of the files next to the database, which include the keys needed to read
  /// it.
  private func companions() throws(StorageError) -> [String: [UInt8]] {
    guard let folder else { return [:] }
    var files: [String: [UInt8]] = [:]
    for name in DataFolder.companions {
      var path = "\(folder)/\(name)"
      if name == DataFolder.keysName, let keys { path = keys.path }
      guard PrivateFile.exists(path) else { continue }
      files[name] = Array(try PrivateFile.read(path))
    }
    return files
  }

  /// Writes the file, under another name until it is complete and on disk.
  ///
  /// - Parameters:
  ///   - now: the time recorded in the file.
  ///   - isCancelled: called between rows; true stops and leaves nothing behind.
  package func write(
    to path: String, secret: BackupSecret, now: Timestamp,
    isCancelled: @escaping @Sendable () -> Bool = { false }
  ) async throws -> BackupReport {
    let preamble = BackupPreamble(secret: secret.kind, salt: random(32))
    let keys = try await offThePool { try secret.keys(for: preamble) }
    while true {
      let files = try companions()
      let report = try await database.read { reader in
        try write(
          reader, to: path, preamble: preamble, keys: keys, files: files, now: now, isCancelled)
      }
      if let report { return report }
    }
  }

  /// Writes the file; nil if a file next to the database changed just as the snapshot began, because the keys
  /// must match the snapshot.
  private func write(
    _ reader: any SQLReader, to path: String, preamble: BackupPreamble, keys: BackupKeys,
    files: [String: [UInt8]], now: Timestamp, _ isCancelled: () -> Bool
  ) throws -> BackupReport? {
    let tables = try catalogue.tables(in: reader)
    let manifest = try manifest(of: tables, now: now, in: reader)
    guard try companions() == files else { return nil }
    guard manifest.rowCount > 0 else { throw BackupError.empty }
    let output = try BackupOutput(path: path, preamble: preamble, keys: keys)
    try append(to: output) { try BackupRecord.encode(manifest, to: &$0) }
    for name in DataFolder.companions {
      guard let content = files[name] else { continue }
      try output.append { BackupRecord.encode(file: name, content, to: &$0) }
    }
    var rows: Int64 = 0
    for table in tables {
      try append(to: output) { try BackupRecord.encode(table, to: &$0) }
      guard let reading = TableReading(table) else { throw BackupError.malformed }
      rows += try reading.forEach(in: reader) { row in
        if isCancelled() { throw BackupError.cancelled }
        try output.append { BackupRecord.encode(row, to: &$0) }
      }
    }
    try output.append { BackupRecord.encodeEnd(rows: rows, to: &$0) }
    try output.finish()
    return BackupReport(bytes: output.count, rows: rows, tables: tables.count)
  }

  private func append(to output: BackupOutput, _ encode: (inout [UInt8]) throws -> Void) throws {
    var bytes: [UInt8] = []
    try encode(&bytes)
    try output.append { $0 += bytes }
  }

  private func manifest(
    of tables: [StoredTable], now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> BackupManifest {
    let applied: [AppliedStep] = try reader.query(AppliedStep.all, []).decode()
    let steps = applied.map { BackupManifest.Step(name: $0.name, checksum: $0.checksum) }
    var counts: [String: Int64] = [:]
    for table in tables { counts[table.name] = try TableReading.count(table.name, in: reader) }
    return BackupManifest(
      application: application, made: now.milliseconds, engine: database.engineDescription,
      steps: steps, rows: counts)
  }
}
