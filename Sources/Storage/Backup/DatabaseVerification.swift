// SPDX-License-Identifier: Apache-2.0

extension Database {
  /// Checks all of the engine's own files and returns the faults found, one line each.
  ///
  /// If there are none, damage found earlier counts as repaired. A cancelled task ends the check with a
  /// `CancellationError` before the next table or index.
  package func damage() async throws -> [String] {
    let catalogue = catalogue
    var lines: [String] = []
    // Findings of a check that was stopped half way still count.
    defer { if !lines.isEmpty { noteDamage() } }
    do {
      lines += try await read { try catalogue.damage(in: $0) }
      // Each table is read in its own snapshot, because a snapshot cannot be used after an error.
      for table in try await read({ try catalogue.tables(in: $0) }) {
        try Task.checkCancellation()
        guard let sql = catalogue.readingAll(of: table.name) else { break }
        do {
          _ = try await read { try $0.query(dynamic: sql, []) }
        } catch StorageError.corrupt(let code) {
          lines.append("the table \(table.name) is damaged (error \(code))")
        }
      }
      for check in try await read({ try catalogue.indexChecks(in: $0) }) ?? [] {
        try Task.checkCancellation()
        do {
          _ = try await read { try $0.query(dynamic: check.statement, check.arguments) }
        } catch StorageError.corrupt {
          lines.append("the index \(check.name) does not match its table")
        } catch StorageError.busy {
          // An index that was created after this snapshot began cannot be checked yet.
          continue
        }
      }
    } catch StorageError.corrupt(let code) {
      lines.append("the database cannot be read (error \(code))")
    }
    if lines.isEmpty { forgetDamage() }
    return lines
  }

  /// Returns the rows that break a rule of the schema, one line each, at most 20 of each table and kind of
  /// rule.
  ///
  /// This program never writes such a row: someone changed the database by hand.
  package func brokenRules() async throws -> [String] {
    let catalogue = catalogue
    return try await read { reader throws(StorageError) in
      var lines: [String] = []
      for check in try catalogue.ruleChecks(in: reader) {
        lines += try check.brokenRows(in: reader)
      }
      return lines
    }
  }

  /// Returns true if ``damage()`` also compares each index with its table.
  package func canCheckIndexes() async throws -> Bool {
    let catalogue = catalogue
    let checks = try await read { try catalogue.indexChecks(in: $0) }
    return checks != nil
  }

  /// Returns the number of rows by table.
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
