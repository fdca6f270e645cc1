// SPDX-License-Identifier: Apache-2.0

/// A table as it is moved from one engine to another, in key order.
struct MovedTable: Sendable {
  let name: String
  let reading: TableReading
  private let columns: [String]

  /// Returns the tables of the schema, as SQLite lists them, since both engines have the same.
  ///
  /// Each comes after the tables that its rows reference.
  static func all(in sqlite: any SQLReader) throws(StorageError) -> [MovedTable] {
    var waiting = try SQLiteCatalogue().tables(in: sqlite)
    var tables: [MovedTable] = []
    var arrived: Set<String> = []
    while !waiting.isEmpty {
      var later: [StoredTable] = []
      for table in waiting {
        if try parents(of: table.name, in: sqlite).isSubset(of: arrived.union([table.name])) {
          arrived.insert(table.name)
          tables.append(try MovedTable(table))
        } else {
          later.append(table)
        }
      }
      guard later.count < waiting.count else { throw .notMovable(table: waiting[0].name) }
      waiting = later
    }
    return tables
  }

  /// Returns the tables that the rows of a table reference.
  private static func parents(
    of table: String, in sqlite: any SQLReader
  ) throws(StorageError) -> Set<String> {
    let parents: [String] = try sqlite.query(
      "SELECT DISTINCT \"table\" FROM pragma_foreign_key_list($1)", [.text(table)]
    ).values()
    return Set(parents)
  }

  private init(_ table: StoredTable) throws(StorageError) {
    guard let reading = TableReading(table) else { throw .notMovable(table: table.name) }
    name = table.name
    columns = table.columns
    self.reading = reading
  }

  /// Returns a row's values, for comparison with another engine.
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
