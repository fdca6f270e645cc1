// SPDX-License-Identifier: Apache-2.0

/// Replaces the field key: re-encrypts everything encrypted with an older key, and only then deletes that
/// key.
///
/// It can be stopped at any time and continues when it is called again: each field names its key, and a key
/// is saved before the first field needs it.
package struct KeyRotation: Sendable {
  /// The result of a key rotation.
  package struct Result: Sendable, Equatable {
    /// The id of the key that now encrypts everything.
    package var key = ""
    /// The number of fields that were re-encrypted.
    package var resealed = 0
    /// The columns that still need older keys: fields that cannot be decrypted, or columns missing from
    /// ``SealedColumn``.
    package var left: [String] = []
    /// True if older keys were removed from the key file.
    package var isRetired = false
  }

  /// The number of rows in a transaction: few, so that other writes get their turn.
  private static let page = 200
  private let database: Database
  private let cipher: FieldCipher
  private let witness: KeyWitness

  /// Creates a key rotation; without a witness, every report of another node counts as current.
  package init(
    database: Database, cipher: FieldCipher,
    witness: KeyWitness = KeyWitness(node: nil) { Timestamp(milliseconds: 0) }
  ) {
    self.database = database
    self.cipher = cipher
    self.witness = witness
  }

  /// Creates a new key, unless an earlier rotation was interrupted, re-encrypts everything, and deletes the
  /// older keys.
  ///
  /// Throws ``StorageError/nodesRunning`` if another process could continue with the old keys: other nodes
  /// may run only if all of them report that they already use the newest key. Throws
  /// ``StorageError/keysReadOnly(path:)`` if only the operator can provide a new key.
  package func perform(in place: KeyPlace, random: RandomBytes) async throws -> Result {
    try await requireAgreement(isNewKeyMade: cipher.keys.fields.older.isEmpty)
    guard cipher.beginChange() else {
      throw StorageError.keysUnusable(
        path: place.path, reason: "another key change is running; wait until it ends")
    }
    defer { cipher.endChange() }
    if cipher.keys.fields.older.isEmpty {
      guard case .file(let path) = place else {
        throw StorageError.keysReadOnly(path: place.path)
      }
      let ring = try cipher.keys.withNewFieldKey(random: random)
      try ring.write(to: path)
      cipher.adopt(ring)
    }
    var result = Result(key: cipher.keys.fields.current.id)
    for column in SealedColumn.all { result.resealed += try await reseal(column) }
    // Fields are encrypted inside transactions, one at a time, so by now all fields with an older key are in
    // the database and are found.
    result.left = try await columns(sealedBy: cipher.keys.fields.older)
    guard result.left.isEmpty, case .file(let path) = place else { return result }
    // A node started meanwhile may still encrypt with the older key.
    try await requireAgreement()
    let ring = cipher.keys.withoutOlderFieldKeys
    try ring.write(to: path)
    cipher.adopt(ring)
    result.isRetired = true
    return result
  }

  /// Writes the next keys to a new file, for a place that only the operator can change: with a new
  /// key, or without older keys that are no longer needed.
  ///
  /// Returns the id of the newest key. Throws if the file exists, or if an older key is still
  /// needed.
  package func writeNext(to path: String, random: RandomBytes) async throws -> String {
    guard !PrivateFile.exists(path) else {
      throw StorageError.keysUnusable(path: path, reason: "the file already exists")
    }
    var ring = cipher.keys
    if !ring.fields.older.isEmpty { try await requireAgreement() }
    if ring.fields.older.isEmpty {
      ring = try ring.withNewFieldKey(random: random)
    } else if let first = try await columns(sealedBy: ring.fields.older).first {
      throw StorageError.keysUnusable(
        path: path, reason: "\(first) still needs an older key; change the key first")
    } else {
      ring = ring.withoutOlderFieldKeys
    }
    try ring.write(to: path)
    return ring.fields.current.id
  }

  /// Throws while a running node may encrypt with a key other than the newest.
  ///
  /// - Parameter isNewKeyMade: true if the key is created now, so that no other node can have it.
  private func requireAgreement(isNewKeyMade: Bool = false) async throws {
    let others = try await database.otherNodes(than: witness.node, at: witness.now())
    let newest = cipher.keys.fields.current.id
    // A node that does not report its keys may have any.
    guard others.keys.count >= others.count, others.keys.allSatisfy({ $0 == newest }),
      !isNewKeyMade || (others.count == 0 && others.keys.isEmpty)
    else { throw StorageError.nodesRunning }
  }

  /// Re-encrypts the fields of a column, some in each transaction.
  private func reseal(_ column: SealedColumn) async throws -> Int {
    var count = 0
    var place: SQLValue?
    while true {
      let (from, cipher) = (place, self.cipher)
      let (last, changed) = try await database.write { writer in
        try Self.resealPage(of: column, after: from, cipher, in: writer)
      }
      count += changed
      guard let last else { return count }
      place = last
    }
  }

  /// Re-encrypts a page of rows and returns the last key of a full page; nil at the end.
  private static func resealPage(
    of column: SealedColumn, after place: SQLValue?, _ cipher: FieldCipher,
    in writer: any SQLWriter
  ) throws(StorageError) -> (last: SQLValue?, changed: Int) {
    let rows = try writer.query(
      dynamic: column.page(isFirst: place == nil),
      [place].compactMap(\.self) + [SQLValue(page)])
    var changed = 0
    for row in rows {
      // Both names are those of the encrypted column.
      let (key, field) = (row[0], row[1])
      guard case .blob(let sealed) = field, cipher.isSealedByOlderKey(sealed) else { continue }
      let context = column.context(key)
      // A field that cannot be decrypted stays as it is; it is reported at the end, and its key is kept.
      guard let text = try? cipher.open(sealed, context: context) else { continue }
      changed += try writer.execute(
        dynamic: column.update,
        [.blob(try cipher.seal(text, context: context)), key, .blob(sealed)])
    }
    return (rows.count < page ? nil : rows.last?[0], changed)
  }

  /// Returns the columns of all tables with values that look encrypted with these keys.
  ///
  /// This includes unknown columns: a key that any of them needs must never be deleted.
  private func columns(sealedBy keys: [KeyRing.Key]) async throws -> [String] {
    guard !keys.isEmpty else { return [] }
    let beginnings = keys.map { FieldCipher.header(of: $0) }
    let catalogue = database.catalogue
    return try await database.read { reader in
      var found: [String] = []
      for table in try catalogue.tables(in: reader) {
        for column in try catalogue.blobColumns(of: table.name, in: reader) {
          let isFound = try beginnings.contains { beginning in
            try Self.holds(beginning, table.name, column, in: reader)
          }
          if isFound { found.append("\(table.name).\(column)") }
        }
      }
      return found
    }
  }

  private static func holds(
    _ beginning: [UInt8], _ table: String, _ column: String, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    var select: SQLText = "SELECT 1 FROM "
    select.appendIdentifiers([table])
    select.append(" WHERE substr(")
    select.appendIdentifiers([column])
    select.append(", 1, CAST($1 AS INTEGER)) = $2 LIMIT 1")
    return try reader.first(
      dynamic: select, [SQLValue(beginning.count), .blob(beginning)]) != nil
  }
}

extension SealedColumn {
  /// Returns the query for the rows that follow a key, in key order.
  fileprivate func page(isFirst: Bool) -> SQLText {
    var sql: SQLText = "SELECT "
    sql.appendIdentifiers([key, column])
    sql.append(" FROM ")
    sql.appendIdentifiers([table])
    if !isFirst {
      sql.append(" WHERE ")
      sql.appendIdentifiers([key])
      sql.append(" > $1")
    }
    sql.append(" ORDER BY ")
    sql.appendIdentifiers([key])
    sql.append(" LIMIT ")
    sql.appendPlaceholder(isFirst ? 1 : 2)
    return sql
  }

  /// The statement that changes a field if it is still as it was read.
  fileprivate var update: SQLText {
    var sql: SQLText = "UPDATE "
    sql.appendIdentifiers([table])
    sql.append(" SET ")
    sql.appendIdentifiers([column])
    sql.append(" = $1 WHERE ")
    sql.appendIdentifiers([key])
    sql.append(" = $2 AND ")
    sql.appendIdentifiers([column])
    sql.append(" = $3")
    return sql
  }
}
