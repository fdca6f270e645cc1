// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Statistics
import Storage

/// The doses of a patient in the last 30 days, limited to what the adherence columns show.
///
/// A day is a span of 24 hours that ends at the time of the request, so that patients of several
/// time zones are counted alike.
package struct CareAdherence: Sendable, Hashable {
  /// The number of days.
  package static let length = 30

  /// The counts of one day.
  package struct Day: Sendable, Hashable {
    /// The number of doses taken, on time or late.
    package let taken: Int
    /// The number of doses that could be taken and whose outcome is known.
    package let planned: Int

    /// Creates the counts of a day.
    package init(taken: Int, planned: Int) {
      self.taken = taken
      self.planned = planned
    }
  }

  /// The days, the earliest first.
  package private(set) var days = [Day](repeating: Day(taken: 0, planned: 0), count: Self.length)

  /// Creates thirty days without doses.
  package init() {}

  /// Sets the counts of a day; 0 is the day that ends now, and a number out of range is ignored.
  package mutating func set(_ day: Day, daysAgo: Int) {
    guard (0..<Self.length).contains(daysAgo) else { return }
    days[Self.length - 1 - daysAgo] = day
  }

  /// Returns the sum of the last days.
  package func total(days count: Int) -> Day {
    days.suffix(count).reduce(Day(taken: 0, planned: 0)) { sum, day in
      Day(taken: sum.taken + day.taken, planned: sum.planned + day.planned)
    }
  }

  /// Returns the share of planned doses taken in the last days, in whole percent; nil without
  /// planned doses.
  package func percent(days count: Int) -> Int? { total(days: count).percent }
}

extension CareAdherence.Day {
  /// The share of planned doses taken, in whole percent; nil without planned doses.
  package var percent: Int? {
    DoseCounts([.taken: taken, .missed: planned - taken]).percentTaken
  }
}

/// The columns of a practitioner's table of patients, read for many patients at once.
///
/// Each function takes one statement for up to 512 patients. The caller names only patients who
/// share what is read.
package enum CareDesk {
  /// The length of a day in milliseconds.
  private static let day: Int64 = 24 * 3_600_000

  /// Returns the adherence of the last 30 days by patient; a patient without doses has no entry.
  package static func adherence(
    of patients: [PatientID], at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: CareAdherence] {
    guard !patients.isEmpty else { return [:] }
    let rows = try reader.query(
      """
      SELECT \(CareDayRow.columns) FROM (
        SELECT d.patient AS patient, ($1 - d.due) / 86400000 AS days_ago,
          COUNT(*) FILTER (WHERE d.state = 'taken') AS taken,
          COUNT(*) FILTER (WHERE d.state IN ('taken', 'skipped', 'refused')
            OR (d.state = 'open' AND d.late_until <= $2
              AND (d.later_until IS NULL OR d.later_until <= $2))) AS planned
        FROM doses d WHERE d.due <= $1 AND d.due >= $3 AND d.patient IN (
      """,
      [
        // The last millisecond of the day that ends now.
        SQLValue(now.adding(milliseconds: -1)), SQLValue(now),
        SQLValue(now.adding(milliseconds: -Int64(CareAdherence.length) * day)),
      ],
      in: patients.map { .text($0) }, " GROUP BY d.patient, days_ago) AS days")
    var found: [PatientID: CareAdherence] = [:]
    for row in rows {
      let row = try row.decode(as: CareDayRow.self)
      found[row.patient, default: CareAdherence()].set(row.counts, daysAgo: row.daysAgo)
    }
    return found
  }

  /// Returns the time of the latest recorded dose of each patient: taken, skipped or refused, or
  /// taken without a plan.
  ///
  /// Doses of the last 30 days count; a patient without any has no entry.
  package static func lastSeen(
    of patients: [PatientID], at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: Timestamp] {
    guard !patients.isEmpty else { return [:] }
    let since = SQLValue(now.adding(milliseconds: -Int64(CareAdherence.length) * day))
    let list = patients.map { SQLValue.text($0) }
    // A dose may be answered before it is due.
    let doses = try reader.query(
      """
      SELECT \(CareSeenRow.columns) FROM (
        SELECT d.patient AS patient, MAX(d.answered_at) AS seen
        FROM doses d
        WHERE d.due >= $1 AND d.due < $2 AND d.answered_at IS NOT NULL AND d.patient IN (
      """, [since, SQLValue(now.adding(milliseconds: 2 * day))], in: list,
      " GROUP BY d.patient) AS latest")
    let intakes = try reader.query(
      """
      SELECT \(CareSeenRow.columns) FROM (
        SELECT i.patient AS patient, MAX(i.taken) AS seen
        FROM intakes i
        WHERE i.occurrence IS NULL AND i.taken >= $1 AND i.patient IN (
      """, [since], in: list, " GROUP BY i.patient) AS latest")
    var found: [PatientID: Timestamp] = [:]
    for row in doses + intakes {
      let row = try row.decode(as: CareSeenRow.self)
      found[row.patient] = max(found[row.patient] ?? row.seen, row.seen)
    }
    return found
  }
}

/// The counts of one patient's doses on one day.
struct CareDayRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, daysAgo, taken, planned }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let daysAgo: Int
  let counts: CareAdherence.Day

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    daysAgo = Int(clamping: try row.integer(.daysAgo))
    counts = CareAdherence.Day(
      taken: Int(clamping: try row.integer(.taken)),
      planned: Int(clamping: try row.integer(.planned)))
  }
}

/// The time of a patient's latest recorded dose.
struct CareSeenRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case patient, seen }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let seen: Timestamp

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    seen = try row.timestamp(.seen)
  }
}
