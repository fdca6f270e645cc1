// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Plans
import Scheduling
import Storage

/// Queries about heart rate monitoring; the caller has checked that the data may be read.
package enum HeartRateQueries {
  /// Returns the settings of a patient; the defaults, with monitoring off, if none were saved.
  package static func settings(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> HeartRateSettings
  {
    try HeartRateRows.settings(patient, in: reader)
  }

  /// Returns a warning of any patient; nil if there is none with this identifier.
  package static func warning(_ id: WarningID, in reader: any SQLReader) throws(StorageError)
    -> Warning?
  {
    try WarningStore.one(id, in: reader)
  }

  /// Returns at most `limit` warnings of a patient from a day on, the latest first.
  package static func warnings(
    of patient: PatientID, from: CivilDate, limit: Int = 400, in reader: any SQLReader
  ) throws(StorageError) -> [Warning] {
    try WarningStore.all(patient, from: from, limit: limit, in: reader)
  }

  /// Returns the latest unanswered heart rate warning from a day on; nil if there is none.
  ///
  /// Only the latest ten warnings are considered. Warnings that a watch is not worn are left out.
  package static func open(of patient: PatientID, on day: CivilDate, in reader: any SQLReader)
    throws(StorageError) -> Warning?
  {
    try WarningStore.all(patient, from: day, limit: 10, in: reader)
      .first { $0.answer == nil && $0.kind == .heart }
  }

  /// Returns at most `limit` warnings that were created, answered or settled after an instant, the
  /// earliest first.
  package static func changed(
    after: Timestamp, patient: PatientID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [Warning] {
    try WarningStore.changed(patient, after: after, limit: limit, in: reader)
  }

  /// Returns the person's own wordings of warnings, in the order in which they were added.
  package static func words(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [(id: WordingID, words: String)]
  {
    try reader.query(wordsStatement, [.text(patient)]).decode(as: HeartRateMessageRow.self)
      .map { ($0.message, $0.words) }
  }

  private static let wordsStatement = SQLStatement(
    """
    SELECT \(HeartRateMessageRow.columns) FROM heart_rate_messages
    WHERE patient = $1 ORDER BY created, message
    """)

  /// Returns the doses of monitored plans that were due in the last 24 hours and are due, postponed or
  /// missed, the earliest first.
  ///
  /// Doses of plans that are no longer monitored count if they were due while the plan still was.
  package static func openDoses(
    of patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    let settings = try HeartRateRows.settings(patient, in: reader)
    let plans = try MonitoredPlans.load(settings, of: patient, in: reader)
    guard !plans.ids.isEmpty || !plans.formerly.isEmpty else { return [] }
    return try DoseStore.between(
      now.adding(milliseconds: -lookBack), now.adding(milliseconds: 1), patient: patient,
      most: DoseListing.most, now: now, in: reader
    ).filter { dose in
      plans.looksAt(dose.plan, due: dose.due)
        && (dose.state == .due || dose.state == .later || dose.state == .missed)
    }
  }

  /// The age up to which doses count, in milliseconds: an older one is history, not an open question.
  private static let lookBack: Int64 = 24 * 3_600_000
}

/// A person's own words for a warning.
struct HeartRateMessageRow: SQLReadableRow {
  enum Column: Int, SQLColumn { case message, words }

  static let columns = SQLColumns<Column>()

  let message: WordingID
  let words: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    message = try row.id(.message)
    words = try row.text(.words)
  }
}
