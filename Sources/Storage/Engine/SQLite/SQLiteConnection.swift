// SPDX-License-Identifier: Apache-2.0
import GRDB
import GRDBSQLite

/// Tells SQLite to copy bound values; Swift cannot see the C macro for it.
private var transientText: sqlite3_destructor_type {
  unsafeBitCast(-1, to: sqlite3_destructor_type.self)
}

private var emptyText: UnsafePointer<CChar> {
  UnsafeRawPointer(("" as StaticString).utf8Start).assumingMemoryBound(to: CChar.self)
}

/// Runs statements on one SQLite connection, on the queue that owns it.
///
/// Binding and stepping call SQLite directly, because several statements run for each answered dose.
/// Unchecked Sendable, because each is used only on the queue of its connection.
final class SQLiteConnection: SQLConnection, @unchecked Sendable {
  private let connection: GRDB.Database
  private let statements: SQLiteStatements
  private let damage: DamageMonitor?

  init(_ connection: GRDB.Database, damage: DamageMonitor?) {
    self.connection = connection
    self.damage = damage
    statements = SQLiteStatements(connection: connection)
  }

  func query(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try rows(
      of: try statement { () throws(StorageError) in try statements.statement(for: sql) }, arguments
    )
  }

  func query(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try rows(
      of: try statement { () throws(StorageError) in
        try statements.statement(dynamic: sql.text)
      }, arguments)
  }

  func execute(_ sql: StaticString, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    try run(
      try statement { () throws(StorageError) in try statements.statement(for: sql) }, arguments)
  }

  func execute(dynamic sql: SQLText, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    try run(
      try statement { () throws(StorageError) in try statements.statement(dynamic: sql.text) },
      arguments)
  }

  func query(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> [SQLRow] {
    try rows(
      of: try self.statement { () throws(StorageError) in
        try statements.statement(for: statement)
      }, arguments)
  }

  func execute(_ statement: SQLStatement, _ arguments: [SQLValue]) throws(StorageError) -> Int {
    try run(
      try self.statement { () throws(StorageError) in
        try statements.statement(for: statement)
      }, arguments)
  }

  func executeScript(_ sql: String) throws(StorageError) {
    do {
      try connection.execute(sql: sql)
    } catch {
      throw noticed(StorageError(error))
    }
  }

  func enforce(foreignKeys: Bool, checks: Bool) throws(StorageError) {
    try executeScript(
      """
      PRAGMA foreign_keys = \(foreignKeys ? "ON" : "OFF");
      PRAGMA ignore_check_constraints = \(checks ? "OFF" : "ON")
      """)
  }

  var isInTransaction: Bool {
    sqlite3_get_autocommit(connection.sqliteConnection) == 0
  }

  private func statement(
    _ find: () throws(StorageError) -> OpaquePointer
  ) throws(StorageError) -> OpaquePointer {
    do throws(StorageError) {
      return try find()
    } catch {
      throw noticed(error)
    }
  }

  private func noticed(_ error: StorageError) -> StorageError {
    damage?.look(at: error)
    return error
  }

  private func run(
    _ statement: OpaquePointer, _ arguments: [SQLValue]
  ) throws(StorageError) -> Int {
    defer { finish(statement) }
    try bind(arguments, to: statement)
    let handle = connection.sqliteConnection
    let before = sqlite3_total_changes64(handle)
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: continue
      case SQLITE_DONE:
        // After a statement that changes nothing, SQLite still reports the count of the last change.
        return sqlite3_total_changes64(handle) == before ? 0 : Int(sqlite3_changes64(handle))
      default: throw lastError()
      }
    }
  }

  private func rows(
    of statement: OpaquePointer, _ arguments: [SQLValue]
  ) throws(StorageError) -> [SQLRow] {
    defer { finish(statement) }
    try bind(arguments, to: statement)
    let columns = sqlite3_column_count(statement)
    var values: [SQLValue] = []
    var count = 0
    stepping: while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW:
        count += 1
        for column in 0..<columns {
          values.append(try value(of: statement, column))
        }
      case SQLITE_DONE: break stepping
      default: throw lastError()
      }
    }
    return (0..<count).map {
      SQLRow(values: values, start: $0 * Int(columns), count: Int(columns))
    }
  }

  private func value(
    of statement: OpaquePointer, _ column: Int32
  ) throws(StorageError) -> SQLValue {
    switch sqlite3_column_type(statement, column) {
    case SQLITE_INTEGER:
      return .integer(sqlite3_column_int64(statement, column))
    case SQLITE_FLOAT:
      return .real(sqlite3_column_double(statement, column))
    case SQLITE_TEXT:
      guard let start = sqlite3_column_text(statement, column) else { throw .diskFull }
      let count = Int(sqlite3_column_bytes(statement, column))
      return .text(
        String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
    case SQLITE_BLOB:
      guard let start = sqlite3_column_blob(statement, column) else { return .blob([]) }
      let count = Int(sqlite3_column_bytes(statement, column))
      return .blob(Array(UnsafeRawBufferPointer(start: start, count: count)))
    default:
      return .null
    }
  }

  private func bind(
    _ arguments: [SQLValue], to statement: OpaquePointer
  ) throws(StorageError) {
    let expected = Int(sqlite3_bind_parameter_count(statement))
    guard expected == arguments.count else {
      throw .argumentCount(expected: expected, given: arguments.count)
    }
    var position: Int32 = 0
    for argument in arguments {
      position += 1
      let code = bind(argument, to: statement, at: position)
      guard code == SQLITE_OK else { throw lastError() }
    }
  }

  private func bind(_ value: SQLValue, to statement: OpaquePointer, at position: Int32) -> Int32 {
    switch value {
    case .null:
      return sqlite3_bind_null(statement, position)
    case .integer(let number):
      return sqlite3_bind_int64(statement, position, number)
    case .real(let number):
      return sqlite3_bind_double(statement, position, number)
    case .text(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          // An empty string may have no address, which SQLite would read as NULL.
          sqlite3_bind_text64(
            statement, position, characters.baseAddress ?? emptyText,
            sqlite3_uint64(characters.count), transientText, UInt8(SQLITE_UTF8))
        }
      }
    case .blob(let bytes):
      if bytes.isEmpty { return sqlite3_bind_zeroblob(statement, position, 0) }
      return bytes.withUnsafeBytes { buffer in
        sqlite3_bind_blob64(
          statement, position, buffer.baseAddress, sqlite3_uint64(buffer.count),
          transientText)
      }
    }
  }

  /// Resets the statement and clears its arguments, which may be health data.
  private func finish(_ statement: OpaquePointer) {
    sqlite3_reset(statement)
    sqlite3_clear_bindings(statement)
  }

  private func lastError() -> StorageError {
    let handle = connection.sqliteConnection
    return noticed(
      StorageError(
        sqliteCode: sqlite3_extended_errcode(handle),
        message: String(cString: sqlite3_errmsg(handle))))
  }
}
