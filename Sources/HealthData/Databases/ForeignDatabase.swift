// SPDX-License-Identifier: Apache-2.0

import GRDBSQLite

/// An untrusted SQLite file, opened read-only.
///
/// Only plain columns of plain tables are read: the authorizer denies functions, pragmas and all writes, so
/// that no view, trigger or expression of the file is ever run. It is read without its journals, from a file
/// that no one else writes.
final class ForeignDatabase {
  /// The maximum length of a text, row or statement in bytes; the expected data is a hundredth of that.
  private static let longest: Int32 = 1 << 20
  private var handle: OpaquePointer?

  /// Opens a file.
  ///
  /// - Parameter path: the path of a private copy.
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

  /// Returns a path with the characters escaped that would be read as part of an address.
  private static func escaped(_ path: String) -> String {
    path.replacing("%", with: "%25").replacing("?", with: "%3f").replacing("#", with: "%23")
  }

  /// Returns the plain tables with their actual columns.
  func tables() throws(HealthFileError) -> [String: Set<String>] {
    var names: [String] = []
    try rows("SELECT type, name, sql FROM sqlite_master", most: 10_000) { row in
      guard row.text(0) == "table", let name = row.text(1), let sql = row.text(2),
        name.unicodeScalars.allSatisfy({ $0.isASCII && ($0 == "_" || Self.isWord($0)) })
      else { return }
      // Virtual tables run code, and generated columns run the file's own expressions.
      let plain = sql.uppercased()
      guard plain.hasPrefix("CREATE TABLE"), !plain.contains("GENERATED"), !plain.contains(" AS ")
      else { return }
      names.append(name)
    }
    var tables: [String: Set<String>] = [:]
    for name in names {
      // Ignore a table that cannot be read, for whatever reason.
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

  /// A row, valid while it is being processed.
  struct Row {
    fileprivate let statement: OpaquePointer?

    /// Returns a column's integer; nil for any other value.
    func integer(_ column: Int32) -> Int64? {
      sqlite3_column_type(statement, column) == SQLITE_INTEGER
        ? sqlite3_column_int64(statement, column) : nil
    }

    func text(_ column: Int32) -> String? {
      guard sqlite3_column_type(statement, column) == SQLITE_TEXT else { return nil }
      return sqlite3_column_text(statement, column).map { String(cString: $0) }
    }
  }

  /// Runs a statement of our own and processes each row.
  ///
  /// - Throws: ``HealthFileError/tooLarge`` for more rows than allowed, and errors of `take`.
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
