// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The columns of a ``Stock`` in the table `stocks`.
enum StockRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, stock, medicineName, unit, unitCode, strengthValue, strengthUnit, form, openDays
    case packSize, leadDays, repeats, repeatsNumber, isQuiet, countedAt, countedNumber
    case doctorWeeks, created
  }

  static let columns = SQLColumns<Column>(of: "s")
}

/// The key of a stock in the table `stocks`, or in one with the same columns.
package struct StockKey: SQLReadableRow, Hashable {
  /// The two columns of the key.
  package enum Column: Int, SQLColumn {
    case patient, stock
  }

  /// The columns, read from the table with the alias `s`.
  package static let columns = SQLColumns<Column>(of: "s")

  /// The patient to whom the supply belongs.
  package let owner: PatientID
  /// The supply.
  package let stock: StockID
}

extension StockKey {
  /// Reads the key from a row.
  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    owner = try row.id(.patient)
    stock = try row.id(.stock)
  }

  init(_ row: ColumnReader<StockRow.Column>) throws(StorageError) {
    owner = try row.id(.patient)
    stock = try row.id(.stock)
  }
}

/// The columns of a ``StockLot``: the balance `b`, and the pack `l` that it belongs to.
enum StockLotRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case lot, amount, number, size, expires, opened, label, isKept, isVoid, isPrescribed
  }

  static let columns = SQLColumns<Column>(of: "l", [.lot: "b.lot", .amount: "b.amount"])
}

/// A plan that takes from a stock, with the name of its medicine as written.
struct NamedUse: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, medicine, planName, medicineName
  }

  static let columns = SQLColumns<Column>(
    of: "k",
    [
      .planName: "COALESCE(p.shown_name, p.medicine_name)", .medicineName: "p.medicine_name",
    ])

  let use: StockUse
  let medicineName: String?
}

extension NamedUse {
  /// Reads a use from a row.
  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    use = StockUse(
      patient: try row.id(.patient), medicine: try row.text(.medicine),
      planName: try row.optionalText(.planName))
    medicineName = try row.optionalText(.medicineName)
  }

  /// Reads the plan of a list row; nil if no plan takes from the supply.
  init?(_ row: ColumnReader<StockListingRow.Column>) throws(StorageError) {
    guard let patient: PatientID = try row.optionalID(.user) else { return nil }
    use = StockUse(
      patient: patient, medicine: try row.text(.medicine),
      planName: try row.optionalText(.planName))
    medicineName = try row.optionalText(.medicineName)
  }
}

/// The columns that the list of supplies adds to each ``StockRow``: two counts, and one of the plans that
/// take from the supply.
enum StockListingRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case uncounted, added, user, medicine, planName, medicineName
  }

  static let columns = SQLColumns<Column>(
    of: "k",
    [
      .uncounted: """
      (SELECT COUNT(*) FROM stock_entries e
        WHERE e.owner = s.patient AND e.stock = s.stock AND e.number > s.counted_number
          AND e.is_counted = 0
          AND NOT EXISTS (SELECT 1 FROM stock_entries u WHERE u.patient = e.patient
            AND u.administration = e.administration AND u.kind = 'undone'
            AND u.number > e.number))
      """,
      .added: """
      CASE WHEN s.repeats IS NULL THEN 0 ELSE (
        SELECT COUNT(*) FROM stock_entries e
        JOIN stock_lots l ON l.patient = e.owner AND l.stock = e.stock AND l.lot = e.lot
        WHERE e.owner = s.patient AND e.stock = s.stock AND e.kind = 'added'
          AND e.number > s.repeats_number AND l.is_void = 0 AND l.is_prescribed = 1) END
      """,
      .user: "k.patient", .planName: "COALESCE(p.shown_name, p.medicine_name)",
      .medicineName: "p.medicine_name",
    ])
}

/// A new row of `stocks`.
struct NewStockRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, stock, medicineName, unit, unitCode, strengthValue, strengthUnit, form, openDays
    case packSize, leadDays, repeats, repeatsNumber, isQuiet, countedAt, countedNumber, nextCheck
    case created, changed, doctorWeeks
  }

  static let columns = SQLColumns<Column>()

  let owner: PatientID
  let stock: StockID
  let draft: StockDraft
  let now: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(owner)
    case .stock: .text(stock)
    case .medicineName: .text(draft.name)
    case .unit: .text(draft.unit.unit)
    case .unitCode: SQLValue(draft.unit.code)
    case .strengthValue: SQLValue(draft.unit.strength?.value)
    case .strengthUnit: SQLValue(draft.unit.strength?.unit)
    case .form: .text(draft.form.rawValue)
    case .openDays: SQLValue(draft.openDays)
    case .packSize: 0
    case .leadDays: SQLValue(draft.leadDays)
    case .repeats: SQLValue(draft.repeats)
    case .isQuiet: SQLValue(draft.isQuiet)
    // The first count is the ledger's first entry.
    case .repeatsNumber, .countedNumber: 1
    case .countedAt, .nextCheck, .created, .changed: SQLValue(now)
    case .doctorWeeks: SQLValue(draft.doctorWeeks)
    }
  }
}

/// A new row of `stock_lots`.
struct NewLotRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, stock, lot, number, size, expires, opened, label, isKept, isVoid, added
    case isPrescribed
  }

  static let columns = SQLColumns<Column>()

  let owner: PatientID
  let stock: StockID
  let lot: StockLot
  let now: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(owner)
    case .stock: .text(stock)
    case .lot: .text(lot.id)
    case .number: .integer(lot.number)
    case .size: .integer(lot.size.millionths)
    case .expires: SQLValue(lot.expires?.text)
    case .opened: SQLValue(lot.opened?.text)
    case .label: SQLValue(lot.label)
    case .isKept: SQLValue(lot.isKept)
    case .isVoid: false
    case .added: SQLValue(now)
    case .isPrescribed: SQLValue(lot.isPrescribed)
    }
  }
}
