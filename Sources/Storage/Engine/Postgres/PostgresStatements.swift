// SPDX-License-Identifier: Apache-2.0
import CLibPQ

/// The statements that one connection has prepared, found by the address of their text in the source.
struct PostgresStatements {
  struct Statement {
    /// The name; empty for a statement that is used only once.
    let name: String
    /// The types of its arguments.
    let types: [Oid]
  }

  /// A statement as written in the program, which identifies its prepared form.
  enum Source {
    case fixed(StaticString)
    case composed(SQLStatement)
    case dynamic(String)

    var sql: String {
      switch self {
      case .fixed(let sql): sql.description
      case .composed(let statement): statement.sql.text
      case .dynamic(let sql): sql
      }
    }
  }

  private static let dynamicLimit = 500
  private var fixed: [UnsafePointer<UInt8>: Statement] = [:]
  /// Each entry keeps its statement alive, so that no other statement can get the same address.
  private var composed: [ObjectIdentifier: (source: SQLStatement, prepared: Statement)] = [:]
  private var dynamic: [String: Statement] = [:]
  private var count = 0

  func known(_ source: Source) -> Statement? {
    switch source {
    case .fixed(let sql):
      sql.hasPointerRepresentation ? fixed[sql.utf8Start] : dynamic[sql.description]
    case .composed(let statement): composed[ObjectIdentifier(statement)]?.prepared
    case .dynamic(let sql): dynamic[sql]
    }
  }

  /// Returns the name for the next statement; empty if the limit is reached.
  mutating func nextName(for source: Source) -> String {
    if case .dynamic = source, dynamic.count >= Self.dynamicLimit { return "" }
    count += 1
    return "s\(count)"
  }

  mutating func keep(_ statement: Statement, for source: Source) {
    switch source {
    case .fixed(let sql) where sql.hasPointerRepresentation: fixed[sql.utf8Start] = statement
    case .composed(let source): composed[ObjectIdentifier(source)] = (source, statement)
    case .fixed, .dynamic:
      if !statement.name.isEmpty { dynamic[source.sql] = statement }
    }
  }
}
