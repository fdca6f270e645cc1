// SPDX-License-Identifier: Apache-2.0

/// Reads a whole table in the order of its key, a few rows at a time.
struct TableReading {
  /// Few, since one row may be a whole FHIR resource.
  private static let page = 50
  private let first: SQLText
  private let further: SQLText
  private let columns: Int
  private let keyColumns: [Int]

  /// Throws ``BackupError/malformed`` for a table without a primary key: its rows have no order.
  init(_ table: BackupTable) throws {
    keyColumns = table.key.compactMap { table.columns.firstIndex(of: $0) }
    guard !keyColumns.isEmpty, keyColumns.count == table.key.count else {
      throw BackupError.malformed
    }
    columns = table.columns.count
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

  /// Hands out every row and returns how many there were.
  func forEach(in reader: any SQLReader, _ body: (SQLRow) throws -> Void) throws -> Int64 {
    var count: Int64 = 0
    var rows = try reader.query(dynamic: first, [SQLValue(Self.page)])
    while true {
      for row in rows { try body(row) }
      count += Int64(rows.count)
      guard rows.count == Self.page, let last = rows.last else { return count }
      rows = try reader.query(
        dynamic: further, keyColumns.map { last[$0] } + [SQLValue(Self.page)])
    }
  }

  static func count(_ table: String, in reader: any SQLReader) throws(StorageError) -> Int64 {
    var sql: SQLText = "SELECT COUNT(*) FROM "
    sql.appendIdentifiers([table])
    return try reader.first(dynamic: sql)?.integer(0) ?? 0
  }
}
