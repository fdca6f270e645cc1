// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage
import TestSupport

/// Records the query plans of SQLite for each statement.
struct QueryPlanRecorder: SQLWriter {
  let writer: any SQLWriter
  let plans: Plans

  final class Plans: @unchecked Sendable {
    var lines: [String] = []
  }

  private func explain(_ sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) {
    var text: SQLText = "EXPLAIN QUERY PLAN "
    text.append(contentsOf: sql)
    for row in try writer.query(dynamic: text, arguments) {
      plans.lines.append(try row.text(3))
    }
  }

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try explain(SQLText(sql), arguments)
    return try writer.query(sql, arguments)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try explain(sql, arguments)
    return try writer.query(dynamic: sql, arguments)
  }

  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    try explain(SQLText(sql), arguments)
    return try writer.execute(sql, arguments)
  }

  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    try explain(sql, arguments)
    return try writer.execute(dynamic: sql, arguments)
  }

  func audit(_ entry: AuditEntry) { writer.audit(entry) }

  func announce(_ patients: Set<PatientID>) { writer.announce(patients) }
}
