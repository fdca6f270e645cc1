// SPDX-License-Identifier: Apache-2.0
import Foundation
import Testing

@testable import Storage

/// The database of a release, as the text that `Scripts/store-schema` wrote.
struct StoredRelease: Sendable, CustomTestStringConvertible {
  let version: String
  let sql: String
  /// The name of the last step of its schema.
  let lastStep: String

  /// Reads the folder of a release; nil if it holds no database.
  init?(_ folder: URL) {
    let file = folder.appending(path: "database.sql")
    guard let sql = try? String(contentsOf: file, encoding: .utf8) else { return nil }
    let steps = sql.matches(of: /INSERT INTO schema_migrations VALUES\('([^']+)'/)
      .map { String($0.output.1) }
    guard let last = steps.max() else { return nil }
    self.sql = sql
    version = folder.lastPathComponent
    lastStep = last
  }

  /// The migrations of the release.
  var steps: [Migration] { Migration.embedded.filter { $0.name <= lastStep } }

  /// The statements that insert its rows on PostgreSQL.
  var postgresRows: String {
    sql.split(separator: "\n")
      .filter { $0.hasPrefix("INSERT INTO") && !$0.hasPrefix("INSERT INTO schema_migrations") }
      .map { $0.replacing(/X'([0-9A-Fa-f]*)'/) { "'\\x\($0.output.1)'" } }
      .joined(separator: "\n")
  }

  var testDescription: String { version }
}

/// The rows that an upgrade must keep.
struct StoredRows: Sendable {
  let counts: [String: Int64]
  let records: [String]

  init(
    _ catalogue: some EngineCatalogue, in reader: any SQLReader
  ) throws(StorageError) {
    var counts: [String: Int64] = [:]
    for table in try catalogue.tables(in: reader) {
      counts[table.name] = try TableReading.count(table.name, in: reader)
    }
    self.counts = counts
    records = try Self.records(in: reader)
  }

  /// Returns every stored FHIR record with its type, id and text.
  static func records(in reader: any SQLReader) throws(StorageError) -> [String] {
    let rows = try reader.query("SELECT type, id, body FROM resources ORDER BY type, id")
    var records: [String] = []
    for row in rows {
      let (type, id, body) = (try row.text(0), try row.text(1), try row.text(2))
      records.append("\(type)/\(id): \(body)")
    }
    return records
  }
}
