// SPDX-License-Identifier: Apache-2.0
import CLibPQ

extension PostgresConnection {
  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try rows(of: .fixed(sql), arguments)
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try rows(of: .dynamic(sql.text), arguments)
  }

  func query(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try rows(of: .composed(statement), arguments)
  }

  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    PostgresResult.changes(of: try run(.dynamic(sql.text), arguments))
  }

  func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    PostgresResult.changes(of: try run(.composed(statement), arguments))
  }

  func executeScript(_ sql: String) throws(StorageError) {
    try script(PostgresDialect.script(sql))
  }

  private func rows(
    of source: PostgresStatements.Source, _ arguments: [SQLValue]
  ) throws(StorageError) -> [SQLRow] {
    let result = try run(source, arguments)
    defer { PQclear(result) }
    return PostgresResult.rows(of: result)
  }
}
