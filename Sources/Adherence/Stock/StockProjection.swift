// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// What is left in each pack, and when was last counted, as they follow from the ledger.
enum StockProjection {
  /// What is left in a pack is not the sum of its entries.
  static let balances: SQLText = """
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

  /// The last count is not the ledger's.
  static let counts: SQLText = """
    SELECT s.patient, s.stock FROM stocks s
    LEFT JOIN stock_entries e
      ON e.owner = s.patient AND e.stock = s.stock AND e.number = s.counted_number
    WHERE e.number IS NULL OR e.kind <> 'counted' OR e.recorded <> s.counted_at
      OR EXISTS (SELECT 1 FROM stock_entries l WHERE l.owner = s.patient AND l.stock = s.stock
        AND l.kind = 'counted' AND l.number > s.counted_number)
    ORDER BY 1, 2 LIMIT $1
    """

  /// Puts right what does not follow from the ledger; how many stocks and packs that were.
  static func rebuild(in writer: any SQLWriter) throws(StorageError) -> Int {
    let wrong =
      try writer.query(dynamic: balances, [SQLValue(Int64.max)]).count
      + writer.query(dynamic: counts, [SQLValue(Int64.max)]).count
    guard wrong > 0 else { return 0 }
    try writer.execute("DELETE FROM stock_balances", [])
    try writer.execute(
      """
      INSERT INTO stock_balances (patient, stock, lot, amount)
      SELECT e.owner, e.stock, e.lot, CAST(SUM(e.amount) AS BIGINT) FROM stock_entries e
      JOIN stocks o ON o.patient = e.owner AND o.stock = e.stock
      GROUP BY e.owner, e.stock, e.lot
      """, [])
    try writer.execute(
      """
      UPDATE stocks SET counted_number = COALESCE((SELECT MAX(e.number) FROM stock_entries e
        WHERE e.owner = stocks.patient AND e.stock = stocks.stock AND e.kind = 'counted'), 0)
      """, [])
    try writer.execute(
      """
      UPDATE stocks SET counted_at = COALESCE((SELECT MAX(e.recorded) FROM stock_entries e
        WHERE e.owner = stocks.patient AND e.stock = stocks.stock
          AND e.number = stocks.counted_number), counted_at)
      """, [])
    return wrong
  }
}

/// What is left of a patient's part in stocks of others once the patient is erased.
package enum StockErasure {
  /// Keeps what others have as it is: what the patient took from their stocks becomes a sum of nobody's; the
  /// patient's own stocks are gone for all who took from them.
  package static func erase(_ patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    let rows = try writer.query(
      """
      SELECT owner, stock, lot, CAST(SUM(amount) AS BIGINT), MAX(number) FROM stock_entries
      WHERE patient = $1 AND owner <> $1 GROUP BY owner, stock, lot ORDER BY 1, 2, 3
      """, [.text(patient)])
    try writer.execute(
      "DELETE FROM stock_entries WHERE patient = $1 OR owner = $1", [.text(patient)])
    try writer.execute(
      "DELETE FROM stock_uses WHERE patient = $1 OR owner = $1", [.text(patient)])
    // What others were handed out and put there is a pack that is gone with it.
    try writer.execute(
      """
      UPDATE stock_dispenses SET owner = NULL, stock = NULL, act = NULL
      WHERE owner = $1 AND patient <> $1
      """, [.text(patient)])
    for row in rows {
      try writer.execute(
        """
        INSERT INTO stock_entries (patient, entry, owner, stock, number, lot, kind, amount,
          is_counted, at, recorded, account, by_name)
        VALUES ($1, $2, $1, $3, $4, $5, 'erased', $6, 1, $7, $7, '', '')
        """,
        [
          row[0], .text("erased-\(try row.integer(4))-\(try row.text(1))"), row[1], row[4], row[2],
          row[3], SQLValue(now),
        ])
    }
  }
}
