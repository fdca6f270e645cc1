// SPDX-License-Identifier: Apache-2.0
import Identifiers

/// A row of a result, read by the columns of its row type.
///
/// Inlinable, so that higher modules compile the reading for their own columns.
@usableFromInline
package struct ColumnReader<Column: SQLColumn>: Sendable {
  @usableFromInline let row: SQLRow
  @usableFromInline let start: Int

  @inlinable init(_ row: SQLRow, from start: Int) {
    self.row = row
    self.start = start
  }

  /// Returns the value of a column, whatever its type.
  @inlinable package subscript(_ column: Column) -> SQLValue { row[start + column.rawValue] }

  /// Returns a text.
  ///
  /// Throws if the value has another type.
  @inlinable package func text(_ column: Column) throws(StorageError) -> String {
    try row.text(start + column.rawValue)
  }

  /// Returns the identifier in a column.
  ///
  /// Throws if the value is not a text.
  @inlinable package func id<ID: Identifier>(_ column: Column) throws(StorageError) -> ID {
    ID(try text(column))
  }

  /// Returns an integer.
  ///
  /// Throws if the value has another type.
  @inlinable package func integer(_ column: Column) throws(StorageError) -> Int64 {
    try row.integer(start + column.rawValue)
  }

  /// Returns a number; an integer is converted.
  ///
  /// Throws if the value has another type.
  @inlinable package func real(_ column: Column) throws(StorageError) -> Double {
    try row.real(start + column.rawValue)
  }

  /// Returns an instant stored in milliseconds since 1970.
  @inlinable package func timestamp(_ column: Column) throws(StorageError) -> Timestamp {
    try row.timestamp(start + column.rawValue)
  }

  /// Returns a Boolean stored as 0 or 1.
  ///
  /// Throws for any other value.
  @inlinable package func bool(_ column: Column) throws(StorageError) -> Bool {
    try row.bool(start + column.rawValue)
  }

  /// Returns bytes.
  ///
  /// Throws if the value has another type.
  @inlinable package func blob(_ column: Column) throws(StorageError) -> [UInt8] {
    try row.blob(start + column.rawValue)
  }

  /// Returns the case whose raw value a column holds.
  ///
  /// Throws if there is none.
  @inlinable package func named<Name: RawRepresentable<String>>(
    _ column: Column
  ) throws(StorageError) -> Name {
    guard let name = Name(rawValue: try text(column)) else { throw unexpected(column) }
    return name
  }

  /// Returns a text, or nil for null.
  @inlinable package func optionalText(_ column: Column) throws(StorageError) -> String? {
    try row.optionalText(start + column.rawValue)
  }

  /// Returns an identifier, or nil for null.
  @inlinable package func optionalID<ID: Identifier>(_ column: Column) throws(StorageError) -> ID? {
    try optionalText(column).map(ID.init)
  }

  /// Returns an integer, or nil for null.
  @inlinable package func optionalInteger(_ column: Column) throws(StorageError) -> Int64? {
    try row.optionalInteger(start + column.rawValue)
  }

  /// Returns a number, or nil for null.
  @inlinable package func optionalReal(_ column: Column) throws(StorageError) -> Double? {
    try row.optionalReal(start + column.rawValue)
  }

  /// Returns an instant stored in milliseconds since 1970, or nil for null.
  @inlinable package func optionalTimestamp(_ column: Column) throws(StorageError) -> Timestamp? {
    try row.optionalTimestamp(start + column.rawValue)
  }

  /// Returns a Boolean stored as 0 or 1, or nil for null.
  @inlinable package func optionalBool(_ column: Column) throws(StorageError) -> Bool? {
    try row.optionalBool(start + column.rawValue)
  }

  /// Returns bytes, or nil for null.
  @inlinable package func optionalBlob(_ column: Column) throws(StorageError) -> [UInt8]? {
    try row.optionalBlob(start + column.rawValue)
  }

  /// Returns the error for a text that is not valid in its column.
  @inlinable package func unexpected(_ column: Column) -> StorageError {
    .unexpectedValue(column: start + column.rawValue, expected: .text)
  }
}

extension SQLRow {
  /// Returns a reader for the columns of a row type, which begin the row.
  @inlinable package func read<Row: SQLRowType>(_ type: Row.Type) -> ColumnReader<Row.Column> {
    ColumnReader(self, from: 0)
  }

  /// Returns a reader for the columns of a row type that follow those of another.
  @inlinable package func read<Row: SQLRowType, Before: SQLRowType>(
    _ type: Row.Type, after other: Before.Type
  ) -> ColumnReader<Row.Column> {
    ColumnReader(self, from: Before.columns.all.count)
  }
}
