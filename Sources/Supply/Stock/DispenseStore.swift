// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Scheduling
import Storage

/// The table `stock_dispenses`.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum DispenseStore {
  static func insert(
    _ content: DispenseContent, of dispense: ImportDispense, id: DispenseID, patient: PatientID,
    turn: Int64, handedOver: CivilDate?, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let row = NewDispenseRow(
      patient: patient, id: id, turn: turn, dispense: dispense, content: content,
      handedOver: handedOver, received: now)
    try writer.execute(insertStatement, row.values)
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO stock_dispenses (\(NewDispenseRow.columns))
    VALUES (\(NewDispenseRow.placeholders))
    """)

  /// Stores the source's current content; decisions made here stay.
  static func update(
    _ content: DispenseContent, of dispense: ImportDispense, id: DispenseID, patient: PatientID,
    handedOver: CivilDate?, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE stock_dispenses SET digest = $1, request_keys = $2, ingredients = $3,
        medicine_name = $4, amount_value = $5, amount_unit = $6, amount_code = $7,
        handed_over = $8, expires = $9, label = $10,
        state = CASE WHEN state IN ('added', 'declined') THEN state ELSE $11 END,
        is_withdrawn = $12
      WHERE patient = $13 AND dispense = $14
      """,
      [
        .text(dispense.digest), .text(dispense.requestKeyLines),
        .text(Ingredient.column(content.ingredients)), .text(content.name),
        SQLValue(content.amount?.value), SQLValue(content.amount?.unit),
        SQLValue(content.amount?.code), SQLValue(handedOver?.text),
        SQLValue(content.expires?.text), SQLValue(content.label), .text(content.state.rawValue),
        SQLValue(content.state == .gone), .text(patient), .text(id),
      ])
  }

  /// Decides an offer; returns false if it was not open.
  static func decide(
    _ id: DispenseID, of patient: PatientID, _ state: Dispense.State,
    stock: (owner: PatientID, id: StockID)?,
    act: String?, context: CommandContext, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      UPDATE stock_dispenses SET state = $1, owner = $2, stock = $3, act = $4, decided = $5,
        account = $6, by_name = $7, decided_value = amount_value, decided_unit = amount_unit,
        decided_code = amount_code
      WHERE patient = $8 AND dispense = $9 AND state = 'open'
      """,
      [
        .text(state.rawValue), SQLValue(stock?.owner), SQLValue(stock?.id), SQLValue(act),
        SQLValue(context.now), .text(context.actor.accountID), .text(context.byName),
        .text(patient), .text(id),
      ]) == 1
  }

  /// Offers a dispense again after its pack was removed, unless its source withdrew it as well.
  static func reopen(_ id: DispenseID, act: String, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE stock_dispenses SET state = CASE WHEN is_withdrawn = 1 THEN 'gone' ELSE 'open' END,
        owner = NULL, stock = NULL, act = NULL, decided = $1, decided_value = NULL,
        decided_unit = NULL, decided_code = NULL
      WHERE dispense = $2 AND act = $3 AND state = 'added'
      """, [SQLValue(now), .text(id), .text(act)])
  }

  /// Withdraws a dispense whose record was deleted: it is never offered again.
  ///
  /// One whose pack stays in a supply that is no longer tracked remains added.
  static func withdraw(
    _ id: DispenseID, of patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE stock_dispenses SET is_withdrawn = 1,
        state = CASE WHEN state = 'added' THEN state ELSE 'gone' END
      WHERE patient = $1 AND dispense = $2
      """, [.text(patient), .text(id)])
  }

  /// Clears the links from other patients' dispenses to a patient's packs.
  static func forgetPacks(of owner: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE stock_dispenses SET owner = NULL, stock = NULL, act = NULL
      WHERE owner = $1 AND patient <> $1
      """, [.text(owner)])
  }
}

extension ImportDispense {
  /// The keys of its prescriptions, one per line.
  fileprivate var requestKeyLines: String {
    requestKeys.filter { !$0.contains(where: \.isNewline) }.joined(separator: "\n")
  }
}

/// A new row of `stock_dispenses`.
struct NewDispenseRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, dispense, sourceKey, turn, digest, requestKeys, ingredients, medicineName
    case amountValue, amountUnit, amountCode, handedOver, expires, label, state, isWithdrawn
    case received
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let id: DispenseID
  let turn: Int64
  let dispense: ImportDispense
  let content: DispenseContent
  let handedOver: CivilDate?
  let received: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .dispense: .text(id)
    case .sourceKey: .text(dispense.keys.first)
    case .turn: .integer(turn)
    case .digest: .text(dispense.digest)
    case .requestKeys: .text(dispense.requestKeyLines)
    case .ingredients: .text(Ingredient.column(content.ingredients))
    case .medicineName: .text(content.name)
    case .amountValue: SQLValue(content.amount?.value)
    case .amountUnit: SQLValue(content.amount?.unit)
    case .amountCode: SQLValue(content.amount?.code)
    case .handedOver: SQLValue(handedOver?.text)
    case .expires: SQLValue(content.expires?.text)
    case .label: SQLValue(content.label)
    case .state: .text(content.state.rawValue)
    case .isWithdrawn: false
    case .received: SQLValue(received)
    }
  }
}
