// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The key of a dose's row, kept as the text that it is stored as.
package struct DoseKey: Sendable, Hashable {
  /// The person who takes the dose.
  package let patient: PatientID
  /// The plan of the dose.
  package let plan: PlanID
  /// The era of the plan, counted from 1.
  package let era: Int64
  /// The occurrence in the form that it is stored in.
  package let occurrence: String

  /// Creates a key.
  package init(patient: PatientID, plan: PlanID, era: Int64, occurrence: String) {
    self.patient = patient
    self.plan = plan
    self.era = era
    self.occurrence = occurrence
  }

  /// The dose's identity in the form used in addresses and payloads.
  package var text: String { "\(plan)_\(era)_\(occurrence)" }

  /// The identity of the dose; nil if this program does not know the form of the occurrence.
  package var dose: DoseID? {
    OccurrenceID(text: occurrence).map { DoseID(plan: plan, era: era, occurrence: $0) }
  }

  /// The arguments of a statement for `patient`, `plan`, `era` and `occurrence`, in this order.
  package var arguments: [SQLValue] {
    [.text(patient), .text(plan), .integer(era), .text(occurrence)]
  }
}

/// A dose as reminders read it.
package struct RingingDose: Sendable, Hashable {
  /// The key of its row.
  package let key: DoseKey
  /// The time at which the dose is due.
  package let due: Timestamp
  /// The end of the late window, from which it no longer rings.
  package let lateUntil: Timestamp
  /// The time until which the person put the dose off; nil if they did not.
  package let laterUntil: Timestamp?
  /// The state that is stored in the row.
  package let state: DoseState.Stored
  /// True if the plan is active, gives doses and was not silenced.
  package let isPlanActive: Bool
  /// The stored time to ring.
  ///
  /// In a subject it is the one with which the dose joined, nil once the dose has left the group.
  /// Without a subject it is the time at which the dose was opened again, or its due time if it
  /// ``wasHeld``; nil otherwise.
  package let ringsAt: Timestamp?
  /// True if its escalation steps continue in quiet hours.
  package var isCritical = false

  /// Creates a dose.
  package init(
    key: DoseKey, due: Timestamp, lateUntil: Timestamp, laterUntil: Timestamp?,
    state: DoseState.Stored, isPlanActive: Bool, ringsAt: Timestamp?, isCritical: Bool = false
  ) {
    self.key = key
    self.due = due
    self.lateUntil = lateUntil
    self.laterUntil = laterUntil
    self.state = state
    self.isPlanActive = isPlanActive
    self.ringsAt = ringsAt
    self.isCritical = isCritical
  }

  /// The time at which it rings: the end of a postponement, or the due time.
  package var ring: Timestamp { laterUntil ?? due }

  /// True if weekends or a holiday delayed the reminder until that choice changed; see
  /// ``ReminderWake/held(of:at:in:)``.
  ///
  /// Such a dose counts as new, not as missed in an outage. Only for a dose that is in no subject.
  package var wasHeld: Bool { ringsAt == due }

  /// True if the dose was taken, skipped or refused.
  package var isAnswered: Bool { state == .taken || state == .skipped || state == .refused }

  /// Returns true if the dose is open, its plan active and its late window not over at `now`.
  package func mayRing(at now: Timestamp) -> Bool {
    state == .open && isPlanActive && now < lateUntil
  }

  /// Returns true if one dose comes before another in payloads: by due time, then by identity.
  package static func inOrder(_ one: RingingDose, _ other: RingingDose) -> Bool {
    one.due == other.due ? one.key.text < other.key.text : one.due < other.due
  }
}

/// Queries for the doses that reminders handle.
package enum RingingDoses {
  /// The value of `doses.reminder` for a dose that will never ring.
  package static let never = ReminderID("")

  /// Returns the doses of subjects, by subject.
  package static func of(_ subjects: [ReminderID], in reader: any SQLReader) throws(StorageError)
    -> [ReminderID: [RingingDose]]
  {
    let rows = try reader.query(
      """
      SELECT \(RingingDose.columns) FROM \(RingingDose.tables)
      WHERE d.reminder IN (
      """, [], in: subjects.map { .text($0) })
    var found: [ReminderID: [RingingDose]] = [:]
    found.reserveCapacity(subjects.count)
    for row in rows {
      let row = row.read(RingingDose.self)
      found[try row.id(.reminder), default: []].append(try RingingDose(row))
    }
    return found
  }

  /// Returns the patients with open doses that are in no subject and whose time to ring has come.
  ///
  /// - Returns: for each patient the earliest due time among the first `limit` such doses.
  package static func waiting(_ now: Timestamp, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [PatientID: Timestamp]
  {
    let rows = try reader.query(waitingStatement, [SQLValue(now), SQLValue(limit)])
    var patients: [PatientID: Timestamp] = [:]
    patients.reserveCapacity(rows.count)
    for row in rows {
      let row = row.read(WaitingDoseRow.self)
      let patient: PatientID = try row.id(.patient)
      patients[patient] = min(try row.timestamp(.due), patients[patient] ?? .distantFuture)
    }
    return patients
  }

  private static let waitingStatement = SQLStatement(
    """
    SELECT \(WaitingDoseRow.columns) FROM doses
    WHERE state = 'open' AND reminder IS NULL AND COALESCE(later_until, due) <= $1
    ORDER BY COALESCE(later_until, due) LIMIT $2
      /*postgresql FOR UPDATE SKIP LOCKED */
    """)

  /// Returns the open doses of patients that are in no subject, by patient.
  ///
  /// - Parameters:
  ///   - start: the earliest due time.
  ///   - end: the latest due time and time to ring, inclusive.
  package static func open(
    of patients: [PatientID], dueFrom start: Timestamp, ringingUntil end: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> [PatientID: [RingingDose]] {
    let rows = try reader.query(
      """
      SELECT \(RingingDose.columns) FROM \(RingingDose.tables)
      WHERE d.due >= $1 AND d.due <= $2 AND d.state = 'open' AND d.reminder IS NULL
        AND COALESCE(d.later_until, d.due) <= $2 AND d.patient IN (
      """, [SQLValue(start), SQLValue(end)], in: patients.map { .text($0) })
    var found: [PatientID: [RingingDose]] = [:]
    found.reserveCapacity(patients.count)
    for row in rows {
      let dose = try RingingDose(row.read(RingingDose.self))
      found[dose.key.patient, default: []].append(dose)
    }
    return found
  }
}

extension RingingDose: SQLRowType {
  /// The columns that reminders need.
  package enum Column: Int, SQLColumn {
    case patient, plan, era, occurrence, due, lateUntil, laterUntil, state, status
    case unplannedReason, ringsAt, isCritical, isSilent, reminder
  }

  /// The columns of `doses d`, with those of the plan (`p`) and of its reminder settings (`n`).
  package static let columns = SQLColumns<Column>(
    of: "d",
    [
      .status: "p.status", .unplannedReason: "p.unplanned_reason",
      .isCritical: "n.is_critical", .isSilent: "n.is_silent",
    ])

  /// The tables that the columns come from.
  static let tables: SQLText = """
    doses d
    JOIN plans p ON p.patient = d.patient AND p.plan = d.plan
    LEFT JOIN plan_reminders n ON n.patient = d.patient AND n.plan = d.plan
    """

  fileprivate init(_ row: ColumnReader<Column>) throws(StorageError) {
    key = DoseKey(
      patient: try row.id(.patient), plan: try row.id(.plan), era: try row.integer(.era),
      occurrence: try row.text(.occurrence))
    due = try row.timestamp(.due)
    lateUntil = try row.timestamp(.lateUntil)
    laterUntil = try row.optionalTimestamp(.laterUntil)
    state = try row.named(.state)
    // A silenced medicine never rings, as if it were stopped.
    let isSilent = try (row.optionalInteger(.isSilent) ?? 0) != 0
    isPlanActive =
      try row.text(.status) == "active" && row[.unplannedReason] == .null && !isSilent
    ringsAt = try row.optionalTimestamp(.ringsAt)
    isCritical = try (row.optionalInteger(.isCritical) ?? 0) != 0
  }
}

/// A dose that no subject holds.
enum WaitingDoseRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, due
  }

  static let columns = SQLColumns<Column>()
}

extension Timestamp {
  /// The latest representable instant.
  package static let distantFuture = Timestamp(milliseconds: .max)
}
