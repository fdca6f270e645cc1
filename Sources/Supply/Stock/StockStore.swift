// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The tables `stocks`, `stock_uses` and `stock_lots`; those of the ledger in the file next to this
/// one.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change them.
enum StockStore {
  static func insert(
    _ draft: StockDraft, id: StockID, owner: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      insertStock, NewStockRow(owner: owner, stock: id, draft: draft, now: now).values)
  }

  private static let insertStock = SQLStatement(
    "INSERT INTO stocks (\(NewStockRow.columns)) VALUES (\(NewStockRow.placeholders))")

  /// Updates a supply.
  ///
  /// - Parameter number: the ledger's last number, from which packs use up the newly stated repeats.
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

  /// Makes the check of the notices due.
  static func touch(_ stock: Stock, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "UPDATE stocks SET next_check = $1, changed = $1 WHERE patient = $2 AND stock = $3",
      [SQLValue(now), .text(stock.owner), .text(stock.id)])
  }

  /// Sets the time of the next check of the notices; the supply itself stays unchanged.
  static func setNextCheck(_ next: Timestamp, of stock: Stock, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "UPDATE stocks SET next_check = $1 WHERE patient = $2 AND stock = $3",
      [SQLValue(next), .text(stock.owner), .text(stock.id)])
  }

  static func setPackSize(
    _ size: StockQuantity, of id: StockID, owner: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE stocks SET pack_size = $1 WHERE patient = $2 AND stock = $3",
      [.integer(size.millionths), .text(owner), .text(id)])
  }

  /// Records that a supply was counted.
  ///
  /// - Parameter number: the ledger's last number, which the count wrote.
  static func setCounted(
    _ id: StockID, owner: PatientID, number: Int64, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE stocks SET counted_at = $1, counted_number = $2, next_check = $1, changed = $1
      WHERE patient = $3 AND stock = $4
      """, [SQLValue(now), .integer(number), .text(owner), .text(id)])
  }

  /// Ends a stock, so that no plan takes from it; its ledger stays.
  static func end(
    _ id: StockID, owner: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE stocks SET ended = $1, changed = $1 WHERE patient = $2 AND stock = $3",
      [SQLValue(now), .text(owner), .text(id)])
    try writer.execute(
      "DELETE FROM stock_uses WHERE owner = $1 AND stock = $2", [.text(owner), .text(id)])
  }

  // MARK: Uses

  static func link(
    _ use: StockUse, to stock: StockID, owner: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO stock_uses (patient, medicine, owner, stock, since) VALUES ($1, $2, $3, $4, $5)
      """,
      [.text(use.patient), .text(use.medicine), .text(owner), .text(stock), SQLValue(now)])
  }

  static func unlink(
    _ use: StockUse, from stock: StockID, owner: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM stock_uses WHERE patient = $1 AND medicine = $2 AND owner = $3 AND stock = $4",
      [.text(use.patient), .text(use.medicine), .text(owner), .text(stock)])
  }

  /// Deletes a patient's uses of supplies, and all uses of the patient's own.
  static func unlinkAll(of patient: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "DELETE FROM stock_uses WHERE patient = $1 OR owner = $1", [.text(patient)])
  }

  // MARK: Packs

  static func insert(
    _ lot: StockLot, of stock: StockID, owner: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      insertLot, NewLotRow(owner: owner, stock: stock, lot: lot, now: now).values)
  }

  private static let insertLot = SQLStatement(
    "INSERT INTO stock_lots (\(NewLotRow.columns)) VALUES (\(NewLotRow.placeholders))")

  /// Marks a pack as added by mistake.
  static func void(
    _ lot: LotID, of stock: StockID, owner: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE stock_lots SET is_void = 1 WHERE patient = $1 AND stock = $2 AND lot = $3",
      [.text(owner), .text(stock), .text(lot)])
  }

  /// Marks a pack that is used although it has expired.
  static func keep(
    _ lot: LotID, of stock: StockID, owner: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE stock_lots SET is_kept = 1 WHERE patient = $1 AND stock = $2 AND lot = $3",
      [.text(owner), .text(stock), .text(lot)])
  }

  /// Sets the expiry and opening dates of a pack.
  static func setDays(
    of lot: LotID, expires: CivilDate?, opened: CivilDate?, isKept: Bool, in stock: StockID,
    owner: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE stock_lots SET expires = $1, opened = $2, is_kept = $3
      WHERE patient = $4 AND stock = $5 AND lot = $6
      """,
      [
        SQLValue(expires?.text), SQLValue(opened?.text), SQLValue(isKept), .text(owner),
        .text(stock), .text(lot),
      ])
  }
}
