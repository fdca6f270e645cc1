// SPDX-License-Identifier: Apache-2.0

extension Database {
  /// What is wrong with the engine's own files, one line each; reads all of them.
  ///
  /// Where nothing is, damage that was met before counts as mended.
  package func damage() async throws -> [String] {
    let catalogue = catalogue
    var lines: [String] = []
    do {
      lines += try await read { try catalogue.damage(in: $0) }
      // Each in a snapshot of its own: after an error nothing more can be read in one.
      for table in try await read({ try catalogue.tables(in: $0) }) {
        guard let sql = catalogue.readingAll(of: table.name) else { break }
        do {
          _ = try await read { try $0.query(dynamic: sql, []) }
        } catch StorageError.corrupt(let code) {
          lines.append("the table \(table.name) is damaged (error \(code))")
        }
      }
    } catch StorageError.corrupt(let code) {
      lines.append("the database cannot be read (error \(code))")
    }
    if lines.isEmpty { forgetDamage() } else { noteDamage() }
    guard lines.isEmpty else { return lines }
    return try await read { try catalogue.brokenReferences(in: $0) }
  }

  /// Whether the engine finds damage in a shorter look, of whole pages alone; nil where it has none to offer.
  package func hasEvidentDamage() async throws -> Bool {
    if knownDamage != nil { return true }
    let catalogue = catalogue
    do {
      let isDamaged = try await read { try catalogue.hasEvidentDamage(in: $0) }
      if isDamaged { noteDamage() }
      return isDamaged
    } catch StorageError.corrupt {
      return true
    }
  }

  /// The number of rows by table.
  package func rowCounts() async throws -> [String: Int64] {
    let catalogue = catalogue
    return try await read { reader in
      var counts: [String: Int64] = [:]
      for table in try catalogue.tables(in: reader) {
        counts[table.name] = try TableReading.count(table.name, in: reader)
      }
      return counts
    }
  }
}
