// SPDX-License-Identifier: Apache-2.0

/// A receiver of the content of a backup, in its order.
protocol BackupReceiver: AnyObject {
  func begin(_ manifest: BackupManifest) throws
  func file(_ name: String, _ content: [UInt8]) throws
  func table(_ table: StoredTable) throws
  func row(_ values: [SQLValue]) throws
  func end() throws
}

/// Reads a whole backup and passes its content on.
struct BackupReader {
  let path: String
  let secret: BackupSecret

  /// Reads the backup.
  ///
  /// Throws before anything is passed on if the secret is wrong, and at the chunk where the file is damaged
  /// or truncated: discard everything received until then.
  @discardableResult
  func perform(into receiver: any BackupReceiver) throws -> BackupManifest {
    let input = try BackupInput(path: path, secret: secret)
    guard case .manifest(let manifest) = try BackupRecord.read(from: input, columns: 0) else {
      throw BackupError.malformed
    }
    try receiver.begin(manifest)
    var current: StoredTable?
    var counts: [String: Int64] = [:]
    var total: Int64 = 0
    reading: while true {
      switch try BackupRecord.read(from: input, columns: current?.columns.count ?? 0) {
      case .manifest: throw BackupError.malformed
      case .file(let name, let content): try receiver.file(name, content)
      case .table(let table):
        guard manifest.rows[table.name] != nil, counts[table.name] == nil else {
          throw BackupError.malformed
        }
        counts[table.name] = 0
        current = table
        try receiver.table(table)
      case .row(let values):
        guard let table = current else { throw BackupError.malformed }
        counts[table.name, default: 0] += 1
        total += 1
        try receiver.row(values)
      case .end(let rows):
        guard rows == total else { throw BackupError.malformed }
        break reading
      }
    }
    try input.requireEnd()
    for (table, expected) in manifest.rows.sorted(by: { $0.key < $1.key })
    where counts[table] != expected {
      throw BackupError.countsDiffer(table: table, expected: expected, found: counts[table] ?? 0)
    }
    try receiver.end()
    return manifest
  }
}

/// Reads a backup only to check that it opens, is complete and consistent.
package enum BackupProof {
  private final class Nobody: BackupReceiver {
    func begin(_ manifest: BackupManifest) {}
    func file(_ name: String, _ content: [UInt8]) {}
    func table(_ table: StoredTable) {}
    func row(_ values: [SQLValue]) {}
    func end() {}
  }

  /// Reads a whole backup and returns its manifest; slow, so run it ``offThePool(_:)``.
  package static func check(_ path: String, secret: BackupSecret) throws -> BackupManifest {
    try BackupReader(path: path, secret: secret).perform(into: Nobody())
  }
}
