// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The stock that counts a medicine, with its packs that are not empty.
package struct CountingStock: Sendable {
  /// The person whose stock it is, who may share it with others.
  package let owner: PatientID
  /// The identifier of the stock.
  package let stock: StockID
  /// The unit in which the stock is counted.
  package let unit: StockUnit
  /// The time of the last count, which includes everything taken before.
  package let countedAt: Timestamp
  /// The limits and strength that the plan states; nil if it states none.
  package let limits: PlanLimits?
  /// The packs with something left.
  package let lots: [StockLot]

  /// Returns the stock that counts a medicine; nil if none does.
  ///
  /// - Parameter medicine: the plan's id, or the ingredient key of the name.
  package static func read(
    _ medicine: String, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> CountingStock? {
    let rows = try reader.query(statement, [.text(patient), .text(medicine)])
    return try CountingStock(rows.map { $0.read(CountingStockRow.self) })
  }

  private static let statement = SQLStatement(
    """
    SELECT \(CountingStockRow.columns) FROM stock_uses k
    \(CountingStockRow.joins)
    WHERE k.patient = $1 AND k.medicine = $2
    """)
}

/// The columns of a ``CountingStock``: one row for each of its packs.
package enum CountingStockRow: SQLRowType {
  /// The columns of the stock, of the plan's limits and of one pack.
  package enum Column: Int, SQLColumn {
    case owner, stock, unit, unitCode, strengthValue, strengthUnit, form, openDays, countedAt
    case limits
    case lot, left, number, size, expires, opened, label, isKept, isVoid, isPrescribed
  }

  /// The columns of `stocks s`, with those of limits (`x`), balances (`b`) and packs (`l`).
  package static let columns = SQLColumns<Column>(
    of: "s",
    [
      .owner: "s.patient", .limits: "x.limits", .lot: "b.lot", .left: "b.amount",
      .number: "l.number", .size: "l.size", .expires: "l.expires", .opened: "l.opened",
      .label: "l.label", .isKept: "l.is_kept", .isVoid: "l.is_void",
      .isPrescribed: "l.is_prescribed",
    ])

  /// The tables that the columns come from, joined to the use `k` of a stock.
  package static let joins: SQLText = """
    LEFT JOIN stocks s ON s.patient = k.owner AND s.stock = k.stock AND s.ended IS NULL
    LEFT JOIN plan_limits x ON x.patient = k.patient AND x.plan = k.medicine
    LEFT JOIN stock_balances b ON b.patient = s.patient AND b.stock = s.stock AND b.amount > 0
    LEFT JOIN stock_lots l ON l.patient = b.patient AND l.stock = b.stock AND l.lot = b.lot
    """
}

extension CountingStock {
  /// Reads the columns that follow those of another row type; nil if no stock counts the medicine.
  package init?<Before: SQLRowType>(
    _ rows: ArraySlice<SQLRow>, after other: Before.Type
  ) throws(StorageError) {
    try self.init(rows.map { $0.read(CountingStockRow.self, after: other) })
  }

  private init?(_ rows: [ColumnReader<CountingStockRow.Column>]) throws(StorageError) {
    guard let row = rows.first, let owner: PatientID = try row.optionalID(.owner) else {
      return nil
    }
    self.owner = owner
    stock = try row.id(.stock)
    unit = StockUnit(
      unit: try row.text(.unit), code: try row.optionalText(.unitCode),
      strength: Amount(
        column: try row.optionalText(.strengthValue), unit: try row.optionalText(.strengthUnit),
        code: nil))
    countedAt = try row.timestamp(.countedAt)
    limits = try row.optionalText(.limits).flatMap { PlanLimits(text: $0) }
    let form: StockForm = try row.named(.form)
    let openDays = try row.optionalInteger(.openDays).map { Int(clamping: $0) }
    var lots: [StockLot] = []
    // An amount that no pack accounts for has no pack number.
    for row in rows {
      guard let number = try row.optionalInteger(.number) else { continue }
      lots.append(
        StockLot(
          id: try row.id(.lot), number: number,
          size: StockQuantity(millionths: try row.integer(.size)),
          expires: try row.optionalText(.expires).flatMap { CivilDate(text: $0) },
          opened: try row.optionalText(.opened).flatMap { CivilDate(text: $0) },
          label: try row.optionalText(.label), isKept: try row.bool(.isKept),
          isVoid: try row.bool(.isVoid), isPrescribed: try row.bool(.isPrescribed), form: form,
          openDays: openDays, left: StockQuantity(millionths: try row.integer(.left))))
    }
    self.lots = lots
  }
}
