// SPDX-License-Identifier: Apache-2.0

extension Database {
  /// Checks all of the engine's own files and returns the faults found, one line each.
  ///
  /// If there are none, damage found earlier counts as repaired.
  package func damage() async throws -> [String] {
    let catalogue = catalogue
    var lines: [String] = []
    do {
      lines += try await read { try catalogue.damage(in: $0) }
      // Each table is read in its own snapshot, since nothing more can be read in one after an error.
      for table in try await read({ try catalogue.tables(in: $0) }) {
        guard let sql = catalogue.readingAll(of: table.name) else { break }
        do {
          _ = try await read { try $0.query(dynamic: sql, []) }
        } catch StorageError.corrupt(let code) {
          lines.append("the table \(table.name) is damaged (error \(code))")
        }
      }
      for check in try await read({ try catalogue.indexChecks(in: $0) }) ?? [] {
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
    if lines.isEmpty { forgetDamage() } else { noteDamage() }
    guard lines.isEmpty else { return lines }
    return try await read { try catalogue.brokenReferences(in: $0) }
  }

  /// Returns true if ``damage()`` also compares each index with its table.
  package func canCheckIndexes() async throws -> Bool {
    let catalogue = catalogue
    let checks = try await read { try catalogue.indexChecks(in: $0) }
    return checks != nil
  }

  /// Returns true if damage is known, or if the engine's shorter check, which reads only whole
  /// pages, finds any.
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
