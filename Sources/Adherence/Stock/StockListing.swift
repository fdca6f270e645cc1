// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

extension StockRows {
  private struct Key: Hashable {
    let owner: PatientID
    let stock: StockID
  }

  /// The stocks that belong to a patient or that the patient takes from, by the name of the medicine.
  ///
  /// Two statements, however many there are.
  static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError) -> [Stock] {
    let rows = try reader.query(
      """
      SELECT s.patient, s.stock, s.medicine_name, s.unit, s.unit_code, s.strength_value,
        s.strength_unit, s.form, s.open_days, s.pack_size, s.lead_days, s.repeats,
        s.repeats_number, s.is_quiet, s.counted_at, s.counted_number, s.doctor_weeks, s.created,
        (SELECT COUNT(*) FROM stock_entries e
          WHERE e.owner = s.patient AND e.stock = s.stock AND e.number > s.counted_number
            AND e.is_counted = 0
            AND NOT EXISTS (SELECT 1 FROM stock_entries u WHERE u.patient = e.patient
              AND u.administration = e.administration AND u.kind = 'undone'
              AND u.number > e.number)),
        CASE WHEN s.repeats IS NULL THEN 0 ELSE (
          SELECT COUNT(*) FROM stock_entries e
          JOIN stock_lots l ON l.patient = e.owner AND l.stock = e.stock AND l.lot = e.lot
          WHERE e.owner = s.patient AND e.stock = s.stock AND e.kind = 'added'
            AND e.number > s.repeats_number AND l.is_void = 0 AND l.is_prescribed = 1) END,
        k.patient, k.medicine, COALESCE(p.shown_name, p.medicine_name), p.medicine_name
      FROM (
        SELECT patient, stock FROM stocks WHERE patient = $1
        UNION SELECT owner, stock FROM stock_uses WHERE patient = $1) own
      JOIN stocks s ON s.patient = own.patient AND s.stock = own.stock
      LEFT JOIN stock_uses k ON k.owner = s.patient AND k.stock = s.stock
      LEFT JOIN plans p ON p.patient = k.patient AND p.plan = k.medicine
      WHERE s.ended IS NULL
      ORDER BY s.medicine_name, s.patient, s.stock, k.patient, k.medicine
      """, [.text(patient)])
    if rows.isEmpty { return [] }
    let packs = try packs(of: patient, in: reader)
    var uses: [Key: [NamedUse]] = [:]
    var firsts: [(key: Key, row: SQLRow)] = []
    for row in rows {
      let key = Key(owner: try row.id(0), stock: try row.id(1))
      if firsts.last?.key != key { firsts.append((key, row)) }
      if try row.optionalText(20) != nil { uses[key, default: []].append(try use(row, from: 20)) }
    }
    var stocks: [Stock] = []
    for (key, row) in firsts {
      let lots = try lots(
        packs[key] ?? [], form: try row.named(7),
        openDays: try row.optionalInteger(8).map { Int(clamping: $0) })
      stocks.append(
        try stock(
          row, lots: lots, uncounted: try row.integer(18), added: try row.integer(19),
          uses: uses[key] ?? []))
    }
    return stocks
  }

  private static func packs(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Key: [SQLRow]] {
    let rows = try reader.query(
      """
      SELECT b.lot, b.amount, l.number, l.size, l.expires, l.opened, l.label, l.is_kept, l.is_void,
        l.is_prescribed, b.patient, b.stock
      FROM (
        SELECT patient, stock FROM stocks WHERE patient = $1
        UNION SELECT owner, stock FROM stock_uses WHERE patient = $1) own
      JOIN stock_balances b ON b.patient = own.patient AND b.stock = own.stock
      LEFT JOIN stock_lots l ON l.patient = b.patient AND l.stock = b.stock AND l.lot = b.lot
      """, [.text(patient)])
    var packs: [Key: [SQLRow]] = [:]
    for row in rows {
      packs[Key(owner: try row.id(10), stock: try row.id(11)), default: []].append(row)
    }
    return packs
  }
}
