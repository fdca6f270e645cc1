// SPDX-License-Identifier: Apache-2.0

/// What backup and checks must know of an engine and cannot ask in the SQL that all engines share.
///
/// A backup is otherwise one snapshot read through ``SQLReader``, and can be restored into any
/// engine.
protocol EngineCatalogue: Sendable {
  /// The tables of ours by name, without the record of the schema's own steps.
  func tables(in reader: any SQLReader) throws(StorageError) -> [BackupTable]
  /// What the engine finds wrong with its own files, one line each.
  func damage(in reader: any SQLReader) throws(StorageError) -> [String]
}

/// The catalogue of a SQLite file.
struct SQLiteCatalogue: EngineCatalogue {
  func tables(in reader: any SQLReader) throws(StorageError) -> [BackupTable] {
    let rows = try reader.query(
      """
      SELECT name FROM sqlite_schema
      WHERE type = 'table' AND name NOT LIKE 'sqlite!_%' ESCAPE '!' AND name <> 'schema_migrations'
      ORDER BY name
      """)
    var tables: [BackupTable] = []
    for row in rows {
      let name = try row.text(0)
      let columns = try reader.query(
        "SELECT name, pk FROM pragma_table_info($1) ORDER BY cid", [.text(name)])
      var names: [String] = []
      var key: [(position: Int64, name: String)] = []
      for column in columns {
        names.append(try column.text(0))
        let position = try column.integer(1)
        if position > 0 { key.append((position, try column.text(0))) }
      }
      key.sort { $0.position < $1.position }
      tables.append(BackupTable(name: name, columns: names, key: key.map(\.name)))
    }
    return tables
  }

  func damage(in reader: any SQLReader) throws(StorageError) -> [String] {
    var lines: [String] = []
    for row in try reader.query("PRAGMA integrity_check(20)") {
      let line = try row.text(0)
      if line != "ok" { lines.append(line) }
    }
    for row in try reader.query("SELECT DISTINCT \"table\" FROM pragma_foreign_key_check") {
      lines.append("rows of \(try row.text(0)) name rows that are not there")
    }
    return lines
  }
}
