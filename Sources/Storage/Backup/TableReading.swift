// SPDX-License-Identifier: Apache-2.0

/// Reads a whole table in key order, a few rows at a time, on either engine.
struct TableReading: Sendable {
  /// The number of rows read at a time: few, because one row may be a whole FHIR resource.
  static let page = 64
  private let first: SQLText
  private let further: SQLText
  private let keyColumns: [Int]

  /// Creates a reading; nil for a table without a primary key, whose rows have no order.
  init?(_ table: StoredTable) {
    keyColumns = table.key.compactMap { table.columns.firstIndex(of: $0) }
    guard !keyColumns.isEmpty, keyColumns.count == table.key.count else { return nil }
    var select: SQLText = "SELECT "
    select.appendIdentifiers(table.columns)
    select.append(" FROM ")
    select.appendIdentifiers([table.name])
    var order: SQLText = " ORDER BY "
    order.appendIdentifiers(table.key)
    order.append(" LIMIT ")
    var first = select
    first.append(contentsOf: order)
    first.appendPlaceholder(1)
    self.first = first
    var further = select
    further.append(" WHERE (")
    further.appendIdentifiers(table.key)
    further.append(") > (")
    further.appendPlaceholders(table.key.count, startingAt: 1)
    further.append(")")
    further.append(contentsOf: order)
    further.appendPlaceholder(table.key.count + 1)
    self.further = further
  }

  /// Returns the position of a row in the order.
  func place(of row: SQLRow) -> [SQLValue] { keyColumns.map { row[$0] } }

  /// Returns the next rows after a position, or the first ones; fewer than ``page`` are the last.
  func rows(after place: [SQLValue]?, in reader: any SQLReader) throws(StorageError) -> [SQLRow] {
    guard let place else { return try reader.query(dynamic: first, [SQLValue(Self.page)]) }
    return try reader.query(dynamic: further, place + [SQLValue(Self.page)])
  }

  /// Passes every row on and returns their number.
  func forEach(in reader: any SQLReader, _ body: (SQLRow) throws -> Void) throws -> Int64 {
    var count: Int64 = 0
    var place: [SQLValue]?
    while true {
      let rows = try rows(after: place, in: reader)
      for row in rows { try body(row) }
      count += Int64(rows.count)
      guard rows.count == Self.page, let last = rows.last else { return count }
      place = self.place(of: last)
    }
  }

  static func count(_ table: String, in reader: any SQLReader) throws(StorageError) -> Int64 {
    var sql: SQLText = "SELECT COUNT(*) FROM "
    sql.appendIdentifiers([table])
    return try reader.first(dynamic: sql)?.value() ?? 0
  }
}
