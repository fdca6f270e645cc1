// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

extension AnswerLedger {
  /// Deducts an intake from the supply of the medicine, in the transaction of the answer.
  ///
  /// It never prevents an answer: an amount that cannot be converted, or that no pack contains, is recorded
  /// as such. Intakes before the last count are already included in the count.
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

  /// Returns the amount of an intake to the supply, unless it was counted since.
  func unbookStock(_ administration: AdministrationID) throws(StorageError) {
    let booked: [BookedIntake] = try writer.query(
      BookedIntake.statement, [.text(patient), .text(administration)]
    ).decode()
    guard let first = booked.first else { return }
    let ledger = StockLedger(
      owner: first.owner, stock: first.stock, patient: patient, context: context, writer: writer)
    try ledger.add(
      .undone, booked.map { StockChange(lot: $0.lot, amount: -$0.amount) },
      administration: administration)
    let (lots, loose) = try StockRows.lots(
      of: first.stock, owner: first.owner, form: first.form, openDays: first.openDays, in: writer)
    try ledger.add(
      .moved, StockDrawing.settle(lots, loose: loose, on: date(of: context.now)))
  }

  private func date(of instant: Timestamp) -> CivilDate {
    let zone = zone.flatMap { try? context.zones.zone($0) } ?? .utc
    return zone.date(at: Instant(instant))
  }
}

/// The amount that an intake took from a pack since the last count, from the ledger.
struct BookedIntake: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case owner, stock, lot, amount, form, openDays
  }

  static let columns = SQLColumns<Column>(
    of: "e",
    [
      .amount: "CAST(SUM(e.amount) AS BIGINT)", .form: "s.form", .openDays: "s.open_days",
    ])

  static let statement = SQLStatement(
    """
    SELECT \(BookedIntake.columns) FROM stock_entries e
    JOIN stocks s ON s.patient = e.owner AND s.stock = e.stock AND s.ended IS NULL
    WHERE e.patient = $1 AND e.administration = $2 AND e.number > s.counted_number
    GROUP BY e.owner, e.stock, e.lot, s.form, s.open_days
    HAVING SUM(e.amount) <> 0 OR MIN(e.is_counted) = 0
    ORDER BY e.owner, e.stock, e.lot
    """)

  let owner: PatientID
  let stock: StockID
  let lot: LotID
  let amount: StockQuantity
  let form: StockForm
  let openDays: Int?

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    owner = try row.id(.owner)
    stock = try row.id(.stock)
    lot = try row.id(.lot)
    amount = StockQuantity(millionths: try row.integer(.amount))
    form = try row.named(.form)
    openDays = try row.optionalInteger(.openDays).map { Int(clamping: $0) }
  }
}

extension AnswerConsequence {
  /// Deducts an intake from the supply, and puts it back when the answer is withdrawn.
  package static let stock = AnswerConsequence("stock") { (recorded, ledger) throws(AnswerError) in
    try storing { () throws(StorageError) in
      switch recorded.intake {
      case nil, .linked:
        break
      case .counted(let administration, let intake):
        try ledger.bookStock(administration, of: intake, from: recorded.possible.stock)
      case .recounted(let administration, let intake):
        try ledger.unbookStock(administration)
        // Returned units are in the packs again.
        try ledger.bookStock(administration, of: intake, from: recorded.possible.stock.again)
      case .uncounted(let administration):
        try ledger.unbookStock(administration)
      }
    }
  }
}
