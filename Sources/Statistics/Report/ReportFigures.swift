// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The figures of a patient's plans over some days; the caller has decided that they may be asked for.
package struct ReportFigures: Sendable, Hashable {
  /// By plan; a plan without settled doses in these days has none.
  package private(set) var plans: [PlanID: PlanFigures] = [:]

  /// All plans together.
  package private(set) var total = PlanFigures()

  /// Counts the doses of the days from `first` to `last`, both included, in a zone.
  ///
  /// Months that are over and folded come from what is kept of them, the rest is counted.
  package static func between(
    _ first: CivilDate, _ last: CivilDate, patient: PatientID, zone: Zone, zoneName: String,
    now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> ReportFigures {
    var figures = ReportFigures()
    guard first <= last else { return figures }
    let begin =
      first == FigureMonth(of: first).first
      ? FigureMonth(of: first) : FigureMonth(of: first).adding(1)
    let after = last.adding(days: 1)
    let end = min(
      FigureMonth(of: after),
      FigureMonth(
        number: try PlanStore.figuresThrough(of: patient, zone: zoneName, in: reader)))
    if begin < end {
      try figures.count(first, begin.first, patient: patient, zone: zone, now: now, in: reader)
      try figures.addFolded(begin, end, patient: patient, in: reader)
      try figures.count(end.first, after, patient: patient, zone: zone, now: now, in: reader)
    } else {
      try figures.count(first, after, patient: patient, zone: zone, now: now, in: reader)
    }
    figures.plans = figures.plans.filter { !$0.value.isEmpty }
    for plan in figures.plans.values { figures.total += plan }
    return figures
  }

  private mutating func addFolded(
    _ begin: FigureMonth, _ end: FigureMonth, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) {
    let rows: [FigureMonthRow] = try reader.query(
      Self.foldedStatement, [.text(patient), .integer(begin.number), .integer(end.number)]
    ).decode()
    for row in rows {
      guard plans[row.plan, default: PlanFigures()].add(row.figures) else {
        throw .unexpectedValue(column: FigureMonthRow.Column.figures.rawValue, expected: .blob)
      }
    }
  }

  private static let foldedStatement = SQLStatement(
    """
    SELECT \(FigureMonthRow.columns) FROM figure_months
    WHERE patient = $1 AND month >= $2 AND month < $3
    """)

  private mutating func count(
    _ first: CivilDate, _ after: CivilDate, patient: PatientID, zone: Zone, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) {
    guard first < after else { return }
    for piece in try FigureRows.pieces(
      patient: patient, from: Timestamp(zone.startOfDay(first)),
      until: Timestamp(zone.startOfDay(after)), zone: zone, now: now, in: reader)
    {
      plans[piece.plan, default: PlanFigures()] += piece.figures
    }
  }
}
