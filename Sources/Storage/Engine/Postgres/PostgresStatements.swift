// SPDX-License-Identifier: Apache-2.0
import CLibPQ

/// The statements that one connection has prepared, by the address of their text where they are
/// written in the source.
struct PostgresStatements {
  struct Statement {
    /// Empty for one that is prepared for a single use.
    let name: String
    /// The types of its arguments.
    let types: [Oid]
  }

  /// A statement as the program wrote it, by which its prepared form is found.
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
  /// Each is kept alive by its entry, so that no other can take its place in memory.
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

  /// The name for the next statement; empty when enough are kept.
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
