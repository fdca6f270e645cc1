// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// How often an amount of a medicine was taken, and when first.
struct TakenAmount: Sendable {
  /// Nil where nobody said how much.
  let amount: Amount?
  let times: Int64
  let first: Timestamp

  /// What a patient took after an instant and until another, by plan; what was taken without a plan by the keys of its
  /// ingredients.
  static func byMedicine(
    patient: PatientID, from: Timestamp, until: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [String: [TakenAmount]] {
    let rows = try reader.query(
      """
      SELECT COALESCE(plan, ingredients), amount_value, amount_unit, COUNT(*), MIN(taken)
      FROM intakes WHERE patient = $1 AND taken > $2 AND taken <= $3
      GROUP BY COALESCE(plan, ingredients), amount_value, amount_unit
      """, [.text(patient), SQLValue(from), SQLValue(until)])
    var found: [String: [TakenAmount]] = [:]
    for row in rows {
      found[try row.text(0), default: []].append(
        TakenAmount(
          amount: Amount(
            column: try row.optionalText(1), unit: try row.optionalText(2), code: nil),
          times: try row.integer(3), first: try row.timestamp(4)))
    }
    return found
  }
}
