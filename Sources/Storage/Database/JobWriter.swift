// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// The writer that a write's body sees: the open transaction, while the body runs.
final class JobWriter: SQLWriter {
  private var connection: (any SQLConnection)?
  private(set) var entries: [AuditEntry] = []
  private(set) var announced: Set<PatientID> = []
  /// True once it ran a statement that does more than read.
  private(set) var mayHaveChanged = false

  init(_ connection: any SQLConnection) {
    self.connection = connection
  }

  func end() {
    connection = nil
  }

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    guard let connection else { throw .closed }
    note(sql.withUTF8Buffer { $0.starts(with: Self.reading) })
    return try connection.query(sql, arguments)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    guard let connection else { throw .closed }
    note(sql.text.utf8.starts(with: Self.reading))
    return try connection.query(dynamic: sql, arguments)
  }

  func query(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    guard let connection else { throw .closed }
    note(statement.sql.text.utf8.starts(with: Self.reading))
    return try connection.query(statement, arguments)
  }

  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    guard let connection else { throw .closed }
    mayHaveChanged = true
    return try connection.execute(sql, arguments)
  }

  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    guard let connection else { throw .closed }
    mayHaveChanged = true
    return try connection.execute(dynamic: sql, arguments)
  }

  func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    guard let connection else { throw .closed }
    mayHaveChanged = true
    return try connection.execute(statement, arguments)
  }

  /// The beginning of a query that changes nothing; others may, such as an `UPDATE` with `RETURNING`.
  private static let reading = Array("SELECT ".utf8)

  private func note(_ isReading: Bool) {
    if !isReading { mayHaveChanged = true }
  }

  func audit(_ entry: AuditEntry) {
    entries.append(entry)
  }

  func announce(_ patients: Set<PatientID>) {
    announced.formUnion(patients)
  }
}
