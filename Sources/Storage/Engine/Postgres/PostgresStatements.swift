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

  private static let dynamicLimit = 500
  private var fixed: [UnsafePointer<UInt8>: Statement] = [:]
  /// Each is kept alive by its entry, so that no other can take its place in memory.
  private var composed: [ObjectIdentifier: (source: SQLStatement, prepared: Statement)] = [:]
  private var dynamic: [String: Statement] = [:]
  private var count = 0

  func known(_ sql: StaticString) -> Statement? {
    sql.hasPointerRepresentation ? fixed[sql.utf8Start] : dynamic[sql.description]
  }

  func known(_ sql: String) -> Statement? { dynamic[sql] }

  func known(_ source: SQLStatement) -> Statement? {
    composed[ObjectIdentifier(source)]?.prepared
  }

  /// The name for the next statement; empty when enough are kept.
  mutating func nextName(isFixed: Bool) -> String {
    guard isFixed || dynamic.count < Self.dynamicLimit else { return "" }
    count += 1
    return "s\(count)"
  }

  mutating func keep(_ statement: Statement, for sql: StaticString) {
    if sql.hasPointerRepresentation {
      fixed[sql.utf8Start] = statement
    } else {
      keep(statement, for: sql.description)
    }
  }

  mutating func keep(_ statement: Statement, for source: SQLStatement) {
    composed[ObjectIdentifier(source)] = (source, statement)
  }

  mutating func keep(_ statement: Statement, for sql: String) {
    guard !statement.name.isEmpty else { return }
    dynamic[sql] = statement
  }
}
