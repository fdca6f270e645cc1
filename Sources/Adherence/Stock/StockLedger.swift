// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Adds lines to the ledger of a stock, and keeps the balances that follow from it.
struct StockLedger {
  let owner: PatientID
  let stock: StockID
  /// Whose entries they are.
  let patient: PatientID
  let context: CommandContext
  let writer: any SQLWriter

  /// One entry for each change; an intake that could not be counted has one without an amount.
  func add(
    _ kind: StockEntry.Kind, _ changes: [StockChange], at: Timestamp? = nil,
    isCounted: Bool = true, administration: AdministrationID? = nil, act: String? = nil,
    dispense: DispenseID? = nil
  ) throws(StorageError) {
    for change in changes {
      try writer.execute(
        """
        INSERT INTO stock_entries (patient, entry, owner, stock, number, lot, kind, amount,
          is_counted, at, recorded, account, by_name, administration, act, dispense)
        VALUES ($1, $2, $3, $4, (SELECT COALESCE(MAX(number), 0) + 1 FROM stock_entries
            WHERE owner = $3 AND stock = $4), $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15)
        """,
        [
          .text(patient), .text(context.newIdentifier()), .text(owner), .text(stock),
          .text(change.lot), .text(kind.rawValue), .integer(change.amount.millionths),
          SQLValue(isCounted), SQLValue(at ?? context.now), SQLValue(context.now),
          .text(context.actor.accountID), .text(context.byName), SQLValue(administration),
          SQLValue(act), SQLValue(dispense),
        ])
      try writer.execute(
        """
        INSERT INTO stock_balances (patient, stock, lot, amount) VALUES ($1, $2, $3, $4)
        ON CONFLICT (patient, stock, lot)
          DO UPDATE SET amount = stock_balances.amount + excluded.amount
        """,
        [.text(owner), .text(stock), .text(change.lot), .integer(change.amount.millionths)])
    }
  }

  /// The number of the last entry.
  static func last(of stock: StockID, owner: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Int64
  {
    let row = try reader.first(
      "SELECT COALESCE(MAX(number), 0) FROM stock_entries WHERE owner = $1 AND stock = $2",
      [.text(owner), .text(stock)])
    return try row?.integer(0) ?? 0
  }

  /// Entries before a number, the newest first.
  static func entries(
    of stock: Stock, before number: Int64 = .max, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [StockEntry] {
    let rows = try reader.query(
      """
      SELECT entry, patient, number, lot, kind, amount, is_counted, at, recorded, by_name, act,
        dispense
      FROM stock_entries WHERE owner = $1 AND stock = $2 AND number < $3
      ORDER BY number DESC LIMIT $4
      """, [.text(stock.owner), .text(stock.id), .integer(number), SQLValue(limit)])
    return try rows.map { row throws(StorageError) in
      StockEntry(
        id: try row.text(0), patient: try row.id(1), number: try row.integer(2),
        lot: try row.id(3), kind: try row.named(4),
        amount: StockQuantity(millionths: try row.integer(5)), isCounted: try row.bool(6),
        at: try row.timestamp(7), recorded: try row.timestamp(8), by: try row.text(9),
        act: try row.optionalText(10), dispense: try row.optionalID(11))
    }
  }
}
