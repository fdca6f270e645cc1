// SPDX-License-Identifier: Apache-2.0

/// The reader that a read's body sees: one snapshot, while the body runs.
final class SnapshotReader: SQLReader {
  private var connection: (any SQLReader)?

  init(_ connection: any SQLReader) {
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
}
