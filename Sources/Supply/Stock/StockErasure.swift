// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// Keeps the balances of other people's supplies when a patient is erased.
package enum StockErasure {
  /// Replaces a patient's part in other people's supplies with one anonymous sum for each pack, so that
  /// their balances stay.
  ///
  /// The patient's own supplies can no longer be taken from.
  package static func erase(_ patient: PatientID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    let taken: [ErasedSum] = try writer.query(sumsStatement, [.text(patient)]).decode()
    try StockStore.deleteEntries(of: patient, in: writer)
    try StockStore.unlinkAll(of: patient, in: writer)
    // The pack of another patient's dispense in this supply is erased with it.
    try DispenseStore.forgetPacks(of: patient, in: writer)
    for sum in taken {
      try StockStore.replace(
        sum.number,
        with: NewStockEntryRow(
          patient: sum.owner, entry: "erased-\(sum.number)-\(sum.stock)", owner: sum.owner,
          stock: sum.stock, lot: sum.lot, kind: .erased, amount: sum.amount, at: now,
          recorded: now, account: AccountID(""), byName: ""),
        in: writer)
    }
  }

  private static let sumsStatement = SQLStatement(
    """
    SELECT \(ErasedSum.columns) FROM stock_entries
    WHERE patient = $1 AND owner <> $1 GROUP BY owner, stock, lot ORDER BY 1, 2, 3
    """)
}

/// The sum that a patient took from a pack of another's supply, with the last entry's number.
struct ErasedSum: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case owner, stock, lot, amount, number
  }

  static let columns = SQLColumns<Column>(
    [.amount: "CAST(SUM(amount) AS BIGINT)", .number: "MAX(number)"])

  let owner: PatientID
  let stock: StockID
  let lot: LotID
  let amount: StockQuantity
  let number: Int64

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    owner = try row.id(.owner)
    stock = try row.id(.stock)
    lot = try row.id(.lot)
    amount = StockQuantity(millionths: try row.integer(.amount))
    number = try row.integer(.number)
  }
}
