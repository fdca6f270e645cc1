// SPDX-License-Identifier: Apache-2.0

import Identifiers
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
      try folded(patient: patient, zoneName: zoneName, in: reader))
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
    for row in try reader.query(
      """
      SELECT plan, figures FROM figure_months WHERE patient = $1 AND month >= $2 AND month < $3
      """, [.text(patient), .integer(begin.number), .integer(end.number)])
    {
      guard plans[try row.id(0), default: PlanFigures()].add(try row.blob(1)) else {
        throw .unexpectedValue(column: 1, expected: .blob)
      }
    }
  }

  /// The first month that is not folded for every plan of the patient.
  private static func folded(patient: PatientID, zoneName: String, in reader: any SQLReader)
    throws(StorageError) -> FigureMonth
  {
    let row = try reader.first(
      """
      SELECT MIN(CASE WHEN figures_zone = $1 THEN figures_through ELSE 0 END) FROM plans
      WHERE patient = $2
      """, [.text(zoneName), .text(patient)])
    return FigureMonth(number: try row?.optionalInteger(0) ?? 0)
  }

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
