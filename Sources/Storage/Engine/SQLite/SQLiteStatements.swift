// SPDX-License-Identifier: Apache-2.0
import GRDB

/// The prepared statements of one connection.
///
/// Statements written in the source are found by the address of their text, because hashing a few hundred
/// bytes of SQL on each call would cost as much as a short statement.
final class SQLiteStatements {
  private static let dynamicLimit = 200
  private let connection: GRDB.Database
  private var fixed: [UnsafePointer<UInt8>: Statement] = [:]
  /// Each entry keeps its statement alive, so that no other statement can get the same address.
  private var composed: [ObjectIdentifier: (source: SQLStatement, prepared: Statement)] = [:]
  private var dynamic: [String: Statement] = [:]

  init(connection: GRDB.Database) {
    self.connection = connection
  }

  func statement(for sql: StaticString) throws(StorageError) -> OpaquePointer {
    guard sql.hasPointerRepresentation else {
      return try statement(dynamic: sql.description)
    }
    if let known = fixed[sql.utf8Start] { return known.sqliteStatement }
    let statement = try prepare(sql.description)
    fixed[sql.utf8Start] = statement
    return statement.sqliteStatement
  }

  func statement(for source: SQLStatement) throws(StorageError) -> OpaquePointer {
    let identity = ObjectIdentifier(source)
    if let known = composed[identity] { return known.prepared.sqliteStatement }
    let statement = try prepare(source.sql.text)
    composed[identity] = (source, statement)
    return statement.sqliteStatement
  }

  func statement(dynamic sql: String) throws(StorageError) -> OpaquePointer {
    if let known = dynamic[sql] { return known.sqliteStatement }
    let statement = try prepare(sql)
    // Lists of many lengths make many texts: start again rather than grow forever.
    if dynamic.count >= Self.dynamicLimit { dynamic.removeAll(keepingCapacity: true) }
    dynamic[sql] = statement
    return statement.sqliteStatement
  }

  private func prepare(_ sql: String) throws(StorageError) -> Statement {
    do {
      return try connection.makeStatement(sql: sql)
    } catch {
      throw StorageError(error)
    }
  }
}
