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

  // The views of information_schema take seconds for a hundred tables. Like them, these statements leave out
  // what this user has no right to.
  private static let columns = SQLStatement(
    """
    SELECT \(PostgresColumnRow.columns)
    FROM pg_class c
    JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    LEFT JOIN pg_constraint p ON p.conrelid = c.oid AND p.contype = 'p'
    WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p')
      AND c.relname <> 'schema_migrations'
      AND (pg_has_role(c.relowner, 'USAGE')
        OR has_column_privilege(c.oid, a.attnum, 'SELECT, INSERT, UPDATE, REFERENCES'))
    ORDER BY c.relname, a.attnum
    """)

  func blobColumns(
    of table: String, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      """
      SELECT a.attname::text FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      WHERE n.nspname = current_schema() AND c.relkind IN ('r', 'p') AND c.relname::text = $1
        AND a.atttypid = 'bytea'::regtype
        AND (pg_has_role(c.relowner, 'USAGE')
          OR has_column_privilege(c.oid, a.attnum, 'SELECT, INSERT, UPDATE, REFERENCES'))
      ORDER BY a.attnum
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
