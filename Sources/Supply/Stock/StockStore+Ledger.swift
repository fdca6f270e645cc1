// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// The ledger `stock_entries`, and the balances and counts derived from it.
extension StockStore {
  /// Adds an entry under the supply's next number, and adds it to the balance of its pack.
  static func add(_ entry: NewStockEntryRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(insertEntry, entry.values)
    try writer.execute(
      """
      INSERT INTO stock_balances (patient, stock, lot, amount) VALUES ($1, $2, $3, $4)
      ON CONFLICT (patient, stock, lot)
        DO UPDATE SET amount = stock_balances.amount + excluded.amount
      """,
      [
        .text(entry.owner), .text(entry.stock), .text(entry.lot),
        .integer(entry.amount.millionths),
      ])
  }

  // $3 and $4 are the owner and the supply of the new entry.
  private static let insertEntry = SQLStatement(
    """
    INSERT INTO stock_entries (\(NewStockEntryRow.columns), number)
    VALUES (\(NewStockEntryRow.placeholders),
      (SELECT COALESCE(MAX(number), 0) + 1 FROM stock_entries WHERE owner = $3 AND stock = $4))
    """)

  // MARK: Rebuilding

  /// Sets the balances to the sums of the ledger.
  static func rebuildBalances(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM stock_balances", [])
    try writer.execute(
      """
      INSERT INTO stock_balances (patient, stock, lot, amount)
      SELECT e.owner, e.stock, e.lot, CAST(SUM(e.amount) AS BIGINT) FROM stock_entries e
      JOIN stocks o ON o.patient = e.owner AND o.stock = e.stock
      GROUP BY e.owner, e.stock, e.lot
      """, [])
  }

  /// Sets the last count of every supply to the one in the ledger.
  static func rebuildCounts(in writer: any SQLWriter) throws(StorageError) {
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
  }

  // MARK: Erasing

  /// Deletes the entries of a patient, and those in the patient's own stocks.
  static func deleteEntries(of patient: PatientID, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "DELETE FROM stock_entries WHERE patient = $1 OR owner = $1", [.text(patient)])
  }

  /// Adds an entry that replaces erased ones with their sum, so that the balance stays as it is.
  static func replace(
    _ number: Int64, with entry: NewStockEntryRow, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(insertNumbered, entry.values + [.integer(number)])
  }

  private static let insertNumbered = SQLStatement(
    """
    INSERT INTO stock_entries (\(NewStockEntryRow.columns), number)
    VALUES (\(NewStockEntryRow.placeholders), $16)
    """)
}

/// A row of `stock_entries`, written once; the statement assigns its number.
struct NewStockEntryRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, entry, owner, stock, lot, kind, amount, isCounted, at, recorded, account, byName
    case administration, act, dispense
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let entry: String
  let owner: PatientID
  let stock: StockID
  let lot: LotID
  let kind: StockEntry.Kind
  let amount: StockQuantity
  var isCounted = true
  let at: Timestamp
  let recorded: Timestamp
  let account: AccountID
  let byName: String
  var administration: AdministrationID?
  var act: String?
  var dispense: DispenseID?

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .entry: .text(entry)
    case .owner: .text(owner)
    case .stock: .text(stock)
    case .lot: .text(lot)
    case .kind: .text(kind.rawValue)
    case .amount: .integer(amount.millionths)
    case .isCounted: SQLValue(isCounted)
    case .at: SQLValue(at)
    case .recorded: SQLValue(recorded)
    case .account: .text(account)
    case .byName: .text(byName)
    case .administration: SQLValue(administration)
    case .act: SQLValue(act)
    case .dispense: SQLValue(dispense)
    }
  }
}
