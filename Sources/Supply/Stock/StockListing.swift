// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

extension StockRows {
  /// Returns the supplies that a patient owns or takes from, by the name of the medicine.
  ///
  /// It takes two statements, however many there are.
  static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError) -> [Stock] {
    let rows = try reader.query(allStatement, [.text(patient)])
    if rows.isEmpty { return [] }
    let packs = try packs(of: patient, in: reader)
    var uses: [StockKey: [NamedUse]] = [:]
    var firsts: [(key: StockKey, row: SQLRow)] = []
    for row in rows {
      let key = try StockKey(row.read(StockRow.self))
      if firsts.last?.key != key { firsts.append((key, row)) }
      if let use = try NamedUse(row.read(StockListingRow.self, after: StockRow.self)) {
        uses[key, default: []].append(use)
      }
    }
    var stocks: [Stock] = []
    for (key, row) in firsts {
      let (first, counts) = (
        row.read(StockRow.self), row.read(StockListingRow.self, after: StockRow.self)
      )
      let lots = try lots(
        packs[key] ?? [], form: try first.named(.form),
        openDays: try first.optionalInteger(.openDays).map { Int(clamping: $0) })
      stocks.append(
        try stock(
          first, lots: lots, uncounted: try counts.integer(.uncounted),
          added: try counts.integer(.added), uses: uses[key] ?? []))
    }
    return stocks
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(StockRow.columns), \(StockListingRow.columns)
    FROM (
      SELECT patient, stock FROM stocks WHERE patient = $1
      UNION SELECT owner, stock FROM stock_uses WHERE patient = $1) own
    JOIN stocks s ON s.patient = own.patient AND s.stock = own.stock
    LEFT JOIN stock_uses k ON k.owner = s.patient AND k.stock = s.stock
    LEFT JOIN plans p ON p.patient = k.patient AND p.plan = k.medicine
    WHERE s.ended IS NULL
    ORDER BY s.medicine_name, s.patient, s.stock, k.patient, k.medicine
    """)

  /// Returns the rows of all packs, each of which begins with a ``StockLotRow``.
  private static func packs(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [StockKey: [SQLRow]] {
    var packs: [StockKey: [SQLRow]] = [:]
    for row in try reader.query(packsStatement, [.text(patient)]) {
      packs[try StockKey(row.read(StockKey.self, after: StockLotRow.self)), default: []]
        .append(row)
    }
    return packs
  }

  private static let packsStatement = SQLStatement(
    """
    SELECT \(StockLotRow.columns), \(StockKey.columns)
    FROM (
      SELECT patient, stock FROM stocks WHERE patient = $1
      UNION SELECT owner, stock FROM stock_uses WHERE patient = $1) s
    JOIN stock_balances b ON b.patient = s.patient AND b.stock = s.stock
    LEFT JOIN stock_lots l ON l.patient = b.patient AND l.stock = b.stock AND l.lot = b.lot
    """)
}
