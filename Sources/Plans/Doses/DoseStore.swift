// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The table `doses`: reads whole doses here, and writes it for the planner, answers and reminders in
/// the files next to this one.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change the table.
package enum DoseStore {
  /// The maximum number of doses that one query may return: over a year of twenty medicines with a
  /// dozen doses a day each.
  package static let most = 100_000

  /// Returns a dose with its state at `now`; nil if it has no row.
  package static func one(
    _ id: DoseID, patient: PatientID, now: Timestamp, in reader: any SQLReader
  )
    throws(StorageError) -> Dose?
  {
    let row = try reader.first(
      oneStatement,
      [.text(patient), .text(id.plan), .integer(id.era), .text(id.occurrence.text)])
    guard let row else { return nil }
    return try Dose(row.read(DoseRow.self), patient: patient, now: now)
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(DoseRow.columns) FROM \(DoseRow.tables)
    WHERE d.patient = $1 AND d.plan = $2 AND d.era = $3 AND d.occurrence = $4
    """)

  /// Returns the doses due in [from, until), in no particular order.
  ///
  /// If there are more than `most`, any `most + 1` of them are returned.
  package static func between(
    _ from: Timestamp, _ until: Timestamp, patient: PatientID, most: Int, now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    try doses(
      reader.query(
        betweenStatement,
        [
          .text(patient), .integer(from.milliseconds), .integer(until.milliseconds),
          .integer(Int64(most) + 1),
        ]), patient: patient, now: now)
  }

  private static let betweenStatement = SQLStatement(
    """
    SELECT \(DoseRow.columns) FROM \(DoseRow.tables)
    WHERE d.patient = $1 AND d.due >= $2 AND d.due < $3
    LIMIT $4
    """)

  /// Returns the doses that a reminder holds.
  package static func of(
    subject: ReminderID, patient: PatientID, now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Dose] {
    try doses(
      reader.query(ofSubjectStatement, [.text(subject), .text(patient)]), patient: patient,
      now: now)
  }

  private static let ofSubjectStatement = SQLStatement(
    """
    SELECT \(DoseRow.columns) FROM \(DoseRow.tables)
    WHERE d.reminder = $1 AND d.patient = $2
    """)

  private static func doses(
    _ rows: [SQLRow], patient: PatientID, now: Timestamp
  ) throws(StorageError) -> [Dose] {
    var doses: [Dose] = []
    doses.reserveCapacity(rows.count)
    for row in rows {
      doses.append(try Dose(row.read(DoseRow.self), patient: patient, now: now))
    }
    return doses
  }
}
