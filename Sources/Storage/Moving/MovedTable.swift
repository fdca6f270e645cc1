// SPDX-License-Identifier: Apache-2.0

/// A table as it is carried from one engine to another, in the order of its key.
struct MovedTable: Sendable {
  let name: String
  let reading: TableReading
  private let columns: [String]

  /// The tables of the schema, as SQLite lists them: both engines have the same.
  static func all(in sqlite: any SQLReader) throws(StorageError) -> [MovedTable] {
    var tables: [MovedTable] = []
    for table in try SQLiteCatalogue().tables(in: sqlite) { tables.append(try MovedTable(table)) }
    return tables
  }

  private init(_ table: BackupTable) throws(StorageError) {
    guard let reading = TableReading(table) else { throw .notMovable(table: table.name) }
    name = table.name
    columns = table.columns
    self.reading = reading
  }

  /// A row's values, to be compared with those of another engine.
  func values(_ row: SQLRow) -> [SQLValue] { columns.indices.map { row[$0] } }

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

  func count(in reader: any SQLReader) throws(StorageError) -> Int64 {
    try TableReading.count(name, in: reader)
  }

  func isEmpty(in reader: any SQLReader) throws(StorageError) -> Bool {
    try reading.rows(after: nil, in: reader).isEmpty
  }
}
