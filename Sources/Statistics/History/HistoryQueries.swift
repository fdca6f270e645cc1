// SPDX-License-Identifier: Apache-2.0
import Dosing
import Identifiers
import Plans
import Scheduling
import Storage

/// Queries over past doses and intakes, line by line; the caller has checked that they may be shown.
package enum HistoryQueries {
  /// Returns the lines from one instant on and before another, oldest first.
  ///
  /// - Parameter most: The maximum number of lines, which are the latest; nil for all of them.
  package static func entries(
    _ filter: HistoryFilter, patient: PatientID, from: Timestamp, until: Timestamp,
    most: Int? = nil,
    now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [HistoryEntry] {
    var query = HistoryQuery(
      "SELECT \(DoseRow.columns) FROM \(DoseRow.tables)")
    filter.write(into: &query, patient: patient, from: from, until: until, now: now)
    if let most {
      // Lines of the same moment are ordered by their keys.
      query.append(
        " ORDER BY d.due DESC, d.plan DESC, d.era DESC, d.occurrence DESC LIMIT ", SQLValue(most))
    }
    var entries: [HistoryEntry] = []
    for row in try query.rows(in: reader) {
      entries.append(.dose(try Dose(row.read(DoseRow.self), patient: patient, now: now)))
    }
    let extras = try ExtraRecords.between(
      from, until, filter, most: most, patient: patient, in: reader)
    entries += extras.map(HistoryEntry.extra)
    entries.sort { $0.moment == $1.moment ? $0.key < $1.key : $0.moment < $1.moment }
    return most.map { Array(entries.suffix($0)) } ?? entries
  }

  /// Returns the counts of the doses due from one instant on and before another.
  package static func counts(
    _ filter: HistoryFilter, patient: PatientID, from: Timestamp, until: Timestamp, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> DoseCounts {
    var query = HistoryQuery(
      """
      SELECT COUNT(*) FILTER (WHERE d.state = 'taken' AND d.answered_at <= d.on_time_until),
        COUNT(*) FILTER (WHERE d.state = 'taken' AND d.answered_at > d.on_time_until),
        COUNT(*) FILTER (WHERE d.state = 'skipped'), COUNT(*) FILTER (WHERE d.state = 'refused'),
        COUNT(*) FILTER (WHERE d.state = 'open' AND d.late_until <= $1
          AND (d.later_until IS NULL OR d.later_until <= $1)),
        COUNT(*) FILTER (WHERE d.state = 'withheld' AND d.late_until <= $1)
      FROM doses d
      """, [SQLValue(now)])
    filter.write(into: &query, patient: patient, from: from, until: until, now: now)
    guard let row = try query.rows(in: reader).first else { return DoseCounts() }
    return try DoseCounts(row)
  }

  /// Returns an instant from which at least `count` lines lead up to another; nil if neither the
  /// doses nor one kind of extra line has that many.
  package static func moment(
    _ count: Int, before instant: Timestamp, _ filter: HistoryFilter, patient: PatientID,
    now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Timestamp? {
    let earliest = Timestamp(milliseconds: .min)
    var query = HistoryQuery("SELECT d.due FROM doses d")
    filter.write(into: &query, patient: patient, from: earliest, until: instant, now: now)
    query.append(" ORDER BY d.due DESC LIMIT 1 OFFSET ", SQLValue(count - 1))
    let dose: Timestamp? = try query.rows(in: reader).first?.value()
    let extra = try ExtraRecords.moment(
      count, before: instant, filter, patient: patient, in: reader)
    guard let dose, let extra else { return dose ?? extra }
    return max(dose, extra)
  }

  /// Returns the due time of the `count`th dose from one instant on and before another; nil if
  /// there are fewer.
  ///
  /// Lines without a dose do not count.
  package static func moment(
    _ count: Int, from instant: Timestamp, until: Timestamp, _ filter: HistoryFilter,
    patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> Timestamp? {
    var query = HistoryQuery("SELECT d.due FROM doses d")
    filter.write(into: &query, patient: patient, from: instant, until: until, now: now)
    query.append(" ORDER BY d.due LIMIT 1 OFFSET ", SQLValue(count - 1))
    return try query.rows(in: reader).first?.value()
  }

  /// True if there is no line from one instant on and before another.
  package static func isEmpty(
    _ filter: HistoryFilter, patient: PatientID, from: Timestamp, until: Timestamp, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    if try moment(
      1, from: from, until: until, filter, patient: patient, now: now, in: reader) != nil
    {
      return false
    }
    guard
      let last = try ExtraRecords.moment(1, before: until, filter, patient: patient, in: reader)
    else { return true }
    return last < from
  }

  /// Returns the identifiers of the administrations recorded for the lines from one instant on and
  /// before another, in the order of the lines.
  package static func administrations(
    _ filter: HistoryFilter, patient: PatientID, from: Timestamp, until: Timestamp, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> [AdministrationID] {
    var query = HistoryQuery(
      """
      SELECT \(LineAdministrationRow.columns) FROM doses d
      JOIN answers a ON a.patient = d.patient AND a.answer = d.answer
        AND a.administration IS NOT NULL AND a.action <> 'later'
      """)
    filter.write(into: &query, patient: patient, from: from, until: until, now: now)
    var found: [(moment: Timestamp, id: AdministrationID)] = []
    for row in try query.rows(in: reader) {
      let row = row.read(LineAdministrationRow.self)
      found.append((try row.timestamp(.due), try row.id(.administration)))
    }
    for extra in try ExtraRecords.between(from, until, filter, patient: patient, in: reader) {
      found.append((extra.at, extra.administration))
    }
    return found.sorted {
      $0.moment == $1.moment ? $0.id < $1.id : $0.moment < $1.moment
    }.map(\.id)
  }

  /// Returns every version of the answers to doses due from one instant on and before another, in
  /// the order in which they were recorded.
  ///
  /// Only doses with more than one version are included: the answer was changed or taken back.
  package static func corrections(
    plan: PlanID?, patient: PatientID, from: Timestamp, until: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [DoseID: [AnswerStoryEntry]] {
    var query = HistoryQuery(
      """
      SELECT \(CorrectionRow.columns) FROM doses d
      JOIN answers a ON a.patient = d.patient AND a.plan = d.plan AND a.era = d.era
        AND a.occurrence = d.occurrence
      WHERE a.dose_version IS NOT NULL AND a.action <> 'later'
      """)
    query.append(" AND d.patient = ", .text(patient))
    if let plan { query.append(" AND d.plan = ", .text(plan)) }
    query.append(" AND d.due >= ", SQLValue(from))
    query.append(" AND d.due < ", SQLValue(until))
    query.append(" ORDER BY a.dose_version")
    var stories: [DoseID: [AnswerStoryEntry]] = [:]
    for row in try query.rows(in: reader) {
      let said = row.read(CorrectionRow.self)
      guard let occurrence = OccurrenceID(text: try said.text(.occurrence)) else { continue }
      let dose = DoseID(
        plan: try said.id(.plan), era: try said.integer(.era), occurrence: occurrence)
      stories[dose, default: []].append(try AnswerQueries.entry(row))
    }
    return stories.filter { $0.value.count > 1 }
  }
}

/// The administration recorded for a line of the history.
enum LineAdministrationRow: SQLRowType {
  enum Column: Int, SQLColumn { case due, administration }

  static let columns = SQLColumns<Column>(of: "d", [.administration: "a.administration"])
}

/// An answer to a dose: the columns of a story's entry, then the dose.
enum CorrectionRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case action, at, recorded, byName, reason, amountValue, amountUnit, minutes
    case plan, era, occurrence
  }

  static let columns = SQLColumns<Column>(
    of: "a", [.plan: "d.plan", .era: "d.era", .occurrence: "d.occurrence"])
}
