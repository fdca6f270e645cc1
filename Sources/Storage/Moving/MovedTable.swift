// SPDX-License-Identifier: Apache-2.0

/// A table as it is carried from one engine to another, in the order of its key.
struct MovedTable: Sendable, Hashable {
  /// Few, since one row may be a whole FHIR resource.
  static let page = 100
  let name: String
  private let columns: [String]
  private let key: [String]
  private let keyColumns: [Int]

  /// The tables of the schema, as SQLite lists them: both engines have the same.
  static func all(in sqlite: any SQLReader) throws(StorageError) -> [MovedTable] {
    var tables: [MovedTable] = []
    for table in try SQLiteCatalogue().tables(in: sqlite) { tables.append(try MovedTable(table)) }
    return tables
  }

  private init(_ table: BackupTable) throws(StorageError) {
    guard !table.key.isEmpty else { throw .notMovable(table: table.name) }
    name = table.name
    columns = table.columns
    key = table.key
    keyColumns = table.key.compactMap { table.columns.firstIndex(of: $0) }
  }

  /// The place of a row in the order.
  func place(of row: SQLRow) -> [SQLValue] { keyColumns.map { row[$0] } }

  /// A row's values, to be compared with those of another engine.
  func values(_ row: SQLRow) -> [SQLValue] { columns.indices.map { row[$0] } }

  /// The next rows after a place, or the first ones.
  func rows(after place: [SQLValue]?, in reader: some SQLReader) throws(StorageError) -> [SQLRow] {
    var sql: SQLText = "SELECT "
    sql.appendIdentifiers(columns)
    sql.append(" FROM ")
    sql.appendIdentifiers([name])
    if let place {
      sql.append(" WHERE (")
      sql.appendIdentifiers(key)
      sql.append(") > (")
      sql.appendPlaceholders(place.count, startingAt: 1)
      sql.append(")")
    }
    sql.append(" ORDER BY ")
    sql.appendIdentifiers(key)
    sql.append(" LIMIT ")
    sql.appendPlaceholder((place?.count ?? 0) + 1)
    return try reader.query(dynamic: sql, (place ?? []) + [SQLValue(Self.page)])
  }

  func insert(_ rows: [SQLRow], in connection: any SQLConnection) throws(StorageError) {
    var sql: SQLText = "INSERT INTO "
    sql.appendIdentifiers([name])
    sql.append(" (")
    sql.appendIdentifiers(columns)
    sql.append(") VALUES ")
    for index in rows.indices {
      sql.append(index == 0 ? "(" : ", (")
      sql.appendPlaceholders(columns.count, startingAt: index * columns.count + 1)
      sql.append(")")
    }
    try connection.execute(dynamic: sql, rows.flatMap { values($0) })
  }

  func count(in reader: some SQLReader) throws(StorageError) -> Int64 {
    var sql: SQLText = "SELECT COUNT(*) FROM "
    sql.appendIdentifiers([name])
    return try reader.first(dynamic: sql)?.integer(0) ?? 0
  }

  func isEmpty(in reader: some SQLReader) throws(StorageError) -> Bool {
    try rows(after: nil, in: reader).isEmpty
  }
}
