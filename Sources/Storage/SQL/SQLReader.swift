// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// Reads within one consistent snapshot; valid only inside the block that received it.
package protocol SQLReader {
  /// Returns all rows of a query, the arguments bound to `$1`, `$2`, … by position.
  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow]
  /// Returns all rows of a query assembled from fixed pieces.
  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow]
  /// Returns all rows of a query assembled once.
  func query(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow]
}

extension SQLReader {
  /// Returns all rows of a query assembled once.
  package func query(
    _ statement: SQLStatement, _ arguments: [SQLValue]
  ) throws(StorageError) -> [SQLRow] {
    try query(dynamic: statement.sql, arguments)
  }

  /// Returns all rows of a query without arguments.
  package func query(_ sql: StaticString) throws(StorageError) -> [SQLRow] {
    try query(sql, [])
  }

  /// Returns the first row of a query, which should limit its own result; nil for none.
  package func first(
    _ sql: StaticString, _ arguments: [SQLValue] = []
  ) throws(StorageError) -> SQLRow? {
    try query(sql, arguments).first
  }

  /// Returns the first row of a query assembled from fixed pieces; nil for none.
  package func first(
    dynamic sql: SQLText, _ arguments: [SQLValue] = []
  ) throws(StorageError) -> SQLRow? {
    try query(dynamic: sql, arguments).first
  }

  /// Returns the first row of a query assembled once; nil for none.
  package func first(
    _ statement: SQLStatement, _ arguments: [SQLValue] = []
  ) throws(StorageError) -> SQLRow? {
    try query(statement, arguments).first
  }
}

/// Reads and writes within one transaction; valid only inside the block that received it.
package protocol SQLWriter: SQLReader {
  /// Runs a statement that changes data and returns the number of changed rows.
  @discardableResult
  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int
  /// Runs a changing statement assembled from fixed pieces and returns the number of changed rows.
  @discardableResult
  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int
  /// Runs a changing statement assembled once and returns the number of changed rows.
  @discardableResult
  func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> Int
  /// Adds an entry to the audit trail, committed together with this transaction or not at all.
  func audit(_ entry: AuditEntry)
  /// Notifies the other processes of a shared database, once committed, that open pages of some patients must
  /// be updated.
  ///
  /// Audited changes are announced automatically.
  func announce(_ patients: Set<PatientID>)
}

extension SQLWriter {
  /// Runs a changing statement assembled once and returns the number of changed rows.
  @discardableResult
  package func execute(
    _ statement: SQLStatement, _ arguments: [SQLValue]
  ) throws(StorageError) -> Int {
    try execute(dynamic: statement.sql, arguments)
  }
}
