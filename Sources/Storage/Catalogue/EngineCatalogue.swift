// SPDX-License-Identifier: Apache-2.0

/// The engine-specific information that backups and checks need and that shared SQL cannot ask for.
///
/// Otherwise a backup is a snapshot read through ``SQLReader``, which can be restored into any engine.
protocol EngineCatalogue: Sendable {
  /// Returns the application's tables by name, without the record of migrations.
  func tables(in reader: any SQLReader) throws(StorageError) -> [StoredTable]
  /// Returns the columns of a table that contain bytes.
  func blobColumns(
    of table: String, in reader: any SQLReader
  ) throws(StorageError) -> [String]
  /// Returns the faults that the engine finds in its own files, one line each.
  func damage(in reader: any SQLReader) throws(StorageError) -> [String]
  /// Returns statements that find the rows that break a rule of the schema.
  func ruleChecks(in reader: any SQLReader) throws(StorageError) -> [RuleCheck]
  /// Returns a statement that reads every value of a table, or nil if ``damage(in:)`` already does that.
  func readingAll(of table: String) -> SQLText?
  /// Returns statements that compare each index with its table, none if ``damage(in:)`` already does
  /// that, or nil if the engine cannot.
  func indexChecks(in reader: any SQLReader) throws(StorageError) -> [IndexCheck]?
}

/// The catalogue of a PostgreSQL database, limited to the schema with the application's tables.
struct PostgresCatalogue: EngineCatalogue {
  func tables(in reader: any SQLReader) throws(StorageError) -> [StoredTable] {
    let rows: [PostgresColumnRow] = try reader.query(Self.columns, []).decode()
    var columns: [String: [String]] = [:]
    var keys: [String: [(position: Int64, name: String)]] = [:]
    for row in rows {
      columns[row.table, default: []].append(row.name)
      if let position = row.keyPosition {
        keys[row.table, default: []].append((position, row.name))
      }
    }
    return columns.keys.sorted().map { table in
      StoredTable(
        name: table, columns: columns[table] ?? [],
        key: (keys[table] ?? []).sorted { $0.position < $1.position }.map(\.name))
    }
  }

  private static let columns = SQLStatement(
    """
    SELECT \(PostgresColumnRow.columns)
    FROM information_schema.columns c
    JOIN information_schema.tables t
      ON t.table_schema = c.table_schema AND t.table_name = c.table_name
    LEFT JOIN information_schema.table_constraints p
      ON p.table_schema = c.table_schema AND p.table_name = c.table_name
        AND p.constraint_type = 'PRIMARY KEY'
    LEFT JOIN information_schema.key_column_usage k
      ON k.constraint_schema = p.constraint_schema AND k.constraint_name = p.constraint_name
        AND k.table_name = c.table_name AND k.column_name = c.column_name
    WHERE c.table_schema = current_schema() AND t.table_type = 'BASE TABLE'
      AND c.table_name <> 'schema_migrations'
    ORDER BY c.table_name, c.ordinal_position
    """)

  func blobColumns(
    of table: String, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      """
      SELECT column_name::text FROM information_schema.columns
      WHERE table_schema = current_schema() AND table_name = $1 AND data_type = 'bytea'
      ORDER BY ordinal_position
      """, [.text(table)]
    ).values()
  }

  /// Returns no lines.
  ///
  /// PostgreSQL offers no general check of its files, but finds damage when it reads them, with
  /// checksums if the cluster has them. ``indexChecks(in:)`` covers its indexes.
  func damage(in reader: any SQLReader) throws(StorageError) -> [String] { [] }

  func readingAll(of table: String) -> SQLText? {
    var sql: SQLText = "SELECT count(*), sum(length(t::text)) FROM "
    sql.appendIdentifiers([table])
    sql.append(" t")
    return sql
  }
}

/// The catalogue of a SQLite file.
struct SQLiteCatalogue: EngineCatalogue {
  func tables(in reader: any SQLReader) throws(StorageError) -> [StoredTable] {
    let found: [String] = try reader.query(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> 'schema_migrations'
      ORDER BY name
      """
    ).values()
    var tables: [StoredTable] = []
    for name in found {
      let columns: [SQLiteColumnRow] = try reader.query(Self.columns, [.text(name)]).decode()
      let names = columns.map(\.name)
      var key = columns.filter { $0.keyPosition > 0 }
      key.sort { $0.keyPosition < $1.keyPosition }
      tables.append(StoredTable(name: name, columns: names, key: key.map(\.name)))
    }
    return tables
  }

  private static let columns = SQLStatement(
    "SELECT \(SQLiteColumnRow.columns) FROM pragma_table_info($1) ORDER BY cid")

  func blobColumns(
    of table: String, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      "SELECT name FROM pragma_table_info($1) WHERE type = 'BLOB' ORDER BY cid", [.text(table)]
    ).values()
  }

  func readingAll(of table: String) -> SQLText? { nil }

  func indexChecks(in reader: any SQLReader) throws(StorageError) -> [IndexCheck]? { [] }

  func damage(in reader: any SQLReader) throws(StorageError) -> [String] {
    var lines: [String] = []
    for line in try reader.query("PRAGMA integrity_check(20)").values(as: String.self) {
      // A row that breaks a CHECK is not damage: the rule checks report it.
      if line != "ok", !line.hasPrefix("CHECK constraint failed") { lines.append(line) }
    }
    return lines
  }
}
