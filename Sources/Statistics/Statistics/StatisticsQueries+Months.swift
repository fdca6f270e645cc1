// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

extension StatisticsQueries {
  /// Returns the counts of one plan in a window of months, from the rolled-up months as far as there are any.
  ///
  /// Ten years take as many rows as there are months, however many doses these have.
  package static func months(
    plan: PlanID, patient: PatientID, window: StatisticsWindow, zone: Zone, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> AdherenceStatistics {
    let through =
      try reader.first(
        """
        SELECT CASE WHEN statistics_zone = $1 THEN statistics_through ELSE 0 END FROM plans
        WHERE patient = $2 AND plan = $3
        """, [.text(zone.identifier), .text(patient), .text(plan)])?.value(as: Int64.self) ?? 0
    let rows: [MonthlyStatisticsRow] = try reader.query(
      rolledUpStatement,
      [
        .text(patient), .text(plan), .integer(MonthlyStatistics(of: window.first).number),
        .integer(through),
      ]
    ).decode()
    var kept: [Int64: DoseCounts] = [:]
    for row in rows {
      var statistics = PlanStatistics()
      guard statistics.add(row.statistics) else {
        throw .unexpectedValue(
          column: MonthlyStatisticsRow.Column.statistics.rawValue, expected: .blob)
      }
      kept[row.month] = statistics.counts
    }
    let instants = window.instants(in: zone)
    var columns: [AdherenceStatistics.Column] = []
    for (index, start) in window.starts.enumerated() {
      let month = MonthlyStatistics(of: start).number
      // A month without doses has no row.
      let found: DoseCounts
      if month < through {
        found = kept[month] ?? DoseCounts()
      } else {
        found = try counts(
          plan: plan, patient: patient, from: instants[index], until: instants[index + 1],
          now: now, in: reader)
      }
      columns.append(AdherenceStatistics.Column(start: start, counts: found))
    }
    return AdherenceStatistics(
      window: window, columns: columns,
      firstDue: try firstDue(plan: plan, patient: patient, zone: zone, in: reader),
      paused: try PausedDays.of(plan, patient: patient, zone: zone, now: now, in: reader))
  }

  private static let rolledUpStatement = SQLStatement(
    """
    SELECT \(MonthlyStatisticsRow.columns) FROM monthly_statistics
    WHERE patient = $1 AND plan = $2 AND month >= $3 AND month < $4
    """)
}
