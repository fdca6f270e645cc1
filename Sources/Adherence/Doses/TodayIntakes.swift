// SPDX-License-Identifier: Apache-2.0

import Scheduling
import Storage

/// Reads of intakes whose number of rows stays bounded, however much a person takes.
extension IntakeQueries {
  /// The maximum number of intakes of one medicine that a question names.
  private static let mostNamed = 5
  /// The maximum number of intakes of all medicines that are looked at for such questions.
  private static let mostRead = 500

  /// The latest intakes that answered no dose, from one instant until before another, in order of
  /// time, and the number of all of them.
  package static func extras(
    patient: String, from: Timestamp, until: Timestamp, most: Int, in reader: any SQLReader
  ) throws(StorageError) -> (intakes: [Intake], count: Int) {
    let rows = try reader.query(
      """
      SELECT administration, plan, era, occurrence, medicine_name, taken, by_name,
        amount_value, amount_unit, COUNT(*) OVER ()
      FROM intakes WHERE patient = $1 AND taken >= $2 AND taken < $3 AND occurrence IS NULL
      ORDER BY taken DESC, administration DESC LIMIT $4
      """, [.text(patient), SQLValue(from), SQLValue(until), SQLValue(most)])
    var intakes: [Intake] = []
    intakes.reserveCapacity(rows.count)
    for row in rows.reversed() { intakes.append(try intake(row)) }
    return (intakes, Int(clamping: try rows.first?.integer(9) ?? 0))
  }

  /// For each plan, the latest intakes of the same medicine that lie less than its minimum gap before
  /// `now`, in order of time: taking a dose of it now raises the double-dose question.
  ///
  /// A dose's own intake does not count against it: see ``Intake/dose``.
  package static func latestWithinGap(
    before now: Timestamp, patient: String, in reader: any SQLReader
  ) throws(StorageError) -> [String: [Intake]] {
    let rows = try reader.query(
      """
      SELECT plan, ingredients, minimum_gap FROM plans
      WHERE patient = $1 AND minimum_gap IS NOT NULL
      """, [.text(patient)])
    var longest: Int64 = 0
    for row in rows { longest = max(longest, try row.integer(2)) }
    guard longest > 0 else { return [:] }
    let latest = try latest(
      of: patient, after: now.milliseconds.subtractingClamped(longest), until: .max, in: reader)
    if latest.isEmpty { return [:] }
    var found: [String: [Intake]] = [:]
    for row in rows {
      let plan = try row.text(0)
      let own = Ingredient.contents(column: try row.text(1))
      let earliest = now.milliseconds.subtractingClamped(try row.integer(2))
      let near = latest.filter {
        $0.intake.taken.milliseconds > earliest
          && ($0.intake.plan == plan || !$0.contents.isDisjoint(with: own))
      }
      if !near.isEmpty { found[plan] = near.map(\.intake) }
    }
    return found
  }

  /// The latest intakes of each medicine after one instant and no later than another, in order of
  /// time, with the keys of what they contain.
  static func latest(
    of patient: String, after: Int64, until: Int64, in reader: any SQLReader
  ) throws(StorageError) -> [(intake: Intake, contents: Set<String>)] {
    let rows = try reader.query(
      """
      SELECT x.administration, x.plan, x.era, x.occurrence, x.medicine_name, x.taken, x.by_name,
        x.amount_value, x.amount_unit, x.ingredients
      FROM (
        SELECT i.administration, i.plan, i.era, i.occurrence, i.medicine_name, i.taken, i.by_name,
          i.amount_value, i.amount_unit, i.ingredients,
          ROW_NUMBER() OVER (
            PARTITION BY i.plan, i.ingredients ORDER BY i.taken DESC, i.administration DESC) AS place
        FROM intakes i WHERE i.patient = $1 AND i.taken > $2 AND i.taken <= $3
      ) x
      WHERE x.place <= $4 ORDER BY x.taken DESC, x.administration DESC LIMIT $5
      """,
      [
        .text(patient), .integer(after), .integer(until), SQLValue(mostNamed), SQLValue(mostRead),
      ])
    var found: [(intake: Intake, contents: Set<String>)] = []
    found.reserveCapacity(rows.count)
    for row in rows.reversed() {
      found.append((try intake(row), Ingredient.contents(column: try row.text(9))))
    }
    return found
  }
}
