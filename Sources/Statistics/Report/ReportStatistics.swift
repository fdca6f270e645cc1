// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The adherence statistics of a patient's plans over some days; the caller has checked that they may be
/// read.
package struct ReportStatistics: Sendable, Hashable {
  /// The statistics by plan; a plan without settled doses in these days has none.
  package private(set) var plans: [PlanID: PlanStatistics] = [:]

  /// The statistics of all plans together.
  package private(set) var total = PlanStatistics()

  /// Counts the doses of the days from `first` to `last`, both included, in a zone.
  ///
  /// Months that have been rolled up are read from the stored totals; the other doses are counted
  /// one by one.
  package static func between(
    _ first: CivilDate, _ last: CivilDate, patient: PatientID, zone: Zone, zoneName: String,
    now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> ReportStatistics {
    var statistics = ReportStatistics()
    guard first <= last else { return statistics }
    let begin =
      first == MonthlyStatistics(of: first).first
      ? MonthlyStatistics(of: first) : MonthlyStatistics(of: first).adding(1)
    let after = last.adding(days: 1)
    let end = min(
      MonthlyStatistics(of: after),
      MonthlyStatistics(
        number: try PlanStore.statisticsThrough(of: patient, zone: zoneName, in: reader)))
    if begin < end {
      try statistics.count(first, begin.first, patient: patient, zone: zone, now: now, in: reader)
      try statistics.addFolded(begin, end, patient: patient, in: reader)
      try statistics.count(end.first, after, patient: patient, zone: zone, now: now, in: reader)
    } else {
      try statistics.count(first, after, patient: patient, zone: zone, now: now, in: reader)
    }
    statistics.plans = statistics.plans.filter { !$0.value.isEmpty }
    for plan in statistics.plans.values { statistics.total += plan }
    return statistics
  }

  private mutating func addFolded(
    _ begin: MonthlyStatistics, _ end: MonthlyStatistics, patient: PatientID,
    in reader: any SQLReader
  ) throws(StorageError) {
    let rows: [MonthlyStatisticsRow] = try reader.query(
      Self.foldedStatement, [.text(patient), .integer(begin.number), .integer(end.number)]
    ).decode()
    for row in rows {
      guard plans[row.plan, default: PlanStatistics()].add(row.statistics) else {
        throw .unexpectedValue(
          column: MonthlyStatisticsRow.Column.statistics.rawValue, expected: .blob)
      }
    }
  }

  private static let foldedStatement = SQLStatement(
    """
    SELECT \(MonthlyStatisticsRow.columns) FROM monthly_statistics
    WHERE patient = $1 AND month >= $2 AND month < $3
    """)

  private mutating func count(
    _ first: CivilDate, _ after: CivilDate, patient: PatientID, zone: Zone, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) {
    guard first < after else { return }
    for piece in try StatisticsRows.pieces(
      patient: patient, from: Timestamp(zone.startOfDay(first)),
      until: Timestamp(zone.startOfDay(after)), zone: zone, now: now, in: reader)
    {
      plans[piece.plan, default: PlanStatistics()] += piece.statistics
    }
  }
}
