// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// The writer that a write's body sees: the open transaction, while the body runs.
final class JobWriter: SQLWriter {
  private var connection: (any SQLConnection)?
  private(set) var entries: [AuditEntry] = []
  private(set) var announced: Set<PatientID> = []

  init(_ connection: any SQLConnection) {
    self.connection = connection
  }

  func end() {
    connection = nil
  }

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    guard let connection else { throw .closed }
    return try connection.query(sql, arguments)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    guard let connection else { throw .closed }
    return try connection.query(dynamic: sql, arguments)
  }

  func query(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    guard let connection else { throw .closed }
    return try connection.query(statement, arguments)
  }

  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    guard let connection else { throw .closed }
    return try connection.execute(sql, arguments)
  }

  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    guard let connection else { throw .closed }
    return try connection.execute(dynamic: sql, arguments)
  }

  func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    guard let connection else { throw .closed }
    return try connection.execute(statement, arguments)
  }

  func audit(_ entry: AuditEntry) {
    entries.append(entry)
  }

  func announce(_ patients: Set<PatientID>) {
    announced.formUnion(patients)
  }
}
