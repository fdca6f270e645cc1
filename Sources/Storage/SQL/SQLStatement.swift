// SPDX-License-Identifier: Apache-2.0

/// A statement put together once, from fixed pieces and the columns of row types.
///
/// Declare each as a `static let`: the engines find what they prepared by identity, which costs as
/// little as the address of a literal. `Scripts/check-sql.py` rejects any other declaration.
package final class SQLStatement: Sendable {
  package let sql: SQLText

  package init(_ sql: SQLText) {
    self.sql = sql
  }
}
