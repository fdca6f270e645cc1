// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// Reads of intakes whose number of rows stays bounded, however much a person takes.
extension IntakeQueries {
  /// The maximum number of intakes of one medicine that a question names.
  private static let mostNamed = 5
  /// The maximum number of intakes of all medicines that are looked at for such questions.
  private static let mostRead = 500
  /// The maximum number of rows that one query for such questions returns.
  private static let readAtOnce = 50

  /// Intakes of one medicine, as such questions tell medicines apart.
  struct MedicineKey: Sendable, Hashable {
    let plan: PlanID?
    let ingredients: String
  }

  /// The latest intakes that answered no dose, from one instant until before another, in order of
  /// time, and the number of all of them.
  package static func extras(
    patient: PatientID, from: Timestamp, until: Timestamp, most: Int, in reader: any SQLReader
  ) throws(StorageError) -> (intakes: [Intake], count: Int) {
    let rows = try reader.query(
      """
      SELECT administration, plan, era, occurrence, medicine_name, taken, by_name,
        amount_value, amount_unit
      FROM intakes WHERE patient = $1 AND taken >= $2 AND taken < $3 AND occurrence IS NULL
      ORDER BY taken DESC, administration DESC LIMIT $4
      """, [.text(patient), SQLValue(from), SQLValue(until), SQLValue(most)])
    var intakes: [Intake] = []
    intakes.reserveCapacity(rows.count)
    for row in rows.reversed() { intakes.append(try intake(row)) }
    if intakes.count < most { return (intakes, intakes.count) }
    // Counted apart: a window function would read and keep every row.
    let count = try reader.first(
      """
      SELECT COUNT(*) FROM intakes
      WHERE patient = $1 AND taken >= $2 AND taken < $3 AND occurrence IS NULL
      """, [.text(patient), SQLValue(from), SQLValue(until)])
    return (intakes, Int(clamping: try count?.integer(0) ?? 0))
  }

  /// For each plan, the latest intakes of the same medicine that lie less than its minimum gap before
  /// `now`, in order of time: taking a dose of it now raises the double-dose question.
  ///
  /// A dose's own intake does not count against it: see ``Intake/dose``.
  package static func latestWithinGap(
    before now: Timestamp, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: [Intake]] {
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
    var found: [PlanID: [Intake]] = [:]
    for row in rows {
      let plan: PlanID = try row.id(0)
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

  /// The same as ``extras(patient:from:until:most:in:)`` with the reasons given for them, by administration.
  package static func extras(
    of patient: PatientSnapshot, from: Timestamp, until: Timestamp, most: Int
  ) throws(StorageError) -> (intakes: [Intake], count: Int, reasons: [AdministrationID: String]) {
    let before = from.adding(milliseconds: -1)
    guard let all = try patient.recentIntakes().since(before) else {
      let (name, reader) = (patient.patient, patient.reader)
      let found = try extras(patient: name, from: from, until: until, most: most, in: reader)
      return (
        found.intakes, found.count,
        try ExtraRecords.reasons(from, until, patient: name, in: reader)
      )
    }
    let found = all.filter { $0.isExtra && $0.intake.taken < until }
    var reasons: [AdministrationID: String] = [:]
    for entry in found { reasons[entry.intake.administration] = entry.reason }
    return (found.suffix(most).map(\.intake), found.count, reasons)
  }

  /// The same as ``latestWithinGap(before:patient:in:)``.
  package static func latestWithinGap(
    of patient: PatientSnapshot
  ) throws(StorageError) -> [PlanID: [Intake]] {
    let gaps = try patient.plans().compactMap { plan in
      plan.minimumGap.map { (plan: plan, milliseconds: $0) }
    }
    let longest = gaps.map(\.milliseconds).max() ?? 0
    guard longest > 0 else { return [:] }
    let latest = try latest(of: patient, within: longest, until: .max)
    if latest.isEmpty { return [:] }
    var found: [PlanID: [Intake]] = [:]
    for (plan, gap) in gaps {
      let own = Ingredient.contents(column: plan.ingredients)
      let earliest = patient.now.milliseconds.subtractingClamped(gap)
      let near = latest.filter {
        $0.intake.taken.milliseconds > earliest
          && ($0.intake.plan == plan.plan || !$0.contents.isDisjoint(with: own))
      }
      if !near.isEmpty { found[plan.plan] = near.map(\.intake) }
    }
    return found
  }

  /// The latest intakes of each medicine within a time before now, in order of time, with the keys of what they
  /// contain.
  static func latest(
    of patient: PatientSnapshot, within milliseconds: Int64, until: Int64? = nil
  ) throws(StorageError) -> [(intake: Intake, contents: Set<String>)] {
    let after = patient.now.milliseconds.subtractingClamped(milliseconds)
    let until = until ?? patient.now.milliseconds
    guard let all = try patient.recentIntakes().since(Timestamp(milliseconds: after)) else {
      return try latest(of: patient.patient, after: after, until: until, in: patient.reader)
    }
    var counts: [MedicineKey: Int] = [:]
    var found: [(intake: Intake, contents: Set<String>)] = []
    for entry in all.reversed() where entry.intake.taken.milliseconds <= until {
      let medicine = MedicineKey(plan: entry.intake.plan, ingredients: entry.ingredients)
      guard counts[medicine, default: 0] < mostNamed else { continue }
      counts[medicine, default: 0] += 1
      found.append((entry.intake, Ingredient.contents(column: entry.ingredients)))
    }
    return found.reversed()
  }

  /// The latest intakes of each medicine after one instant and no later than another, in order of
  /// time, with the keys of what they contain.
  static func latest(
    of patient: PatientID, after: Int64, until: Int64, in reader: any SQLReader
  ) throws(StorageError) -> [(intake: Intake, contents: Set<String>)] {
    var found: [(intake: Intake, contents: Set<String>)] = []
    var counts: [MedicineKey: Int] = [:]
    var place = (taken: until.addingClamped(1), administration: AdministrationID(""))
    while true {
      let rows = try rows(
        of: patient, after: after, before: place,
        without: counts.filter { $0.value >= mostNamed }.map(\.key), in: reader)
      for row in rows where found.count < mostRead {
        let ingredients = try row.text(9)
        let medicine = MedicineKey(plan: try row.optionalID(1), ingredients: ingredients)
        let count = counts[medicine, default: 0]
        guard count < mostNamed else { continue }
        counts[medicine] = count + 1
        found.append((try intake(row), Ingredient.contents(column: ingredients)))
      }
      guard rows.count == readAtOnce, found.count < mostRead, let last = rows.last else { break }
      place = (try last.timestamp(5).milliseconds, try last.id(0))
    }
    return found.reversed()
  }

  /// The latest rows after one instant and before an intake, the latest first, without those of
  /// some medicines.
  static func rows(
    of patient: PatientID, after: Int64,
    before place: (taken: Int64, administration: AdministrationID),
    without medicines: [MedicineKey], in reader: any SQLReader
  ) throws(StorageError) -> [SQLRow] {
    var query = HistoryQuery(
      """
      SELECT administration, plan, era, occurrence, medicine_name, taken, by_name, amount_value,
        amount_unit, ingredients
      FROM intakes WHERE patient = $1 AND taken > $2 AND taken <= $3
        AND (taken < $3 OR administration < $4)
      """,
      [.text(patient), .integer(after), .integer(place.taken), .text(place.administration)])
    for medicine in medicines {
      query.append(" AND NOT (ingredients = ", .text(medicine.ingredients))
      query.append(" AND COALESCE(plan, '') = ", .text(medicine.plan?.text ?? ""))
      query.append(")")
    }
    query.append(" ORDER BY taken DESC, administration DESC LIMIT ", SQLValue(readAtOnce))
    return try query.rows(in: reader)
  }
}
