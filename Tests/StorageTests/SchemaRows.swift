// SPDX-License-Identifier: Apache-2.0
import Logging
import TestSupport

@testable import Storage

/// A row for every table of the schema, created from the catalogue, so that new tables are included.
struct SchemaRows {
  struct Row: Sendable {
    let table: String
    let columns: [String]
    let values: [SQLValue]

    func insert(in writer: any SQLWriter) throws {
      try writer.execute(dynamic: statement, values)
    }

    var statement: SQLText {
      var sql: SQLText = "INSERT INTO "
      sql.appendIdentifiers([table])
      sql.append(" (")
      sql.appendIdentifiers(columns)
      sql.append(") VALUES (")
      sql.appendPlaceholders(columns.count, startingAt: 1)
      sql.append(")")
      return sql
    }
  }

  /// Values that the rule of a single column does not determine.
  private static let exceptions: [String: SQLValue] = [
    "proposals.state": "accepted", "chat_messages.withdrawn": .null, "chat_messages.link": "",
    "apps.secret_digest": .null, "app_tokens.rotated": .null, "home_devices.revoked": .null,
    "stickers.minute": .null, "questionnaire_assignments.study": .null,
    "questionnaire_assignments.weeks": 0,
    "diary_trackers.name": "",
    "study_researchers.revoked": .null, "study_participants.is_erased": .integer(0),
    "studies.study": "study", "study_participants.study": "study",
    "study_consents.study": "study", "study_versions.study": "study",
    "study_exports.study": "study", "study_researchers.study": "study",
  ]
  /// The columns that lead from a row to a person.
  private static let leading = ["patient", "account", "app", "app_grant"]
  /// Tables written by the audit chain itself.
  private static let excluded: Set<String> = ["audit", "audit_heads"]

  /// Returns one row of each table for each person, parents first; a table without a patient has one row.
  static func all(_ people: [String]) throws -> [Row] {
    let engine = try SQLiteEngine.inMemory(logger: .quiet)
    return try engine.prepare { connection throws(StorageError) in
      try Migrator(migrations: Migration.embedded).migrate(connection)
      var rows: [Row] = []
      for table in try MovedTable.all(in: connection).map(\.name) where !excluded.contains(table) {
        for (index, person) in people.enumerated() {
          let row = try row(of: table, person, index + 1, in: connection)
          if index == 0 || leading.contains(where: row.columns.contains) {
            rows.append(row)
          }
        }
      }
      return rows
    }
  }

  private static func row(
    of table: String, _ person: String, _ number: Int, in reader: any SQLReader
  ) throws(StorageError) -> Row {
    let schema = try reader.first(
      "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = $1", [.text(table)])
    let checks = SchemaText(try schema?.text(0) ?? "").checks
    var columns: [String] = []
    var values: [SQLValue] = []
    for row in try reader.query(
      "SELECT name, type FROM pragma_table_info($1) ORDER BY cid", [.text(table)])
    {
      let (column, type) = (try row.text(0), try row.text(1))
      columns.append(column)
      let rule = checks.first { $0.hasPrefix(column + " ") }.map { $0.dropFirst(column.count + 1) }
      values.append(
        exceptions["\(table).\(column)"]
          ?? value(of: column, type, rule, table: table, person, number))
    }
    return Row(table: table, columns: columns, values: values)
  }

  private static func value(
    of column: String, _ type: String, _ rule: Substring?, table: String, _ person: String,
    _ number: Int
  ) -> SQLValue {
    switch type {
    case "BLOB": return .blob(Array("\(table).\(column).\(person)".utf8))
    case "INTEGER":
      let first = rule?.firstMatch(of: /-?[0-9]+/).flatMap { Int64($0.output) }
      return .integer(first ?? Int64(number))
    case "REAL": return .real(Double(number) + 0.5)
    default:
      if rule?.hasPrefix("LIKE '____-__-__'") == true { return .text("2026-03-0\(number)") }
      if let first = rule?.firstMatch(of: /^(?:IN \(|= )'([^']*)'/) {
        return .text(String(first.output.1))
      }
      if column == "patient" || column == "owner" { return .text(person) }
      return .text("\(column)-\(person)")
    }
  }
}
