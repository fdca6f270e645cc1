// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

/// Questions about stocks; the caller has decided that they may be asked for the patient.
package enum StockQueries {
  /// The stocks that belong to a patient or that the patient takes from, by name.
  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [Stock]
  {
    try StockRows.all(of: patient, in: reader)
  }

  /// The same of a patient of whom more is read in one snapshot.
  package static func all(of patient: PatientSnapshot) throws(StorageError) -> [Stock] {
    try StockRows.all(of: patient.patient, in: patient.reader)
  }

  /// The zone by whose days a stock is counted: that of the patient to whom it belongs.
  package static func zone(
    of stock: Stock, in patient: PatientSnapshot
  ) throws(PlanError) -> Zone {
    try patient.other(stock.owner).zone()
  }

  /// One of them.
  package static func one(_ id: StockID, of patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Stock?
  {
    let owner: PatientID? = try reader.first(
      """
      SELECT patient FROM stocks s WHERE stock = $1 AND (patient = $2 OR EXISTS (
        SELECT 1 FROM stock_uses k
        WHERE k.patient = $2 AND k.owner = s.patient AND k.stock = s.stock))
      """, [.text(id), .text(patient)])?.value()
    guard let owner else { return nil }
    return try StockRows.one(id, owner: owner, in: reader)
  }

  /// The stock of a patient's plan.
  package static func stock(ofPlan plan: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Stock?
  {
    let used: UsedStock? = try reader.first(
      usedStatement, [.text(patient), .text(plan)])?.decode()
    guard let used else { return nil }
    return try StockRows.one(used.stock, owner: used.owner, in: reader)
  }

  private static let usedStatement = SQLStatement(
    "SELECT \(UsedStock.columns) FROM stock_uses WHERE patient = $1 AND medicine = $2")

  package static func entries(
    of stock: Stock, before number: Int64 = .max, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [StockEntry] {
    try StockLedger.entries(of: stock, before: number, limit: limit, in: reader)
  }

  /// The running plans of some patients that no stock counts yet, or this one does.
  package static func plans(
    of patients: [PatientID], for stock: Stock?, in reader: any SQLReader
  ) throws(StorageError) -> [StockUse] {
    let rows = try reader.query(
      """
      SELECT \(CountablePlanRow.columns) FROM plans p
      LEFT JOIN stock_uses k ON k.patient = p.patient AND k.medicine = p.plan
      WHERE p.status IN ('active', 'on-hold') AND p.patient IN (
      """, [], in: patients.map { .text($0) })
    var uses: [StockUse] = []
    for row in rows {
      let row = row.read(CountablePlanRow.self)
      let used: StockID? = try row.optionalID(.stock)
      guard used == nil || used == stock?.id else { continue }
      uses.append(
        StockUse(
          patient: try row.id(.patient), medicine: try row.text(.plan),
          planName: try row.text(.name)))
    }
    return uses.sorted { ($0.planName ?? "", $0.patient) < ($1.planName ?? "", $1.patient) }
  }

  /// What the prescription of a plan says of being had again.
  package static func repeatsAllowed(_ request: MedicationRequestView) -> Int? {
    guard case .number(let count)? = request.json["dispenseRequest"]?["numberOfRepeatsAllowed"]
    else { return nil }
    return Int(count.text)
  }
}

/// The stock that a medicine is taken from.
struct UsedStock: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case owner, stock
  }

  static let columns = SQLColumns<Column>()

  let owner: PatientID
  let stock: StockID

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    owner = try row.id(.owner)
    stock = try row.id(.stock)
  }
}

/// A plan that a stock may count, with the stock that counts it now.
enum CountablePlanRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, plan, name, stock
  }

  static let columns = SQLColumns<Column>(
    of: "p", [.name: "COALESCE(p.shown_name, p.medicine_name)", .stock: "k.stock"])
}
