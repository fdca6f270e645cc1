// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

/// The doses listed on Today, and the number of those left out.
package struct TodayDoses: Sendable {
  /// The doses, sorted by due time and then by id.
  package let doses: [Dose]
  /// The number of stored doses of each part that were not read.
  package let unread: [TodayPart: Int]
  /// The doses planned for the local day, and those of them that were taken.
  package let progress: TodayProgress
  /// The plans to show that give no doses, with the text of their prescriptions.
  package let unplanned: [UnplannedPlan]
  /// The patient's time zone, in which due times are shown.
  package let zone: Zone

  /// The time ahead for which tomorrow's doses are listed, in milliseconds.
  package static let ahead: Int64 = 24 * 3_600_000
  /// The maximum number of doses of all parts that are read without a look at the limits.
  static let mostUnlimited = 60
  /// The maximum number of doses read at one time, so that all can be named as the next ones.
  static let mostNext: Int64 = 100
}

extension DoseQueries {
  /// Returns the doses of Today's parts: all of them if they are few, otherwise up to the limit of each part, the next
  /// coming doses and the latest past ones.
  ///
  /// The number of rows read stays bounded, however many doses the day has.
  package static func today(
    patient: PatientID, limits: TodayLimits, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> TodayDoses {
    try today(
      of: PatientSnapshot(of: patient, now: now, zones: zones, in: reader), limits: limits)
  }

  /// Returns Today's doses of a patient whose snapshot is already in use.
  package static func today(
    of patient: PatientSnapshot, limits: TodayLimits
  ) throws(PlanError) -> TodayDoses {
    try planning {
      let zone = try patient.zone()
      let date = zone.date(at: Instant(patient.now))
      let start = Timestamp(zone.startOfDay(date))
      let end = Timestamp(zone.startOfDay(date.adding(days: 1)))
      let span = TodaySpan(
        from: patient.now.adding(milliseconds: -SnapshotReach.doses), start: start, end: end,
        until: max(end, patient.now.adding(milliseconds: TodayDoses.ahead)))
      var stored = try few(of: patient, in: span) ?? limited(of: patient, limits, in: span)
      let unstored = try beyond(of: patient, from: span.from, until: span.until)
      stored.progress.planned += unstored.filter { $0.due >= start && $0.due < end }.count
      stored.doses += unstored
      stored.doses.sort { $0.due == $1.due ? $0.id.isBefore($1.id) : $0.due < $1.due }
      return TodayDoses(
        doses: stored.doses, unread: stored.unread, progress: stored.progress,
        unplanned: try unplanned(of: patient), zone: zone)
    }
  }

  /// The doses that were read, the number of stored doses of each part that were not, and the progress of the day.
  private typealias Stored = (doses: [Dose], unread: [TodayPart: Int], progress: TodayProgress)

  /// Returns all stored doses of Today's parts; nil if there are more than ``TodayDoses/mostUnlimited``.
  ///
  /// Counting and sorting the doses of each part in the database takes four times as long as reading the doses of a
  /// common day.
  private static func few(
    of patient: PatientSnapshot, in span: TodaySpan
  ) throws(StorageError) -> Stored? {
    let rows = try patient.reader.query(
      fewStatement,
      [
        .text(patient.patient), SQLValue(span.from), SQLValue(span.until), SQLValue(span.start),
        SQLValue(TodayDoses.mostUnlimited + 1),
      ])
    guard rows.count <= TodayDoses.mostUnlimited else { return nil }
    var doses: [Dose] = []
    doses.reserveCapacity(rows.count)
    var progress = TodayProgress()
    for row in rows {
      let dose = try Dose(row.read(DoseRow.self), patient: patient.patient, now: patient.now)
      doses.append(dose)
      guard dose.due >= span.start, dose.due < span.end else { continue }
      progress.planned += 1
      if dose.state == .taken { progress.taken += 1 }
    }
    return (doses, [:], progress)
  }

  private static let fewStatement = SQLStatement(
    """
    SELECT \(DoseRow.columns) FROM \(DoseRow.tables)
    WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3 AND d.state <> 'cancelled'
      AND (d.due >= $4 OR (d.late_until > $4
        AND ((d.state <> 'taken' AND d.state <> 'skipped' AND d.state <> 'refused')
          OR a.recorded IS NULL OR a.recorded >= $4)))
    LIMIT $5
    """)

  /// Returns the stored doses up to the limit of each part.
  private static func limited(
    of patient: PatientSnapshot, _ limits: TodayLimits, in span: TodaySpan
  ) throws(StorageError) -> Stored {
    let now = patient.now
    let rows = try patient.reader.query(
      limitedStatement,
      [
        SQLValue(span.start), SQLValue(span.end), SQLValue(now), .text(patient.patient),
        SQLValue(span.from), SQLValue(span.until), SQLValue(limits.others),
        .text(limits.full?.rawValue ?? ""), SQLValue(limits.now), .integer(TodayDoses.mostNext),
      ])
    var doses: [Dose] = []
    doses.reserveCapacity(rows.count)
    var unread: [TodayPart: Int] = [:]
    var progress = TodayProgress()
    for row in rows {
      doses.append(try Dose(row.read(DoseRow.self), patient: patient.patient, now: now))
      let place = row.read(TodayPlaceRow.self, after: DoseRow.self)
      guard let part = TodayPart(rawValue: try place.text(.part)) else { continue }
      let total = Int(clamping: try place.integer(.total))
      unread[part] = (unread[part] ?? total) - 1
      progress.taken = Int(clamping: try place.integer(.taken))
      progress.planned = Int(clamping: try place.integer(.planned))
    }
    return (doses, unread, progress)
  }

  private static let limitedStatement = SQLStatement(
    """
    SELECT \(DoseRow.columns), \(TodayPlaceRow.columns)
    FROM (
      SELECT s.patient, s.plan, s.era, s.occurrence, s.part, s.moment,
        COUNT(*) OVER (PARTITION BY s.part) AS total,
        COUNT(CASE WHEN s.due >= $1 AND s.part <> 'tomorrow' AND s.state = 'taken' THEN 1 END)
          OVER () AS taken,
        COUNT(CASE WHEN s.due >= $1 AND s.part <> 'tomorrow' THEN 1 END) OVER () AS planned,
        MIN(CASE WHEN s.state IN ('open', 'withheld') THEN s.moment END)
          OVER (PARTITION BY s.part) AS soonest,
        CASE WHEN s.part IN ('done', 'missed')
          THEN ROW_NUMBER() OVER (PARTITION BY s.part
            ORDER BY s.moment DESC, s.due DESC, s.plan DESC, s.era DESC, s.occurrence DESC)
          ELSE ROW_NUMBER() OVER (PARTITION BY s.part
            ORDER BY s.moment, s.due, s.plan, s.era, s.occurrence) END AS place
      FROM (
        SELECT c.patient, c.plan, c.era, c.occurrence, c.due, c.state,
          CASE WHEN c.due >= $2 THEN 'tomorrow'
            WHEN c.state IN ('taken', 'skipped', 'refused') THEN 'done'
            WHEN c.due > $3 OR (c.state = 'open' AND c.later_until > $3) THEN 'later'
            WHEN c.late_until > $3 THEN 'now'
            ELSE 'missed' END AS part,
          CASE WHEN c.due < $2 AND c.state = 'open' AND c.later_until > $3 THEN c.later_until
            ELSE c.due END AS moment
        FROM doses c
        LEFT JOIN answers b ON b.patient = c.patient AND b.answer = c.answer
        WHERE c.patient = $4 AND c.due >= $5 AND c.due < $6 AND c.state <> 'cancelled'
          AND (c.due >= $1 OR (c.late_until > $1
            AND (c.state NOT IN ('taken', 'skipped', 'refused') OR b.recorded IS NULL
              OR b.recorded >= $1)))
      ) s
    ) x
    JOIN doses d ON d.patient = x.patient AND d.plan = x.plan AND d.era = x.era
      AND d.occurrence = x.occurrence
    JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
    LEFT JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
    WHERE x.place <= $7 OR x.part = $8 OR (x.part = 'now' AND x.place <= $9)
      OR (x.part IN ('later', 'tomorrow') AND x.moment = x.soonest AND x.place <= $10)
    """)
}

/// The times between which Today's doses are due, and the local day.
private struct TodaySpan {
  /// The earliest due time of a dose of the day before.
  let from: Timestamp
  /// The start of the local day.
  let start: Timestamp
  /// The end of the local day.
  let end: Timestamp
  /// The end of the time for which doses of the next day are listed.
  let until: Timestamp
}

/// The part of Today that a dose belongs to, with the number of doses of that part and of the day.
enum TodayPlaceRow: SQLRowType {
  enum Column: Int, SQLColumn { case part, total, taken, planned }

  static let columns = SQLColumns<Column>(of: "x")
}
