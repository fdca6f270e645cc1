// SPDX-License-Identifier: Apache-2.0

/// One row of a result, read by column index from 0.
///
/// The rows of a result share one buffer, so that a page of rows costs one allocation.
@usableFromInline
package struct SQLRow: Sendable {
  private let values: [SQLValue]
  private let start: Int
  /// The number of columns.
  @usableFromInline package let count: Int

  init(values: [SQLValue], start: Int, count: Int) {
    self.values = values
    self.start = start
    self.count = count
  }

  /// Returns the value of a column; null for a column that does not exist.
  @usableFromInline package subscript(_ column: Int) -> SQLValue {
    guard column >= 0, column < count else { return .null }
    return values[start + column]
  }

  /// Returns a text.
  ///
  /// Throws if the value has another type.
  @usableFromInline package func text(_ column: Int) throws(StorageError) -> String {
    guard case .text(let value) = self[column] else { throw mismatch(column, .text) }
    return value
  }

  /// Returns an integer.
  ///
  /// Throws if the value has another type.
  @usableFromInline package func integer(_ column: Int) throws(StorageError) -> Int64 {
    guard case .integer(let value) = self[column] else { throw mismatch(column, .integer) }
    return value
  }

  /// Returns a number; an integer is converted.
  ///
  /// Throws if the value has another type.
  @usableFromInline package func real(_ column: Int) throws(StorageError) -> Double {
    switch self[column] {
    case .real(let value): return value
    case .integer(let value): return Double(value)
    default: throw mismatch(column, .real)
    }
  }

  /// Returns an instant stored in milliseconds since 1970.
  @usableFromInline package func timestamp(_ column: Int) throws(StorageError) -> Timestamp {
    Timestamp(milliseconds: try integer(column))
  }

  /// Returns a Boolean stored as 0 or 1.
  ///
  /// Throws for any other value.
  @usableFromInline package func bool(_ column: Int) throws(StorageError) -> Bool {
    switch try integer(column) {
    case 0: return false
    case 1: return true
    default: throw mismatch(column, .bool)
    }
  }

  /// Returns bytes.
  ///
  /// Throws if the value has another type.
  @usableFromInline package func blob(_ column: Int) throws(StorageError) -> [UInt8] {
    guard case .blob(let value) = self[column] else { throw mismatch(column, .blob) }
    return value
  }

  /// Returns a text, or nil for null.
  @usableFromInline package func optionalText(_ column: Int) throws(StorageError) -> String? {
    if case .null = self[column] { return nil }
    return try text(column)
  }

  /// Returns an integer, or nil for null.
  @usableFromInline package func optionalInteger(_ column: Int) throws(StorageError) -> Int64? {
    if case .null = self[column] { return nil }
    return try integer(column)
  }

  /// Returns a number, or nil for null.
  @usableFromInline package func optionalReal(_ column: Int) throws(StorageError) -> Double? {
    if case .null = self[column] { return nil }
    return try real(column)
  }

  /// Returns an instant stored in milliseconds since 1970, or nil for null.
  @usableFromInline package func optionalTimestamp(_ column: Int) throws(StorageError) -> Timestamp?
  {
    if case .null = self[column] { return nil }
    return try timestamp(column)
  }

  /// Returns a Boolean stored as 0 or 1, or nil for null.
  @usableFromInline package func optionalBool(_ column: Int) throws(StorageError) -> Bool? {
    if case .null = self[column] { return nil }
    return try bool(column)
  }

  /// Returns bytes, or nil for null.
  @usableFromInline package func optionalBlob(_ column: Int) throws(StorageError) -> [UInt8]? {
    if case .null = self[column] { return nil }
    return try blob(column)
  }

  private func mismatch(_ column: Int, _ expected: StorageError.ColumnType) -> StorageError {
    .unexpectedValue(column: column, expected: expected)
  }
}
