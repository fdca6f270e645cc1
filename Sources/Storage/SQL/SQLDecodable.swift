// SPDX-License-Identifier: Apache-2.0

import Identifiers

/// A value that one column holds.
@usableFromInline
package protocol SQLDecodable: Sendable {
  static func decode(_ row: SQLRow, _ column: Int) throws(StorageError) -> Self
}

extension String: SQLDecodable {
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> String
  {
    try row.text(column)
  }
}

extension Int64: SQLDecodable {
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Int64
  {
    try row.integer(column)
  }
}

extension Int: SQLDecodable {
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Int
  {
    Int(clamping: try row.integer(column))
  }
}

extension Double: SQLDecodable {
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Double
  {
    try row.real(column)
  }
}

extension Bool: SQLDecodable {
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Bool
  {
    try row.bool(column)
  }
}

extension Timestamp: SQLDecodable {
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Timestamp
  {
    try row.timestamp(column)
  }
}

extension [UInt8]: SQLDecodable {
  @usableFromInline package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> [UInt8]
  {
    try row.blob(column)
  }
}

extension Optional: SQLDecodable where Wrapped: SQLDecodable {
  @inlinable package static func decode(_ row: SQLRow, _ column: Int) throws(StorageError)
    -> Wrapped?
  {
    if case .null = row[column] { return nil }
    return try Wrapped.decode(row, column)
  }
}

/// Results of one column need no row type: `try reader.first("SELECT COUNT(*) FROM …")?.value()`.
extension SQLRow {
  /// The value of the only column.
  @inlinable package func value<Value: SQLDecodable>(
    as type: Value.Type = Value.self
  ) throws(StorageError) -> Value {
    try Value.decode(self, 0)
  }

  /// The identifier in the only column.
  @inlinable package func value<ID: Identifier>(as type: ID.Type = ID.self) throws(StorageError)
    -> ID
  {
    ID(try text(0))
  }

  /// The identifier in the only column, which may be null.
  @inlinable package func value<ID: Identifier>(as type: ID?.Type = ID?.self) throws(StorageError)
    -> ID?
  {
    try optionalText(0).map(ID.init)
  }
}

extension [SQLRow] {
  /// The values of the only column, in the order of the rows.
  @inlinable package func values<Value: SQLDecodable>(
    as type: Value.Type = Value.self
  ) throws(StorageError) -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(count)
    for row in self { values.append(try row.value()) }
    return values
  }

  /// The identifiers in the only column, in the order of the rows.
  @inlinable package func values<ID: Identifier>(as type: ID.Type = ID.self) throws(StorageError)
    -> [ID]
  {
    var values: [ID] = []
    values.reserveCapacity(count)
    for row in self { values.append(try row.value()) }
    return values
  }
}
