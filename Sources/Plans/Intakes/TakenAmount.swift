// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The number of times an amount was taken, with the first time.
package struct TakenAmount: Sendable {
  /// The amount taken each time; nil if none was given.
  package let amount: Amount?
  /// The number of times.
  package let times: Int64
  /// The first time at which it was taken.
  package let first: Timestamp

  /// Returns what a patient took between two instants, by plan; intakes without a plan are grouped by
  /// ingredient keys.
  static func byMedicine(
    patient: PatientID, from: Timestamp, until: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [String: [TakenAmount]] {
    let rows = try reader.query(statement, [.text(patient), SQLValue(from), SQLValue(until)])
    var found: [String: [TakenAmount]] = [:]
    for row in rows {
      let row = row.read(TakenAmountRow.self)
      found[try row.text(.medicine), default: []].append(
        TakenAmount(
          amount: Amount(
            column: try row.optionalText(.amountValue), unit: try row.optionalText(.amountUnit),
            code: nil),
          times: try row.integer(.times), first: try row.timestamp(.first)))
    }
    return found
  }

  private static let statement = SQLStatement(
    """
    SELECT \(TakenAmountRow.columns)
    FROM intakes i WHERE i.patient = $1 AND i.taken > $2 AND i.taken <= $3
    GROUP BY COALESCE(i.plan, i.ingredients), i.amount_value, i.amount_unit
    """)
}

/// The columns of a ``TakenAmount``, with the plan or the ingredients of its medicine.
enum TakenAmountRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case medicine, amountValue, amountUnit, times, first
  }

  static let columns = SQLColumns<Column>(
    of: "i",
    [
      .medicine: "COALESCE(i.plan, i.ingredients)", .times: "COUNT(*)", .first: "MIN(i.taken)",
    ])
}
