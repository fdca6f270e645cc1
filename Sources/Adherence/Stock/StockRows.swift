// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The rows of stocks, their packs, and who takes from them.
enum StockRows {
  static func one(_ id: StockID, owner: PatientID, in reader: any SQLReader) throws(StorageError)
    -> Stock?
  {
    let row = try reader.first(
      """
      SELECT patient, stock, medicine_name, unit, unit_code, strength_value, strength_unit, form,
        open_days, pack_size, lead_days, repeats, repeats_number, is_quiet, counted_at,
        counted_number, doctor_weeks, created
      FROM stocks WHERE patient = $1 AND stock = $2 AND ended IS NULL
      """, [.text(owner), .text(id)])
    return try row.map { row throws(StorageError) in try read(row, in: reader) }
  }

  /// Returns the name shown for a stock, whether it is still tracked or not; nil if there is none.
  static func shownName(
    of id: StockID, owner: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> String? {
    guard
      let row = try reader.first(
        "SELECT medicine_name FROM stocks WHERE patient = $1 AND stock = $2",
        [.text(owner), .text(id)])
    else { return nil }
    return shownName(try row.text(0), try uses(of: id, owner: owner, in: reader))
  }

  /// A plan that takes from a stock, with the name of its medicine as written.
  typealias NamedUse = (use: StockUse, medicineName: String?)

  /// Returns the plans that take from a stock, with their names.
  private static func uses(
    of id: StockID, owner: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [NamedUse] {
    try reader.query(
      """
      SELECT k.patient, k.medicine, COALESCE(p.shown_name, p.medicine_name), p.medicine_name
      FROM stock_uses k
      LEFT JOIN plans p ON p.patient = k.patient AND p.plan = k.medicine
      WHERE k.owner = $1 AND k.stock = $2 ORDER BY k.patient, k.medicine
      """, [.text(owner), .text(id)]
    ).map { row throws(StorageError) in try use(row, from: 0) }
  }

  /// A use in four columns of a row.
  static func use(_ row: SQLRow, from first: Int) throws(StorageError) -> NamedUse {
    (
      StockUse(
        patient: try row.id(first), medicine: try row.text(first + 1),
        planName: try row.optionalText(first + 2)),
      try row.optionalText(first + 3)
    )
  }

  /// Returns the name shown to people: if the stock is named like its plans, the plans' shown name.
  private static func shownName(_ name: String, _ uses: [NamedUse]) -> String {
    let shown = Set(uses.filter { $0.medicineName == name }.compactMap(\.use.planName))
    guard let only = shown.first, shown.count == 1 else { return name }
    return only
  }

  private static func read(_ row: SQLRow, in reader: any SQLReader) throws(StorageError) -> Stock {
    let (owner, id) = (try row.id(0) as PatientID, try row.id(1) as StockID)
    let arguments = [SQLValue.text(owner), .text(id)]
    let uncounted = try reader.first(
      """
      SELECT COUNT(*) FROM stock_entries e
      WHERE e.owner = $1 AND e.stock = $2 AND e.number > $3 AND e.is_counted = 0
        AND NOT EXISTS (SELECT 1 FROM stock_entries u WHERE u.patient = e.patient
          AND u.administration = e.administration AND u.kind = 'undone' AND u.number > e.number)
      """, arguments + [row[15]])
    return try stock(
      row,
      lots: try lots(
        of: id, owner: owner, form: try row.named(7),
        openDays: try row.optionalInteger(8).map { Int(clamping: $0) }, in: reader),
      uncounted: try uncounted?.integer(0) ?? 0,
      added: try added(row, of: arguments, in: reader),
      uses: try uses(of: id, owner: owner, in: reader))
  }

  /// A stock of the first eighteen columns of a row.
  ///
  /// - Parameters:
  ///   - added: how many packs came on the prescription since it was said how often it can be had again.
  ///   - uses: the plans that take from it.
  static func stock(
    _ row: SQLRow, lots: ([StockLot], loose: StockQuantity), uncounted: Int64, added: Int64,
    uses: [NamedUse]
  ) throws(StorageError) -> Stock {
    let strength = Amount(column: try row.optionalText(5), unit: try row.optionalText(6), code: nil)
    let packSize = StockQuantity(millionths: try row.integer(9))
    return Stock(
      id: try row.id(1), owner: try row.id(0), medicineName: shownName(try row.text(2), uses),
      unit: StockUnit(unit: try row.text(3), code: try row.optionalText(4), strength: strength),
      form: try row.named(7), openDays: try row.optionalInteger(8).map { Int(clamping: $0) },
      packSize: packSize > .zero ? packSize : nil,
      leadDays: try row.optionalInteger(10).map { Int(clamping: $0) },
      repeats: try row.optionalInteger(11).map { Int(clamping: max(0, $0 - added)) },
      doctorWeeks: try row.optionalInteger(16).map { Int(clamping: $0) },
      isQuiet: try row.bool(13), begun: try row.timestamp(17), countedAt: try row.timestamp(14),
      countedNumber: try row.integer(15),
      lots: StockDrawing.order(lots.0), loose: lots.loose,
      uncounted: Int(clamping: uncounted),
      uses: uses.map(\.use))
  }

  /// How many packs came on the prescription since it was said how often it can be had again; none where nobody said.
  private static func added(_ row: SQLRow, of stock: [SQLValue], in reader: any SQLReader)
    throws(StorageError) -> Int64
  {
    guard try row.optionalInteger(11) != nil else { return 0 }
    let added = try reader.first(
      """
      SELECT COUNT(*) FROM stock_entries e
      JOIN stock_lots l ON l.patient = e.owner AND l.stock = e.stock AND l.lot = e.lot
      WHERE e.owner = $1 AND e.stock = $2 AND e.kind = 'added' AND e.number > $3
        AND l.is_void = 0 AND l.is_prescribed = 1
      """, stock + [row[12]])
    return try added?.integer(0) ?? 0
  }

  static func lots(
    of stock: StockID, owner: PatientID, form: StockForm, openDays: Int?, in reader: any SQLReader
  ) throws(StorageError) -> ([StockLot], loose: StockQuantity) {
    let rows = try reader.query(
      """
      SELECT b.lot, b.amount, l.number, l.size, l.expires, l.opened, l.label, l.is_kept, l.is_void,
        l.is_prescribed
      FROM stock_balances b
      LEFT JOIN stock_lots l ON l.patient = b.patient AND l.stock = b.stock AND l.lot = b.lot
      WHERE b.patient = $1 AND b.stock = $2
      """, [.text(owner), .text(stock)])
    return try lots(rows, form: form, openDays: openDays)
  }

  /// Packs, and what no pack accounts for, of the first ten columns of rows.
  static func lots(
    _ rows: [SQLRow], form: StockForm, openDays: Int?
  ) throws(StorageError) -> ([StockLot], loose: StockQuantity) {
    var lots: [StockLot] = []
    var loose = StockQuantity.zero
    for row in rows {
      let left = StockQuantity(millionths: try row.integer(1))
      guard let number = try row.optionalInteger(2) else {
        loose += left
        continue
      }
      lots.append(
        StockLot(
          id: try row.id(0), number: number, size: StockQuantity(millionths: try row.integer(3)),
          expires: try row.optionalText(4).flatMap { CivilDate(text: $0) },
          opened: try row.optionalText(5).flatMap { CivilDate(text: $0) },
          label: try row.optionalText(6), isKept: try row.bool(7), isVoid: try row.bool(8),
          isPrescribed: try row.bool(9), form: form, openDays: openDays, left: left))
    }
    return (lots, loose)
  }

  static func insert(
    _ draft: StockDraft, id: StockID, owner: PatientID, at now: Timestamp, in writer: any SQLWriter
  )
    throws(StorageError)
  {
    try writer.execute(
      """
      INSERT INTO stocks (patient, stock, medicine_name, unit, unit_code, strength_value,
        strength_unit, form, open_days, pack_size, lead_days, repeats, repeats_number, is_quiet,
        counted_at, counted_number, next_check, created, changed, doctor_weeks)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11, 1, $12, $13, 1, $13, $13, $13, $14)
      """,
      [
        .text(owner), .text(id), .text(draft.name), .text(draft.unit.unit),
        SQLValue(draft.unit.code), SQLValue(draft.unit.strength?.value),
        SQLValue(draft.unit.strength?.unit), .text(draft.form.rawValue),
        SQLValue(draft.openDays), SQLValue(draft.leadDays), SQLValue(draft.repeats),
        SQLValue(draft.isQuiet), SQLValue(now), SQLValue(draft.doctorWeeks),
      ])
  }

  /// - Parameter number: the ledger's last number, from which packs use up the repeats that were said anew.
  static func update(
    _ draft: StockDraft, of stock: Stock, repeatsFrom number: Int64, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE stocks SET medicine_name = $1, strength_value = $2, strength_unit = $3, form = $4,
        open_days = $5, lead_days = $6, repeats = $7, repeats_number = $8, is_quiet = $9,
        next_check = $10, changed = $10, doctor_weeks = $11
      WHERE patient = $12 AND stock = $13
      """,
      [
        .text(draft.name), SQLValue(draft.unit.strength?.value),
        SQLValue(draft.unit.strength?.unit), .text(draft.form.rawValue), SQLValue(draft.openDays),
        SQLValue(draft.leadDays), SQLValue(draft.repeats), .integer(number),
        SQLValue(draft.isQuiet), SQLValue(now), SQLValue(draft.doctorWeeks), .text(stock.owner),
        .text(stock.id),
      ])
  }

  /// Has the alerts looked at again.
  static func touch(_ stock: Stock, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "UPDATE stocks SET next_check = $1, changed = $1 WHERE patient = $2 AND stock = $3",
      [SQLValue(now), .text(stock.owner), .text(stock.id)])
  }

  static func insert(
    _ lot: StockLot, of stock: StockID, owner: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  )
    throws(StorageError)
  {
    try writer.execute(
      """
      INSERT INTO stock_lots (patient, stock, lot, number, size, expires, opened, label, is_kept,
        is_void, added, is_prescribed)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, 0, $10, $11)
      """,
      [
        .text(owner), .text(stock), .text(lot.id), .integer(lot.number),
        .integer(lot.size.millionths), SQLValue(lot.expires?.text), SQLValue(lot.opened?.text),
        SQLValue(lot.label), SQLValue(lot.isKept), SQLValue(now), SQLValue(lot.isPrescribed),
      ])
  }

  static func use(
    _ use: StockUse, of stock: StockID, owner: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  )
    throws(StorageError)
  {
    try writer.execute(
      """
      INSERT INTO stock_uses (patient, medicine, owner, stock, since) VALUES ($1, $2, $3, $4, $5)
      """,
      [.text(use.patient), .text(use.medicine), .text(owner), .text(stock), SQLValue(now)])
  }

  /// Whether another stock counts a medicine already.
  static func isUsed(_ use: StockUse, in reader: any SQLReader) throws(StorageError) -> Bool {
    try reader.first(
      "SELECT 1 FROM stock_uses WHERE patient = $1 AND medicine = $2",
      [.text(use.patient), .text(use.medicine)]) != nil
  }
}
