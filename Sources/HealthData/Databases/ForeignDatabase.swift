// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// A SQLite file from elsewhere, opened read-only and not trusted.
///
/// Only plain columns of plain tables are read: the authorizer denies functions, pragmas and all that
/// writes, so that neither a view nor a trigger nor an expression of the file's own is ever run. It is
/// read without its journals, from a file that nobody else writes.
final class ForeignDatabase {
  /// The longest text, row or statement, in bytes; nothing that is read is a hundredth of that.
  private static let longest: Int32 = 1 << 20
  private var handle: OpaquePointer?

  /// - Parameter path: of a private copy.
  init(path: String) throws(HealthFileError) {
    let flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX
    let address = "file:\(Self.escaped(path))?immutable=1"
    guard sqlite3_open_v2(address, &handle, flags, nil) == SQLITE_OK else {
      sqlite3_close(handle)
      handle = nil
      throw .brokenDatabase
    }
    sqlite3_limit(handle, SQLITE_LIMIT_LENGTH, Self.longest)
    sqlite3_limit(handle, SQLITE_LIMIT_SQL_LENGTH, Self.longest)
    sqlite3_limit(handle, SQLITE_LIMIT_COLUMN, 200)
    sqlite3_limit(handle, SQLITE_LIMIT_EXPR_DEPTH, 20)
    sqlite3_limit(handle, SQLITE_LIMIT_ATTACHED, 0)
    let settings = """
      PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0;
      PRAGMA cache_size = -2000;
      """
    guard sqlite3_exec(handle, settings, nil, nil, nil) == SQLITE_OK else {
      throw .brokenDatabase
    }
    sqlite3_set_authorizer(
      handle,
      { _, action, _, _, _, _ in
        action == SQLITE_SELECT || action == SQLITE_READ ? SQLITE_OK : SQLITE_DENY
      }, nil)
  }

  deinit { sqlite3_close(handle) }

  /// What in a path would be read as part of an address.
  private static func escaped(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
  }

  /// The plain tables, with the columns that each really holds.
  func tables() throws(HealthFileError) -> [String: Set<String>] {
    var names: [String] = []
    try rows("SELECT type, name, sql FROM sqlite_master", most: 10_000) { row in
      guard row.text(0) == "table", let name = row.text(1), let sql = row.text(2),
        name.unicodeScalars.allSatisfy({ $0.isASCII && ($0 == "_" || Self.isWord($0)) })
      else { return }
      // Virtual tables run code, and generated columns the file's own expressions.
      let plain = sql.uppercased()
      guard plain.hasPrefix("CREATE TABLE"), !plain.contains("GENERATED"), !plain.contains(" AS ")
      else { return }
      names.append(name)
    }
    var tables: [String: Set<String>] = [:]
    for name in names {
      // A table that cannot be read, for whatever reason, is none of ours.
      if let columns = columns(of: name) { tables[name.uppercased()] = columns }
    }
    return tables
  }

  private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isAlphabetic || scalar.properties.numericType != nil
  }

  private func columns(of table: String) -> Set<String>? {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard
      sqlite3_prepare_v2(handle, "SELECT * FROM \"\(table)\"", -1, &statement, nil) == SQLITE_OK
    else { return nil }
    return Set(
      (0..<sqlite3_column_count(statement)).compactMap { place in
        sqlite3_column_name(statement, place).map { String(cString: $0).uppercased() }
      })
  }

  /// One row, for as long as it is looked at.
  struct Row {
    fileprivate let statement: OpaquePointer?

    /// Nil for what is no whole number.
    func integer(_ column: Int32) -> Int64? {
      sqlite3_column_type(statement, column) == SQLITE_INTEGER
        ? sqlite3_column_int64(statement, column) : nil
    }

    func text(_ column: Int32) -> String? {
      guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
      return sqlite3_column_text(statement, column).map { String(cString: $0) }
    }
  }

  /// Runs a statement of our own and looks at each row.
  ///
  /// - Throws: ``HealthFileError/tooLarge`` for more rows than allowed, and what `take` throws.
  func rows(_ sql: String, most: Int, _ take: (Row) throws(HealthFileError) -> Void)
    throws(HealthFileError)
  {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    guard sqlite3_prepare_v2(handle, sql, -1, &statement, nil) == SQLITE_OK else {
      throw .brokenDatabase
    }
    var count = 0
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        count += 1
        guard count <= most else { throw .tooLarge }
        try take(Row(statement: statement))
      case SQLITE_DONE: return
      default: throw .brokenDatabase
      }
    }
  }
}
