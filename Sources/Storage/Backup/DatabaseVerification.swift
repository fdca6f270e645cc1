// SPDX-License-Identifier: Apache-2.0

extension Database {
  /// What the engine finds wrong with its own files, one line each; reads all of them.
  package func damage() async throws -> [String] {
    let catalogue = catalogue
    return try await read { try catalogue.damage(in: $0) }
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
