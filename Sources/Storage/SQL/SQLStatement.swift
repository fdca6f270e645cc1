// SPDX-License-Identifier: Apache-2.0

/// A statement assembled once, from fixed pieces and the columns of row types.
///
/// Declare each as a `static let`: the engines find prepared statements by identity, which is as cheap as the
/// address of a literal. `Scripts/check-sql.py` rejects any other declaration.
package final class SQLStatement: Sendable {
  /// The text of the statement.
  package let sql: SQLText

  /// Creates a statement, which is prepared when it is first run.
  package init(_ sql: SQLText) {
    self.sql = sql
  }
}
