// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

/// Reads supplies; the caller has checked the access to the patient.
package enum StockQueries {
  /// Returns the supplies that a patient owns or takes from, by name.
  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [Stock]
  {
    try StockRows.all(of: patient, in: reader)
  }

  /// Returns the supplies that a snapshot's patient owns or takes from, by name.
  package static func all(of patient: PatientSnapshot) throws(StorageError) -> [Stock] {
    try StockRows.all(of: patient.patient, in: patient.reader)
  }

  /// Returns the time zone in which a supply's days are counted: that of its owner.
  package static func zone(
    of stock: Stock, in patient: PatientSnapshot
  ) throws(PlanError) -> Zone {
    try patient.other(stock.owner).zone()
  }

  /// Returns a supply that a patient owns or takes from; nil if there is none or its tracking has ended.
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

  /// Returns the supply that a patient's plan is taken from; nil if it is not tracked.
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

  /// Returns entries of a supply's ledger, the newest first.
  ///
  /// - Parameter number: Only entries with a lower number are returned, for the next page.
  package static func entries(
    of stock: Stock, before number: Int64 = .max, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [StockEntry] {
    try StockLedger.entries(of: stock, before: number, limit: limit, in: reader)
  }

  /// Returns the active or paused plans of some patients that no other supply counts yet.
  ///
  /// - Parameter stock: the supply whose own plans are included; nil for a new one.
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

  /// Returns the number of repeats that a prescription allows (`dispenseRequest.numberOfRepeatsAllowed`);
  /// nil if it states none.
  package static func repeatsAllowed(_ request: MedicationRequestView) -> Int? {
    guard case .number(let count)? = request.json["dispenseRequest"]?["numberOfRepeatsAllowed"]
    else { return nil }
    return Int(count.text)
  }
}

/// The supply that a medicine is taken from.
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

/// A plan that a supply may count, with the supply that counts it now.
enum CountablePlanRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, plan, name, stock
  }

  static let columns = SQLColumns<Column>(
    of: "p", [.name: "COALESCE(p.shown_name, p.medicine_name)", .stock: "k.stock"])
}
