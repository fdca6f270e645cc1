// SPDX-License-Identifier: Apache-2.0

import Access
import FHIR
import Identifiers
import Scheduling
import Storage
import TimeZones

/// The rows of `stock_dispenses`.
enum DispenseRows {
  /// A dispense that came under a name before.
  struct Known {
    let id: DispenseID
    let digest: String
    let state: Dispense.State
    let handedOver: CivilDate?
    let ingredients: String
    let received: Timestamp
    let turn: Int64

    var isDecided: Bool { state == .added || state == .declined }
  }

  /// What came under the name that a source gives a dispense, the oldest first.
  static func known(_ key: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [Known]
  {
    let rows = try reader.query(
      """
      SELECT dispense, digest, state, handed_over, ingredients, received, turn
      FROM stock_dispenses WHERE patient = $1 AND source_key = $2 ORDER BY turn
      """, [.text(patient), .text(key)])
    return try rows.map { row throws(StorageError) in
      Known(
        id: try row.id(0), digest: try row.text(1), state: try row.named(2),
        handedOver: try row.optionalText(3).flatMap { CivilDate(text: $0) },
        ingredients: try row.text(4), received: try row.timestamp(5), turn: try row.integer(6))
    }
  }

  static func insert(
    _ content: DispenseContent, of dispense: ImportDispense, id: DispenseID, patient: PatientID,
    turn: Int64, handedOver: CivilDate?, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO stock_dispenses (patient, dispense, source_key, turn, digest, request_keys,
        ingredients, medicine_name, amount_value, amount_unit, amount_code, handed_over, expires,
        label, state, is_withdrawn, received)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 0, $16)
      """,
      [.text(patient), .text(id), .text(dispense.keys.first), .integer(turn)]
        + values(content, dispense, handedOver) + [
          .text(content.state.rawValue), SQLValue(now),
        ])
  }

  /// What its source says of it now; what was decided here stays decided.
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
      values(content, dispense, handedOver) + [
        .text(content.state.rawValue), SQLValue(content.state == .gone), .text(patient), .text(id),
      ])
  }

  private static func values(
    _ content: DispenseContent, _ dispense: ImportDispense, _ handedOver: CivilDate?
  ) -> [SQLValue] {
    [
      .text(dispense.digest),
      .text(
        dispense.requestKeys.filter { !$0.contains(where: \.isNewline) }.joined(separator: "\n")),
      .text(Ingredient.column(content.ingredients)), .text(content.name),
      SQLValue(content.amount?.value), SQLValue(content.amount?.unit),
      SQLValue(content.amount?.code), SQLValue(handedOver?.text),
      SQLValue(content.expires?.text), SQLValue(content.label),
    ]
  }

  /// A dispense with the names of its prescriptions and the keys of what it is.
  struct Found {
    let dispense: Dispense
    let requestKeys: [String]
    let ingredients: String
  }

  static func open(of patient: PatientID, in reader: any SQLReader) throws(StorageError) -> [Found]
  {
    let rows = try reader.query(
      """
      SELECT dispense, patient, medicine_name, amount_value, amount_unit, amount_code, handed_over,
        expires, label, state, received, act, digest, request_keys, ingredients
      FROM stock_dispenses WHERE patient = $1 AND state = 'open'
      ORDER BY COALESCE(handed_over, '') DESC, received DESC, dispense LIMIT 100
      """, [.text(patient)])
    return try rows.map { row throws(StorageError) in
      Found(
        dispense: try dispense(row),
        requestKeys: try row.text(13).split(separator: "\n").map(String.init),
        ingredients: try row.text(14))
    }
  }

  /// Packs of a stock whose dispense was taken back by its source, where the pack still can be.
  static func withdrawn(from stock: Stock, in reader: any SQLReader)
    throws(StorageError) -> [Dispense]
  {
    let rows = try reader.query(
      """
      SELECT d.dispense, d.patient, d.medicine_name, d.amount_value, d.amount_unit, d.amount_code,
        d.handed_over, d.expires, d.label, d.state, d.received, d.act, d.digest
      FROM stock_dispenses d
      WHERE d.owner = $1 AND d.stock = $2 AND d.state = 'added' AND d.is_withdrawn = 1
        AND EXISTS (SELECT 1 FROM stock_entries e WHERE e.owner = d.owner AND e.stock = d.stock
          AND e.act = d.act AND e.number > $3)
      ORDER BY d.dispense
      """, [.text(stock.owner), .text(stock.id), .integer(stock.countedNumber)])
    return try rows.map { row throws(StorageError) in try dispense(row) }
  }

  /// Packs of a stock of which the source says another amount since, where the pack can be taken back.
  static func corrected(in stock: Stock, in reader: any SQLReader)
    throws(StorageError) -> [DispenseCorrection]
  {
    let rows = try reader.query(
      """
      SELECT d.dispense, d.patient, d.medicine_name, d.amount_value, d.amount_unit, d.amount_code,
        d.handed_over, d.expires, d.label, d.state, d.received, d.act, d.digest, d.decided_value,
        d.decided_unit, d.decided_code
      FROM stock_dispenses d
      WHERE d.owner = $1 AND d.stock = $2 AND d.state = 'added' AND d.is_withdrawn = 0
        AND (COALESCE(d.amount_value, '') <> COALESCE(d.decided_value, '')
          OR COALESCE(d.amount_unit, '') <> COALESCE(d.decided_unit, '')
          OR COALESCE(d.amount_code, '') <> COALESCE(d.decided_code, ''))
        AND EXISTS (SELECT 1 FROM stock_entries e WHERE e.owner = d.owner AND e.stock = d.stock
          AND e.act = d.act AND e.number > $3)
      ORDER BY d.dispense
      """, [.text(stock.owner), .text(stock.id), .integer(stock.countedNumber)])
    return try rows.map { row throws(StorageError) in
      DispenseCorrection(
        dispense: try dispense(row),
        before: Amount(
          column: try row.optionalText(13), unit: try row.optionalText(14),
          code: try row.optionalText(15)))
    }
  }

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

  /// Its pack was taken back: it is offered again, unless its source took it back as well.
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

  private static func dispense(_ row: SQLRow) throws(StorageError) -> Dispense {
    Dispense(
      id: try row.id(0), patient: try row.id(1), medicineName: try row.text(2),
      amount: Amount(
        column: try row.optionalText(3), unit: try row.optionalText(4),
        code: try row.optionalText(5)),
      handedOver: try row.optionalText(6).flatMap { CivilDate(text: $0) },
      expires: try row.optionalText(7).flatMap { CivilDate(text: $0) },
      label: try row.optionalText(8), state: try row.named(9), received: try row.timestamp(10),
      act: try row.optionalText(11), digest: try row.text(12))
  }
}

/// Questions about what was handed out; the caller has decided that they may be asked for the stock.
package enum DispenseQueries {
  /// What is offered to a stock: handed out for a medicine that is taken from it, since it was begun.
  package static func offers(for stock: Stock, zones: ZoneCatalog, in reader: any SQLReader)
    throws(PlanError) -> [DispenseOffer]
  {
    try planning {
      let zone = try PeopleQueries.zone(stock.owner, zones: zones, in: reader)
      let begun = zone.date(at: Instant(stock.begun))
      let counted = zone.date(at: Instant(stock.countedAt))
      var offers: [DispenseOffer] = []
      for patient in Set(stock.uses.map(\.patient)).sorted() {
        let uses = stock.uses.filter { $0.patient == patient }
        for found in try DispenseRows.open(of: patient, in: reader) {
          let day = found.dispense.handedOver ?? zone.date(at: Instant(found.dispense.received))
          guard day >= begun, let use = try use(of: found, among: uses, in: reader) else {
            continue
          }
          offers.append(
            DispenseOffer(
              dispense: found.dispense,
              quantity: try quantity(of: found.dispense, use, stock, in: reader),
              // A count on that very day may have come before it.
              isCountedSince: counted >= day))
        }
      }
      return offers
    }
  }

  /// Packs of a stock that their pharmacy says were never handed out.
  package static func withdrawn(from stock: Stock, in reader: any SQLReader)
    throws(StorageError) -> [Dispense]
  {
    try DispenseRows.withdrawn(from: stock, in: reader)
  }

  /// Packs of a stock of which their pharmacy says another amount than when they were added.
  package static func corrected(in stock: Stock, in reader: any SQLReader)
    throws(StorageError) -> [DispenseCorrection]
  {
    try DispenseRows.corrected(in: stock, in: reader).filter { correction in
      // The same amount in other words is no correction.
      guard let before = correction.before, let now = correction.dispense.amount,
        let first = stock.unit.quantity(of: before, of: nil),
        let second = stock.unit.quantity(of: now, of: nil)
      else { return true }
      return first != second
    }
  }

  /// Which of the medicines it is: by its prescription where that is known here, else by what it is.
  private static func use(
    of found: DispenseRows.Found, among uses: [StockUse], in reader: any SQLReader
  ) throws -> StockUse? {
    let patient = found.dispense.patient
    if let plan = try PlanSources.plan(found.requestKeys, patient: patient, in: reader) {
      return uses.first { $0.medicine == plan.text }
    }
    let keys = Ingredient.keys(column: found.ingredients)
    for use in uses {
      let row = try reader.first(
        "SELECT ingredients FROM plans WHERE patient = $1 AND plan = $2",
        [.text(patient), .text(use.medicine)])
      let own = try row.map { Ingredient.keys(column: try $0.text(0)) } ?? [use.medicine]
      if !own.isDisjoint(with: keys) { return use }
    }
    return nil
  }

  private static func quantity(
    of dispense: Dispense, _ use: StockUse, _ stock: Stock, in reader: any SQLReader
  ) throws -> StockQuantity? {
    guard let amount = dispense.amount else { return nil }
    let limits = try reader.first(
      "SELECT limits FROM plan_limits WHERE patient = $1 AND plan = $2",
      [.text(use.patient), .text(use.medicine)])
    return stock.unit.quantity(
      of: amount, of: try limits?.optionalText(0).flatMap { PlanLimits(text: $0) })
  }
}
