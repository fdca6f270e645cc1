// SPDX-License-Identifier: Apache-2.0

import Storage

/// The balances of packs and the last counts, checked against the ledger and rebuilt from it.
package enum StockProjection {
  /// The query for packs whose balance is not the sum of their entries: patient, then supply and pack; `$1`
  /// is the limit.
  package static let balances: SQLText = """
    SELECT b.patient, b.stock || ' ' || b.lot FROM stock_balances b
    LEFT JOIN (
      SELECT owner, stock, lot, CAST(SUM(amount) AS BIGINT) AS amount FROM stock_entries
      GROUP BY owner, stock, lot
    ) s ON s.owner = b.patient AND s.stock = b.stock AND s.lot = b.lot
    WHERE s.amount IS NULL OR s.amount <> b.amount
    UNION
    SELECT e.owner, e.stock || ' ' || e.lot FROM stock_entries e
    JOIN stocks o ON o.patient = e.owner AND o.stock = e.stock
    WHERE NOT EXISTS (SELECT 1 FROM stock_balances b
      WHERE b.patient = e.owner AND b.stock = e.stock AND b.lot = e.lot)
    ORDER BY 1, 2 LIMIT $1
    """

  /// The query for supplies whose last count is not the ledger's: patient, then supply; `$1` is the limit.
  package static let counts: SQLText = """
    SELECT s.patient, s.stock FROM stocks s
    LEFT JOIN stock_entries e
      ON e.owner = s.patient AND e.stock = s.stock AND e.number = s.counted_number
    WHERE e.number IS NULL OR e.kind <> 'counted' OR e.recorded <> s.counted_at
      OR EXISTS (SELECT 1 FROM stock_entries l WHERE l.owner = s.patient AND l.stock = s.stock
        AND l.kind = 'counted' AND l.number > s.counted_number)
    ORDER BY 1, 2 LIMIT $1
    """

  /// Rebuilds the balances and counts that differ from the ledger, and returns how many were wrong.
  package static func rebuild(in writer: any SQLWriter) throws(StorageError) -> Int {
    let wrong =
      try writer.query(dynamic: balances, [SQLValue(Int64.max)]).count
      + writer.query(dynamic: counts, [SQLValue(Int64.max)]).count
    guard wrong > 0 else { return 0 }
    try StockStore.rebuildBalances(in: writer)
    try StockStore.rebuildCounts(in: writer)
    return wrong
  }
}
