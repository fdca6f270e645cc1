// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// Reads supplies, their packs, and the medicines taken from them.
package enum StockRows {
  static func one(_ id: StockID, owner: PatientID, in reader: any SQLReader) throws(StorageError)
    -> Stock?
  {
    let row = try reader.first(oneStatement, [.text(owner), .text(id)])
    guard let row else { return nil }
    return try read(row.read(StockRow.self), in: reader)
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(StockRow.columns) FROM stocks s
    WHERE s.patient = $1 AND s.stock = $2 AND s.ended IS NULL
    """)

  /// Returns the name shown for a supply, tracked or not; nil if there is none.
  package static func shownName(
    of id: StockID, owner: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> String? {
    guard
      let name: String = try reader.first(
        "SELECT medicine_name FROM stocks WHERE patient = $1 AND stock = $2",
        [.text(owner), .text(id)])?.value()
    else { return nil }
    return shownName(name, try uses(of: id, owner: owner, in: reader))
  }

  /// Returns the plans that take from a stock, with their names.
  private static func uses(
    of id: StockID, owner: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [NamedUse] {
    try reader.query(usesStatement, [.text(owner), .text(id)]).decode()
  }

  private static let usesStatement = SQLStatement(
    """
    SELECT \(NamedUse.columns) FROM stock_uses k
    LEFT JOIN plans p ON p.patient = k.patient AND p.plan = k.medicine
    WHERE k.owner = $1 AND k.stock = $2 ORDER BY k.patient, k.medicine
    """)

  /// Returns the name shown to people: the plans' shown name if the supply is named like its plans.
  private static func shownName(_ name: String, _ uses: [NamedUse]) -> String {
    let shown = Set(uses.filter { $0.medicineName == name }.compactMap(\.use.planName))
    guard let only = shown.first, shown.count == 1 else { return name }
    return only
  }

  private static func read(
    _ row: ColumnReader<StockRow.Column>, in reader: any SQLReader
  ) throws(StorageError) -> Stock {
    let (owner, id) = (try row.id(.patient) as PatientID, try row.id(.stock) as StockID)
    let arguments = [SQLValue.text(owner), .text(id)]
    let uncounted: Int64? = try reader.first(
      """
      SELECT COUNT(*) FROM stock_entries e
      WHERE e.owner = $1 AND e.stock = $2 AND e.number > $3 AND e.is_counted = 0
        AND NOT EXISTS (SELECT 1 FROM stock_entries u WHERE u.patient = e.patient
          AND u.administration = e.administration AND u.kind = 'undone' AND u.number > e.number)
      """, arguments + [row[.countedNumber]])?.value()
    return try stock(
      row,
      lots: try lots(
        of: id, owner: owner, form: try row.named(.form),
        openDays: try row.optionalInteger(.openDays).map { Int(clamping: $0) }, in: reader),
      uncounted: uncounted ?? 0,
      added: try added(row, of: arguments, in: reader),
      uses: try uses(of: id, owner: owner, in: reader))
  }

  /// Returns the supply of a row.
  ///
  /// - Parameters:
  ///   - added: the number of prescribed packs added since the repeats were stated.
  ///   - uses: the plans that take from it.
  static func stock(
    _ row: ColumnReader<StockRow.Column>, lots: ([StockLot], loose: StockQuantity),
    uncounted: Int64, added: Int64, uses: [NamedUse]
  ) throws(StorageError) -> Stock {
    let strength = Amount(
      column: try row.optionalText(.strengthValue), unit: try row.optionalText(.strengthUnit),
      code: nil)
    let packSize = StockQuantity(millionths: try row.integer(.packSize))
    return Stock(
      id: try row.id(.stock), owner: try row.id(.patient),
      medicineName: shownName(try row.text(.medicineName), uses),
      unit: StockUnit(
        unit: try row.text(.unit), code: try row.optionalText(.unitCode), strength: strength),
      form: try row.named(.form),
      openDays: try row.optionalInteger(.openDays).map { Int(clamping: $0) },
      packSize: packSize > .zero ? packSize : nil,
      leadDays: try row.optionalInteger(.leadDays).map { Int(clamping: $0) },
      repeats: try row.optionalInteger(.repeats).map { Int(clamping: max(0, $0 - added)) },
      doctorWeeks: try row.optionalInteger(.doctorWeeks).map { Int(clamping: $0) },
      isQuiet: try row.bool(.isQuiet), begun: try row.timestamp(.created),
      countedAt: try row.timestamp(.countedAt), countedNumber: try row.integer(.countedNumber),
      lots: StockDrawing.order(lots.0), loose: lots.loose,
      uncounted: Int(clamping: uncounted),
      uses: uses.map(\.use))
  }

  /// Returns the number of prescribed packs added since the repeats were stated; 0 if they never were.
  private static func added(
    _ row: ColumnReader<StockRow.Column>, of stock: [SQLValue], in reader: any SQLReader
  ) throws(StorageError) -> Int64 {
    guard try row.optionalInteger(.repeats) != nil else { return 0 }
    let added: Int64? = try reader.first(
      """
      SELECT COUNT(*) FROM stock_entries e
      JOIN stock_lots l ON l.patient = e.owner AND l.stock = e.stock AND l.lot = e.lot
      WHERE e.owner = $1 AND e.stock = $2 AND e.kind = 'added' AND e.number > $3
        AND l.is_void = 0 AND l.is_prescribed = 1
      """, stock + [row[.repeatsNumber]])?.value()
    return added ?? 0
  }

  static func lots(
    of stock: StockID, owner: PatientID, form: StockForm, openDays: Int?, in reader: any SQLReader
  ) throws(StorageError) -> ([StockLot], loose: StockQuantity) {
    try lots(
      reader.query(lotsStatement, [.text(owner), .text(stock)]), form: form, openDays: openDays)
  }

  private static let lotsStatement = SQLStatement(
    """
    SELECT \(StockLotRow.columns) FROM stock_balances b
    LEFT JOIN stock_lots l ON l.patient = b.patient AND l.stock = b.stock AND l.lot = b.lot
    WHERE b.patient = $1 AND b.stock = $2
    """)

  /// Returns the packs, and the amount of no pack, from rows that begin with a ``StockLotRow``.
  static func lots(
    _ rows: [SQLRow], form: StockForm, openDays: Int?
  ) throws(StorageError) -> ([StockLot], loose: StockQuantity) {
    var lots: [StockLot] = []
    var loose = StockQuantity.zero
    for row in rows {
      let row = row.read(StockLotRow.self)
      let left = StockQuantity(millionths: try row.integer(.amount))
      guard let number = try row.optionalInteger(.number) else {
        loose += left
        continue
      }
      lots.append(
        StockLot(
          id: try row.id(.lot), number: number,
          size: StockQuantity(millionths: try row.integer(.size)),
          expires: try row.optionalText(.expires).flatMap { CivilDate(text: $0) },
          opened: try row.optionalText(.opened).flatMap { CivilDate(text: $0) },
          label: try row.optionalText(.label), isKept: try row.bool(.isKept),
          isVoid: try row.bool(.isVoid), isPrescribed: try row.bool(.isPrescribed), form: form,
          openDays: openDays, left: left))
    }
    return (lots, loose)
  }

  /// Returns true if another supply already counts a medicine.
  static func isUsed(_ use: StockUse, in reader: any SQLReader) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT 1 FROM stock_uses WHERE patient = $1 AND medicine = $2",
      [.text(use.patient), .text(use.medicine)]) != nil
  }
}
