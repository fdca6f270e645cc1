// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// Reads the rows of `stock_dispenses`.
enum DispenseRows {
  /// Returns the dispenses with a source's key, the oldest first.
  static func known(_ key: String, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [KnownDispense]
  {
    try reader.query(knownStatement, [.text(patient), .text(key)]).decode()
  }

  private static let knownStatement = SQLStatement(
    """
    SELECT \(KnownDispense.columns) FROM stock_dispenses
    WHERE patient = $1 AND source_key = $2 ORDER BY turn
    """)

  /// Returns true if the record of a dispense was not deleted.
  static func hasRecord(_ id: DispenseID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Bool
  {
    try reader.first(
      """
      SELECT 1 FROM resources WHERE type = 'MedicationDispense' AND patient = $1 AND id = $2
      """, [.text(patient), .text(id)]) != nil
  }

  /// Returns the pack that a dispense became in a supply that is still tracked; nil if there is none.
  static func pack(of id: DispenseID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> DispensePackRow?
  {
    try reader.first(packStatement, [.text(patient), .text(id)])?.decode()
  }

  private static let packStatement = SQLStatement(
    """
    SELECT \(DispensePackRow.columns) FROM stock_dispenses d
    JOIN stocks s ON s.patient = d.owner AND s.stock = d.stock AND s.ended IS NULL
    WHERE d.patient = $1 AND d.dispense = $2 AND d.state = 'added' AND d.act IS NOT NULL
    """)

  static func open(of patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [OpenDispense]
  {
    let rows = try reader.query(openStatement, [.text(patient)])
    return try rows.map { row throws(StorageError) in
      OpenDispense(
        dispense: try Dispense(row.read(DispenseRow.self)),
        names: try DispenseNames(row.read(DispenseNames.self, after: DispenseRow.self)))
    }
  }

  private static let openStatement = SQLStatement(
    """
    SELECT \(DispenseRow.columns), \(DispenseNames.columns)
    FROM stock_dispenses d WHERE d.patient = $1 AND d.state = 'open'
    ORDER BY COALESCE(d.handed_over, '') DESC, d.received DESC, d.dispense LIMIT 100
    """)

  /// Returns packs of a supply whose dispense its source withdrew, if the pack can still be removed.
  static func withdrawn(from stock: Stock, in reader: any SQLReader)
    throws(StorageError) -> [Dispense]
  {
    let rows = try reader.query(
      withdrawnStatement, [.text(stock.owner), .text(stock.id), .integer(stock.countedNumber)])
    return try rows.map { row throws(StorageError) in try Dispense(row.read(DispenseRow.self)) }
  }

  private static let withdrawnStatement = SQLStatement(
    """
    SELECT \(DispenseRow.columns) FROM stock_dispenses d
    WHERE d.owner = $1 AND d.stock = $2 AND d.state = 'added' AND d.is_withdrawn = 1
      AND EXISTS (SELECT 1 FROM stock_entries e WHERE e.owner = d.owner AND e.stock = d.stock
        AND e.act = d.act AND e.number > $3)
    ORDER BY d.dispense
    """)

  /// Returns packs of a supply whose source has changed the amount since, if the pack can be removed.
  static func corrected(in stock: Stock, in reader: any SQLReader)
    throws(StorageError) -> [DispenseCorrection]
  {
    let rows = try reader.query(
      correctedStatement, [.text(stock.owner), .text(stock.id), .integer(stock.countedNumber)])
    return try rows.map { row throws(StorageError) in
      let decided = row.read(DecidedAmountRow.self, after: DispenseRow.self)
      return DispenseCorrection(
        dispense: try Dispense(row.read(DispenseRow.self)),
        before: Amount(
          column: try decided.optionalText(.decidedValue),
          unit: try decided.optionalText(.decidedUnit),
          code: try decided.optionalText(.decidedCode)))
    }
  }

  private static let correctedStatement = SQLStatement(
    """
    SELECT \(DispenseRow.columns), \(DecidedAmountRow.columns) FROM stock_dispenses d
    WHERE d.owner = $1 AND d.stock = $2 AND d.state = 'added' AND d.is_withdrawn = 0
      AND (COALESCE(d.amount_value, '') <> COALESCE(d.decided_value, '')
        OR COALESCE(d.amount_unit, '') <> COALESCE(d.decided_unit, '')
        OR COALESCE(d.amount_code, '') <> COALESCE(d.decided_code, ''))
      AND EXISTS (SELECT 1 FROM stock_entries e WHERE e.owner = d.owner AND e.stock = d.stock
        AND e.act = d.act AND e.number > $3)
    ORDER BY d.dispense
    """)
}

/// The columns of a ``Dispense``.
enum DispenseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case dispense, patient, medicineName, amountValue, amountUnit, amountCode, handedOver, expires
    case label, state, received, act, digest
  }

  static let columns = SQLColumns<Column>(of: "d")
}

extension Dispense {
  init(_ row: ColumnReader<DispenseRow.Column>) throws(StorageError) {
    self.init(
      id: try row.id(.dispense), patient: try row.id(.patient),
      medicineName: try row.text(.medicineName),
      amount: Amount(
        column: try row.optionalText(.amountValue), unit: try row.optionalText(.amountUnit),
        code: try row.optionalText(.amountCode)),
      handedOver: try row.optionalText(.handedOver).flatMap { CivilDate(text: $0) },
      expires: try row.optionalText(.expires).flatMap { CivilDate(text: $0) },
      label: try row.optionalText(.label), state: try row.named(.state),
      received: try row.timestamp(.received), act: try row.optionalText(.act),
      digest: try row.text(.digest))
  }
}

/// The pack of a dispense `d`: the supply, and the command that added it.
struct DispensePackRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case owner, stock, act
  }

  static let columns = SQLColumns<Column>(of: "d")

  let owner: PatientID
  let stock: StockID
  let act: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    owner = try row.id(.owner)
    stock = try row.id(.stock)
    act = try row.text(.act)
  }
}

/// An offered dispense with the keys that identify its medicine.
struct OpenDispense {
  let dispense: Dispense
  let names: DispenseNames
}

/// The keys of a dispense's prescriptions and of its medicine.
struct DispenseNames: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case requestKeys, ingredients
  }

  static let columns = SQLColumns<Column>(of: "d")

  let requestKeys: [String]
  let ingredients: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    requestKeys = try row.text(.requestKeys).split(separator: "\n").map(String.init)
    ingredients = try row.text(.ingredients)
  }
}

/// The amount that a dispense had when it became a pack.
enum DecidedAmountRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case decidedValue, decidedUnit, decidedCode
  }

  static let columns = SQLColumns<Column>(of: "d")
}

/// An earlier dispense with the same key.
struct KnownDispense: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case dispense, digest, state, handedOver, ingredients, received, turn
  }

  static let columns = SQLColumns<Column>()

  let id: DispenseID
  let digest: String
  let state: Dispense.State
  let handedOver: CivilDate?
  let ingredients: String
  let received: Timestamp
  let turn: Int64

  var isDecided: Bool { state == .added || state == .declined }

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    id = try row.id(.dispense)
    digest = try row.text(.digest)
    state = try row.named(.state)
    handedOver = try row.optionalText(.handedOver).flatMap { CivilDate(text: $0) }
    ingredients = try row.text(.ingredients)
    received = try row.timestamp(.received)
    turn = try row.integer(.turn)
  }
}
