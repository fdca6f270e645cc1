// SPDX-License-Identifier: Apache-2.0
import Identifiers

/// A row of a result, read by the columns of its row type.
package struct ColumnReader<Column: SQLColumn>: Sendable {
  private let row: SQLRow
  private let start: Int

  init(_ row: SQLRow, from start: Int) {
    self.row = row
    self.start = start
  }

  /// The value of a column.
  package subscript(_ column: Column) -> SQLValue { row[start + column.rawValue] }

  package func text(_ column: Column) throws(StorageError) -> String {
    try row.text(start + column.rawValue)
  }

  package func id<ID: Identifier>(_ column: Column) throws(StorageError) -> ID {
    ID(try text(column))
  }

  package func integer(_ column: Column) throws(StorageError) -> Int64 {
    try row.integer(start + column.rawValue)
  }

  package func real(_ column: Column) throws(StorageError) -> Double {
    try row.real(start + column.rawValue)
  }

  package func timestamp(_ column: Column) throws(StorageError) -> Timestamp {
    try row.timestamp(start + column.rawValue)
  }

  package func bool(_ column: Column) throws(StorageError) -> Bool {
    try row.bool(start + column.rawValue)
  }

  package func blob(_ column: Column) throws(StorageError) -> [UInt8] {
    try row.blob(start + column.rawValue)
  }

  /// A column that holds one of a fixed set of words.
  package func named<Name: RawRepresentable<String>>(
    _ column: Column
  ) throws(StorageError) -> Name {
    guard let name = Name(rawValue: try text(column)) else { throw unexpected(column) }
    return name
  }

  package func optionalText(_ column: Column) throws(StorageError) -> String? {
    try row.optionalText(start + column.rawValue)
  }

  package func optionalID<ID: Identifier>(_ column: Column) throws(StorageError) -> ID? {
    try optionalText(column).map(ID.init)
  }

  package func optionalInteger(_ column: Column) throws(StorageError) -> Int64? {
    try row.optionalInteger(start + column.rawValue)
  }

  package func optionalReal(_ column: Column) throws(StorageError) -> Double? {
    try row.optionalReal(start + column.rawValue)
  }

  package func optionalTimestamp(_ column: Column) throws(StorageError) -> Timestamp? {
    try row.optionalTimestamp(start + column.rawValue)
  }

  package func optionalBool(_ column: Column) throws(StorageError) -> Bool? {
    try row.optionalBool(start + column.rawValue)
  }

  package func optionalBlob(_ column: Column) throws(StorageError) -> [UInt8]? {
    try row.optionalBlob(start + column.rawValue)
  }

  /// The error for a text that its column may not hold.
  package func unexpected(_ column: Column) -> StorageError {
    .unexpectedValue(column: start + column.rawValue, expected: .text)
  }
}

extension SQLRow {
  /// The columns of a row type, which begin the row.
  package func read<Row: SQLRowType>(_ type: Row.Type) -> ColumnReader<Row.Column> {
    ColumnReader(self, from: 0)
  }

  /// The columns of a row type that follow those of another.
  package func read<Row: SQLRowType, Before: SQLRowType>(
    _ type: Row.Type, after other: Before.Type
  ) -> ColumnReader<Row.Column> {
    ColumnReader(self, from: Before.columns.all.count)
  }
}
