// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Scheduling
import Storage

/// Queries that count doses; the caller has checked that they may be read.
package enum StatisticsQueries {
  /// Returns the counts of one plan in the periods of a window, in the days of a zone.
  ///
  /// The database counts: one row is read for each period, however many doses it has.
  package static func statistics(
    plan: PlanID, patient: PatientID, window: StatisticsWindow, zone: Zone, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> AdherenceStatistics {
    let instants = window.instants(in: zone)
    var columns: [AdherenceStatistics.Column] = []
    for (index, start) in window.starts.enumerated() {
      let counts = try counts(
        plan: plan, patient: patient, from: instants[index], until: instants[index + 1], now: now,
        in: reader)
      columns.append(AdherenceStatistics.Column(start: start, counts: counts))
    }
    return AdherenceStatistics(
      window: window, columns: columns,
      firstDue: try firstDue(plan: plan, patient: patient, zone: zone, in: reader),
      paused: try PausedDays.of(plan, patient: patient, zone: zone, now: now, in: reader))
  }

  /// Returns the counts of a plan's doses due from one instant on and before another.
  package static func counts(
    plan: PlanID, patient: PatientID, from: Timestamp, until: Timestamp, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> DoseCounts {
    // The columns of DoseCountsRow, written out in order because they have parameters.
    let row = try reader.first(
      """
      SELECT COUNT(*) FILTER (WHERE state = 'taken' AND answered_at <= on_time_until),
        COUNT(*) FILTER (WHERE state = 'taken' AND answered_at > on_time_until),
        COUNT(*) FILTER (WHERE state = 'skipped'), COUNT(*) FILTER (WHERE state = 'refused'),
        COUNT(*) FILTER (WHERE state = 'open' AND late_until <= $1
          AND (later_until IS NULL OR later_until <= $1)),
        COUNT(*) FILTER (WHERE state = 'withheld' AND late_until <= $1)
      FROM doses WHERE patient = $2 AND plan = $3 AND due >= $4 AND due < $5
      """, [SQLValue(now), .text(patient), .text(plan), SQLValue(from), SQLValue(until)])
    guard let row else { return DoseCounts() }
    return try DoseCounts(row)
  }

  /// Returns the counts of all of a patient's doses due from one instant on and before another.
  package static func counts(
    patient: PatientID, from: Timestamp, until: Timestamp, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> DoseCounts {
    // The columns of DoseCountsRow, written out in order because they have parameters.
    let row = try reader.first(
      """
      SELECT COUNT(*) FILTER (WHERE state = 'taken' AND answered_at <= on_time_until),
        COUNT(*) FILTER (WHERE state = 'taken' AND answered_at > on_time_until),
        COUNT(*) FILTER (WHERE state = 'skipped'), COUNT(*) FILTER (WHERE state = 'refused'),
        COUNT(*) FILTER (WHERE state = 'open' AND late_until <= $1
          AND (later_until IS NULL OR later_until <= $1)),
        COUNT(*) FILTER (WHERE state = 'withheld' AND late_until <= $1)
      FROM doses WHERE patient = $2 AND due >= $3 AND due < $4
      """, [SQLValue(now), .text(patient), SQLValue(from), SQLValue(until)])
    guard let row else { return DoseCounts() }
    return try DoseCounts(row)
  }
}

extension DoseCounts {
  /// Reads the columns of ``DoseCountsRow``, which must be the first of the row.
  package init(_ row: SQLRow) throws(StorageError) {
    let row = row.read(DoseCountsRow.self)
    self.init()
    self[.taken] = Int(clamping: try row.integer(.taken))
    self[.late] = Int(clamping: try row.integer(.late))
    self[.skipped] = Int(clamping: try row.integer(.skipped))
    self[.refused] = Int(clamping: try row.integer(.refused))
    self[.missed] = Int(clamping: try row.integer(.missed))
    self[.withheld] = Int(clamping: try row.integer(.withheld))
  }
}

/// The columns of ``DoseCounts``: one for each outcome.
enum DoseCountsRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case taken, late, skipped, refused, missed, withheld
  }

  static let columns = SQLColumns<Column>()
}
