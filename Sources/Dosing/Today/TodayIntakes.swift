// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// Queries for intakes whose number of rows stays bounded, however much a person takes.
extension IntakeQueries {
  /// The maximum number of intakes of one medicine that a question names.
  private static let mostNamed = 5
  /// The maximum number of intakes of all medicines that are read for such questions.
  private static let mostRead = 500
  /// The maximum number of rows that one query for such questions returns.
  private static let readAtOnce = 50

  /// The key by which such questions distinguish medicines.
  struct MedicineKey: Sendable, Hashable {
    let plan: PlanID?
    let ingredients: String
  }

  /// Returns the latest intakes in [from, until) that answered no dose, in order of time, and their
  /// total number.
  package static func extras(
    patient: PatientID, from: Timestamp, until: Timestamp, most: Int, in reader: any SQLReader
  ) throws(StorageError) -> (intakes: [Intake], count: Int) {
    let rows = try reader.query(
      extrasStatement, [.text(patient), SQLValue(from), SQLValue(until), SQLValue(most)])
    var intakes: [Intake] = []
    intakes.reserveCapacity(rows.count)
    for row in rows.reversed() { intakes.append(try Intake(row.read(TakenRow.self))) }
    if intakes.count < most { return (intakes, intakes.count) }
    // Counted separately: a window function would read and keep every row.
    let count = try reader.first(
      """
      SELECT COUNT(*) FROM intakes
      WHERE patient = $1 AND taken >= $2 AND taken < $3 AND occurrence IS NULL
      """, [.text(patient), SQLValue(from), SQLValue(until)])?.value(as: Int.self)
    return (intakes, count ?? 0)
  }

  private static let extrasStatement = SQLStatement(
    """
    SELECT \(TakenRow.columns) FROM intakes i
    WHERE i.patient = $1 AND i.taken >= $2 AND i.taken < $3 AND i.occurrence IS NULL
    ORDER BY i.taken DESC, i.administration DESC LIMIT $4
    """)

  /// Returns for each plan the latest intakes of the same medicine within its minimum gap before `now`, in
  /// order of time.
  ///
  /// Taking a dose of the plan now raises the double-dose question. A dose's own intake does not count
  /// against it: see ``Intake/dose``.
  package static func latestWithinGap(
    before now: Timestamp, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: [Intake]] {
    let plans: [PlanGapRow] = try reader.query(gapsStatement, [.text(patient)]).decode()
    let longest = plans.map(\.minimumGap).max() ?? 0
    guard longest > 0 else { return [:] }
    let latest = try latest(
      of: patient, after: now.milliseconds.subtractingClamped(longest), until: .max, in: reader)
    if latest.isEmpty { return [:] }
    var found: [PlanID: [Intake]] = [:]
    for plan in plans {
      let own = Ingredient.contents(column: plan.ingredients)
      let earliest = now.milliseconds.subtractingClamped(plan.minimumGap)
      let near = latest.filter {
        $0.intake.taken.milliseconds > earliest
          && ($0.intake.plan == plan.plan || !$0.contents.isDisjoint(with: own))
      }
      if !near.isEmpty { found[plan.plan] = near.map(\.intake) }
    }
    return found
  }

  private static let gapsStatement = SQLStatement(
    """
    SELECT \(PlanGapRow.columns) FROM plans
    WHERE patient = $1 AND minimum_gap IS NOT NULL
    """)

  /// Returns the latest extra intakes of a patient in a snapshot, their total number, and the
  /// reasons given for them.
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

  /// Returns for each plan the latest intakes of the same medicine within its minimum gap before
  /// the snapshot's time.
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

  /// Returns the latest intakes of each medicine within a time before now, in order of time, with their
  /// ingredient keys.
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

  /// Returns the latest intakes of each medicine after one instant and no later than another, in order of
  /// time, with their ingredient keys.
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
        let intake = try Intake(row)
        let ingredients = try row.text(.ingredients)
        let medicine = MedicineKey(plan: intake.plan, ingredients: ingredients)
        let count = counts[medicine, default: 0]
        guard count < mostNamed else { continue }
        counts[medicine] = count + 1
        found.append((intake, Ingredient.contents(column: ingredients)))
      }
      guard rows.count == readAtOnce, found.count < mostRead, let last = rows.last else { break }
      place = (try last.timestamp(.taken).milliseconds, try last.id(.administration))
    }
    return found.reversed()
  }

  /// Returns the rows after one instant and before an intake, the latest first, without those of some
  /// medicines.
  static func rows(
    of patient: PatientID, after: Int64,
    before place: (taken: Int64, administration: AdministrationID),
    without medicines: [MedicineKey], in reader: any SQLReader
  ) throws(StorageError) -> [ColumnReader<TakenRow.Column>] {
    var query = HistoryQuery(
      """
      SELECT \(TakenRow.columns) FROM intakes i
      WHERE i.patient = $1 AND i.taken > $2 AND i.taken <= $3
        AND (i.taken < $3 OR i.administration < $4)
      """,
      [.text(patient), .integer(after), .integer(place.taken), .text(place.administration)])
    for medicine in medicines {
      query.append(" AND NOT (i.ingredients = ", .text(medicine.ingredients))
      query.append(" AND COALESCE(i.plan, '') = ", .text(medicine.plan?.text ?? ""))
      query.append(")")
    }
    query.append(" ORDER BY i.taken DESC, i.administration DESC LIMIT ", SQLValue(readAtOnce))
    return try query.rows(in: reader).map { $0.read(TakenRow.self) }
  }
}

/// The minimum gap of a plan, with the ingredient keys of its medicine.
struct PlanGapRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case plan, ingredients, minimumGap
  }

  static let columns = SQLColumns<Column>()

  let plan: PlanID
  let ingredients: String
  let minimumGap: Int64

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    plan = try row.id(.plan)
    ingredients = try row.text(.ingredients)
    minimumGap = try row.integer(.minimumGap)
  }
}
