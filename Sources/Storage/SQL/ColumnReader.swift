// SPDX-License-Identifier: Apache-2.0
import Identifiers

/// A row of a result, read by the columns of its row type.
///
/// Inlinable, so that the modules above compile the reading for their own columns.
@usableFromInline
package struct ColumnReader<Column: SQLColumn>: Sendable {
  @usableFromInline let row: SQLRow
  @usableFromInline let start: Int

  @inlinable init(_ row: SQLRow, from start: Int) {
    self.row = row
    self.start = start
  }

  /// The value of a column.
  @inlinable package subscript(_ column: Column) -> SQLValue { row[start + column.rawValue] }

  @inlinable package func text(_ column: Column) throws(StorageError) -> String {
    try row.text(start + column.rawValue)
  }

  @inlinable package func id<ID: Identifier>(_ column: Column) throws(StorageError) -> ID {
    ID(try text(column))
  }

  @inlinable package func integer(_ column: Column) throws(StorageError) -> Int64 {
    try row.integer(start + column.rawValue)
  }

  @inlinable package func real(_ column: Column) throws(StorageError) -> Double {
    try row.real(start + column.rawValue)
  }

  @inlinable package func timestamp(_ column: Column) throws(StorageError) -> Timestamp {
    try row.timestamp(start + column.rawValue)
  }

  @inlinable package func bool(_ column: Column) throws(StorageError) -> Bool {
    try row.bool(start + column.rawValue)
  }

  @inlinable package func blob(_ column: Column) throws(StorageError) -> [UInt8] {
    try row.blob(start + column.rawValue)
  }

  /// A column that holds one of a fixed set of words.
  @inlinable package func named<Name: RawRepresentable<String>>(
    _ column: Column
  ) throws(StorageError) -> Name {
    guard let name = Name(rawValue: try text(column)) else { throw unexpected(column) }
    return name
  }

  @inlinable package func optionalText(_ column: Column) throws(StorageError) -> String? {
    try row.optionalText(start + column.rawValue)
  }

  @inlinable package func optionalID<ID: Identifier>(_ column: Column) throws(StorageError) -> ID? {
    try optionalText(column).map(ID.init)
  }

  @inlinable package func optionalInteger(_ column: Column) throws(StorageError) -> Int64? {
    try row.optionalInteger(start + column.rawValue)
  }

  @inlinable package func optionalReal(_ column: Column) throws(StorageError) -> Double? {
    try row.optionalReal(start + column.rawValue)
  }

  @inlinable package func optionalTimestamp(_ column: Column) throws(StorageError) -> Timestamp? {
    try row.optionalTimestamp(start + column.rawValue)
  }

  @inlinable package func optionalBool(_ column: Column) throws(StorageError) -> Bool? {
    try row.optionalBool(start + column.rawValue)
  }

  @inlinable package func optionalBlob(_ column: Column) throws(StorageError) -> [UInt8]? {
    try row.optionalBlob(start + column.rawValue)
  }

  /// The error for a text that its column may not hold.
  @inlinable package func unexpected(_ column: Column) -> StorageError {
    .unexpectedValue(column: start + column.rawValue, expected: .text)
  }
}

extension SQLRow {
  /// The columns of a row type, which begin the row.
  @inlinable package func read<Row: SQLRowType>(_ type: Row.Type) -> ColumnReader<Row.Column> {
    ColumnReader(self, from: 0)
  }

  /// The columns of a row type that follow those of another.
  @inlinable package func read<Row: SQLRowType, Before: SQLRowType>(
    _ type: Row.Type, after other: Before.Type
  ) -> ColumnReader<Row.Column> {
    ColumnReader(self, from: Before.columns.all.count)
  }
}
