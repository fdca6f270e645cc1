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
    _ administration: AdministrationID, of intake: AnswerRecorded.CountedIntake,
    from reading: PossibleConsequences.Reading<CountingStock?>
  ) throws(StorageError) {
    let (medicine, taken, amount) = (intake.medicine, intake.taken, intake.amount)
    let counting: CountingStock?
    switch reading {
    case .read(let known):
      counting = known
    case .unread:
      counting = try CountingStock.read(
        medicine.plan?.text ?? medicine.ingredients, patient: patient, in: writer)
    }
    guard let counting else { return }
    let ledger = StockLedger(
      owner: counting.owner, stock: counting.stock, patient: patient, context: context,
      writer: writer)
    guard taken >= counting.countedAt else {
      return try ledger.add(
        .taken, [StockChange(lot: StockChange.loose, amount: .zero)], at: taken,
        administration: administration)
    }
    guard let given = amount ?? counting.limits?.dose,
      let quantity = counting.unit.quantity(of: given, of: counting.limits)
    else {
      return try ledger.add(
        .taken, [StockChange(lot: StockChange.loose, amount: .zero)], at: taken, isCounted: false,
        administration: administration)
    }
    try ledger.add(
      .taken, StockDrawing.draw(quantity, from: counting.lots, on: date(of: taken)), at: taken,
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
