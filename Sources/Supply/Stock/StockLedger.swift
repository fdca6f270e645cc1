// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Storage

/// The ledger of a supply: adds entries, each with the resulting balance, and reads them.
struct StockLedger {
  let owner: PatientID
  let stock: StockID
  /// The patient of the entries.
  let patient: PatientID
  let context: CommandContext
  let writer: any SQLWriter

  /// Adds one entry for each change; an intake that could not be counted has one without an amount.
  func add(
    _ kind: StockEntry.Kind, _ changes: [StockChange], at: Timestamp? = nil,
    isCounted: Bool = true, administration: AdministrationID? = nil, act: String? = nil,
    dispense: DispenseID? = nil
  ) throws(StorageError) {
    for change in changes {
      try StockStore.add(
        NewStockEntryRow(
          patient: patient, entry: context.newIdentifier(), owner: owner, stock: stock,
          lot: change.lot, kind: kind, amount: change.amount, isCounted: isCounted,
          at: at ?? context.now, recorded: context.now, account: context.actor.accountID,
          byName: context.byName, administration: administration, act: act, dispense: dispense),
        in: writer)
    }
  }

  /// Returns the number of the last entry.
  static func last(of stock: StockID, owner: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Int64
  {
    let number: Int64? = try reader.first(
      "SELECT COALESCE(MAX(number), 0) FROM stock_entries WHERE owner = $1 AND stock = $2",
      [.text(owner), .text(stock)])?.value()
    return number ?? 0
  }

  /// Returns the entries before a number, the newest first.
  static func entries(
    of stock: Stock, before number: Int64 = .max, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [StockEntry] {
    let rows = try reader.query(
      entriesStatement, [.text(stock.owner), .text(stock.id), .integer(number), SQLValue(limit)])
    return try rows.map { row throws(StorageError) in
      try StockEntry(row.read(StockEntryRow.self))
    }
  }

  private static let entriesStatement = SQLStatement(
    """
    SELECT \(StockEntryRow.columns) FROM stock_entries
    WHERE owner = $1 AND stock = $2 AND number < $3
    ORDER BY number DESC LIMIT $4
    """)

  /// Returns the entries of one command, in order.
  static func entries(
    ofAct act: String, stock: StockID, owner: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [StockEntry] {
    let rows = try reader.query(actStatement, [.text(owner), .text(stock), .text(act)])
    return try rows.map { row throws(StorageError) in
      try StockEntry(row.read(StockEntryRow.self))
    }
  }

  private static let actStatement = SQLStatement(
    """
    SELECT \(StockEntryRow.columns) FROM stock_entries
    WHERE owner = $1 AND stock = $2 AND act = $3 ORDER BY number
    """)
}

/// The columns of a ``StockEntry``.
enum StockEntryRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case entry, patient, number, lot, kind, amount, isCounted, at, recorded, byName, act, dispense
  }

  static let columns = SQLColumns<Column>()
}

extension StockEntry {
  init(_ row: ColumnReader<StockEntryRow.Column>) throws(StorageError) {
    self.init(
      id: try row.text(.entry), patient: try row.id(.patient), number: try row.integer(.number),
      lot: try row.id(.lot), kind: try row.named(.kind),
      amount: StockQuantity(millionths: try row.integer(.amount)),
      isCounted: try row.bool(.isCounted), at: try row.timestamp(.at),
      recorded: try row.timestamp(.recorded), by: try row.text(.byName),
      act: try row.optionalText(.act), dispense: try row.optionalID(.dispense))
  }
}
