// SPDX-License-Identifier: Apache-2.0

/// A column of a table in PostgreSQL's catalogue, with its position in the primary key.
struct PostgresColumnRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case table, name, keyPosition }

  static let columns = SQLColumns<Column>(
    [
      .table: "c.relname::text", .name: "a.attname::text",
      .keyPosition: "array_position(p.conkey, a.attnum)::bigint",
    ])

  let table: String
  let name: String
  /// The position in the primary key; nil for other columns.
  let keyPosition: Int64?

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    table = try columns.text(.table)
    name = try columns.text(.name)
    keyPosition = try columns.optionalInteger(.keyPosition)
  }
}

/// A column of a table as SQLite describes it.
struct SQLiteColumnRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case name, pk }

  static let columns = SQLColumns<Column>()

  let name: String
  /// The position in the primary key, from 1; 0 for other columns.
  let keyPosition: Int64

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    name = try columns.text(.name)
    keyPosition = try columns.integer(.pk)
  }
}

/// A B-tree index of PostgreSQL.
struct PostgresIndexRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case name, oid }

  static let columns = SQLColumns<Column>(
    [.name: "c.relname::text", .oid: "c.oid::bigint"])

  let name: String
  let oid: Int64

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    name = try columns.text(.name)
    oid = try columns.integer(.oid)
  }
}

/// A foreign key of a SQLite table.
struct SQLiteKeyRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case id, children, parent }

  static let columns = SQLColumns<Column>(
    [.children: "group_concat(\"from\", ', ')", .parent: "\"table\""])

  let id: Int64
  /// The names of its columns, separated by commas.
  let children: String
  let parent: String

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    id = try columns.integer(.id)
    children = try columns.text(.children)
    parent = try columns.text(.parent)
  }
}

/// A CHECK of a PostgreSQL table.
struct PostgresCheckRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case table, expression }

  static let columns = SQLColumns<Column>(
    [.table: "c.relname::text", .expression: "pg_get_expr(k.conbin, k.conrelid)::text"])

  let table: String
  let expression: String

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    table = try columns.text(.table)
    expression = try columns.text(.expression)
  }
}

/// One pair of columns of a foreign key of PostgreSQL.
struct PostgresKeyRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case id, childTable, parentTable, child, parent }

  static let columns = SQLColumns<Column>(
    [
      .id: "k.oid::bigint", .childTable: "c.relname::text", .parentTable: "p.relname::text",
      .child: "a.attname::text", .parent: "b.attname::text",
    ])

  let id: Int64
  let childTable: String
  let parentTable: String
  let child: String
  let parent: String

  init(_ columns: ColumnReader<Column>) throws(StorageError) {
    id = try columns.integer(.id)
    childTable = try columns.text(.childTable)
    parentTable = try columns.text(.parentTable)
    child = try columns.text(.child)
    parent = try columns.text(.parent)
  }
}
