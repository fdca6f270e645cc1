// SPDX-License-Identifier: Apache-2.0

/// A row type that is created from its columns.
@usableFromInline
package protocol SQLReadableRow: SQLRowType {
  init(_ columns: ColumnReader<Column>) throws(StorageError)
}

extension SQLRow {
  /// Returns the row as its type; the statement must have selected `\(Row.columns)`.
  @inlinable package func decode<Row: SQLReadableRow>(
    as type: Row.Type = Row.self
  ) throws(StorageError) -> Row {
    try Row(read(Row.self))
  }
}

extension [SQLRow] {
  /// Returns the rows as their type, in the same order.
  @inlinable package func decode<Row: SQLReadableRow>(
    as type: Row.Type = Row.self
  ) throws(StorageError) -> [Row] {
    var decoded: [Row] = []
    decoded.reserveCapacity(count)
    for row in self { decoded.append(try row.decode()) }
    return decoded
  }
}
