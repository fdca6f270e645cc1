// SPDX-License-Identifier: Apache-2.0

/// A statement with which the engine compares an index with its table.
///
/// It fails with ``StorageError/corrupt(code:)`` if rows are missing from the index or out of order.
struct IndexCheck: Sendable {
  let name: String
  let statement: SQLText
  let arguments: [SQLValue]
}

extension PostgresCatalogue {
  /// Returns the checks of all B-tree indexes by the extension amcheck, or nil if it is missing or
  /// this user may not call it.
  func indexChecks(in reader: any SQLReader) throws(StorageError) -> [IndexCheck]? {
    let extensions = try reader.query(
      """
      SELECT n.nspname::text FROM pg_extension e
      JOIN pg_namespace n ON n.oid = e.extnamespace
      JOIN pg_proc p ON p.pronamespace = n.oid AND p.proname = 'bt_index_check' AND p.pronargs = 2
      WHERE e.extname = 'amcheck' AND has_schema_privilege(n.oid, 'USAGE')
        AND has_function_privilege(p.oid, 'EXECUTE')
      """)
    guard let place: String = try extensions.first?.value() else { return nil }
    var statement: SQLText = "SELECT "
    statement.appendIdentifiers([place])
    statement.append(".bt_index_check($1::bigint::oid::regclass, true)::text")
    let indexes: [PostgresIndexRow] = try reader.query(Self.indexes, []).decode()
    return indexes.map { index in
      IndexCheck(name: index.name, statement: statement, arguments: [.integer(index.oid)])
    }
  }

  private static let indexes = SQLStatement(
    """
    SELECT \(PostgresIndexRow.columns) FROM pg_index i
    JOIN pg_class c ON c.oid = i.indexrelid
    JOIN pg_am a ON a.oid = c.relam
    JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname = current_schema() AND a.amname = 'btree' AND c.relkind = 'i'
      AND i.indisvalid AND i.indisready
    ORDER BY c.relname
    """)
}
