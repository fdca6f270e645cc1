// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage
import TimeZones

extension AnswerLedger {
  /// Books what was taken from the stock of the medicine, in the transaction of the answer.
  ///
  /// It never stands in the way of an answer: an amount that cannot be counted, or that no pack holds, is noted
  /// as such. What was taken before the last count is in the count already.
  func bookStock(
    _ administration: AdministrationID, of intake: AnswerRecorded.CountedIntake
  ) throws(StorageError) {
    let (medicine, taken, amount) = (intake.medicine, intake.taken, intake.amount)
    guard medicine.mayHaveStock else { return }
    let key = medicine.plan?.text ?? medicine.ingredients
    let row = try writer.first(
      """
      SELECT k.owner, k.stock, s.unit, s.unit_code, s.strength_value, s.strength_unit, s.form,
        s.open_days, s.counted_at, m.limits
      FROM stock_uses k
      JOIN stocks s ON s.patient = k.owner AND s.stock = k.stock AND s.ended IS NULL
      LEFT JOIN plan_limits m ON m.patient = k.patient AND m.plan = k.medicine
      WHERE k.patient = $1 AND k.medicine = $2
      """, [.text(patient), .text(key)])
    guard let row else { return }
    let (owner, stock) = (try row.id(0) as PatientID, try row.id(1) as StockID)
    let ledger = StockLedger(
      owner: owner, stock: stock, patient: patient, context: context, writer: writer)
    guard taken >= (try row.timestamp(8)) else {
      return try ledger.add(
        .taken, [StockChange(lot: StockChange.loose, amount: .zero)], at: taken,
        administration: administration)
    }
    let unit = StockUnit(
      unit: try row.text(2), code: try row.optionalText(3),
      strength: Amount(column: try row.optionalText(4), unit: try row.optionalText(5), code: nil))
    let plan = try row.optionalText(9).flatMap { PlanLimits(text: $0) }
    guard let given = amount ?? plan?.dose, let quantity = unit.quantity(of: given, of: plan) else {
      return try ledger.add(
        .taken, [StockChange(lot: StockChange.loose, amount: .zero)], at: taken, isCounted: false,
        administration: administration)
    }
    let (lots, _) = try StockRows.lots(
      of: stock, owner: owner, form: try row.named(6),
      openDays: try row.optionalInteger(7).map { Int(clamping: $0) }, in: writer)
    try ledger.add(
      .taken, StockDrawing.draw(quantity, from: lots, on: date(of: taken)), at: taken,
      administration: administration)
  }

  /// Puts back what an intake took, where nothing was counted since.
  func unbookStock(_ administration: AdministrationID) throws(StorageError) {
    let rows = try writer.query(
      """
      SELECT e.owner, e.stock, e.lot, CAST(SUM(e.amount) AS BIGINT), MIN(e.is_counted), s.form,
        s.open_days
      FROM stock_entries e
      JOIN stocks s ON s.patient = e.owner AND s.stock = e.stock AND s.ended IS NULL
      WHERE e.patient = $1 AND e.administration = $2 AND e.number > s.counted_number
      GROUP BY e.owner, e.stock, e.lot, s.form, s.open_days
      HAVING SUM(e.amount) <> 0 OR MIN(e.is_counted) = 0
      ORDER BY e.owner, e.stock, e.lot
      """, [.text(patient), .text(administration)])
    guard let first = rows.first else { return }
    let (owner, stock) = (try first.id(0) as PatientID, try first.id(1) as StockID)
    let ledger = StockLedger(
      owner: owner, stock: stock, patient: patient, context: context, writer: writer)
    var changes: [StockChange] = []
    for row in rows {
      changes.append(
        StockChange(
          lot: try row.id(2), amount: -StockQuantity(millionths: try row.integer(3))))
    }
    try ledger.add(.undone, changes, administration: administration)
    let (lots, loose) = try StockRows.lots(
      of: stock, owner: owner, form: try first.named(5),
      openDays: try first.optionalInteger(6).map { Int(clamping: $0) }, in: writer)
    try ledger.add(
      .moved, StockDrawing.settle(lots, loose: loose, on: date(of: context.now)))
  }

  private func date(of instant: Timestamp) -> CivilDate {
    let zone = zone.flatMap { try? context.zones.zone($0) } ?? .utc
    return zone.date(at: Instant(instant))
  }
}
