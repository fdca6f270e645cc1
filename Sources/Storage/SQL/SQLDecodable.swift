// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// A type whose values can be read from one column.
@usableFromInline
package protocol SQLDecodable: Sendable {
  /// Returns the value of a column, counted from 0.
  ///
  /// Throws if it has another type.
  static func decode(_ row: SQLRow, _ column: Int) throws(StorageError) -> Self
}

extension String: SQLDecodable {
  /// Returns the text of a column.
  ///
  /// Throws if the value has another type.
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> String
  {
    try row.text(column)
  }
}

extension Int64: SQLDecodable {
  /// Returns the integer of a column.
  ///
  /// Throws if the value has another type.
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Int64
  {
    try row.integer(column)
  }
}

extension Int: SQLDecodable {
  /// Returns the integer of a column, clamped to the range of `Int`.
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Int
  {
    Int(clamping: try row.integer(column))
  }
}

extension Double: SQLDecodable {
  /// Returns the number of a column; an integer is converted.
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Double
  {
    try row.real(column)
  }
}

extension Bool: SQLDecodable {
  /// Returns the Boolean of a column, stored as 0 or 1.
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Bool
  {
    try row.bool(column)
  }
}

extension Timestamp: SQLDecodable {
  /// Returns the instant of a column, stored in milliseconds since 1970.
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Timestamp
  {
    try row.timestamp(column)
  }
}

extension [UInt8]: SQLDecodable {
  /// Returns the bytes of a column.
  ///
  /// Throws if the value has another type.
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> [UInt8]
  {
    try row.blob(column)
  }
}

extension Optional: SQLDecodable where Wrapped: SQLDecodable {
  /// Returns nil for null, otherwise the value of a column.
  @inlinable package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Wrapped?
  {
    if case .null = row[column] { return nil }
    return try Wrapped.decode(row, column)
  }
}

/// Results with one column need no row type: `try reader.first("SELECT COUNT(*) FROM …")?.value()`.
extension SQLRow {
  /// Returns the value of the only column.
  @inlinable package func value<Value: SQLDecodable>(
    as type: Value.Type = Value.self
  ) throws(StorageError) -> Value {
    try Value.decode(self, 0)
  }

  /// Returns the identifier in the only column.
  @inlinable package func value<ID: Identifier>(as type: ID.Type = ID.self) throws(StorageError)
    -> ID
  {
    ID(try text(0))
  }

  /// Returns the identifier in the only column, or nil for null.
  @inlinable package func value<ID: Identifier>(as type: ID?.Type = ID?.self) throws(StorageError)
    -> ID?
  {
    try optionalText(0).map(ID.init)
  }
}

extension [SQLRow] {
  /// Returns the values of the only column, in the order of the rows.
  @inlinable package func values<Value: SQLDecodable>(
    as type: Value.Type = Value.self
  ) throws(StorageError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for row in self { values.append(try row.value()) }
    return values
  }

  /// Returns the identifiers in the only column, in the order of the rows.
  @inlinable package func values<ID: Identifier>(as type: ID.Type = ID.self) throws(StorageError)
    -> [ID]
  {
    var values: [ID] = []
    values.reserveCapacity(count)
    for row in self { values.append(try row.value()) }
    return values
  }
}
