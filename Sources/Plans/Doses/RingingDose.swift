// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// The key of a dose's row, kept as the text that it is stored as.
package struct DoseKey: Sendable, Hashable {
  package let patient: PatientID
  package let plan: PlanID
  package let era: Int64
  package let occurrence: String

  package init(patient: PatientID, plan: PlanID, era: Int64, occurrence: String) {
    self.patient = patient
    self.plan = plan
    self.era = era
    self.occurrence = occurrence
  }

  /// The dose's identity in the form used in addresses and payloads.
  package var text: String { "\(plan)_\(era)_\(occurrence)" }

  package var dose: DoseID? {
    OccurrenceID(text: occurrence).map { DoseID(plan: plan, era: era, occurrence: $0) }
  }

  package var arguments: [SQLValue] {
    [.text(patient), .text(plan), .integer(era), .text(occurrence)]
  }
}

/// A dose as the reminders see it.
package struct RingingDose: Sendable, Hashable {
  package let key: DoseKey
  package let due: Timestamp
  package let lateUntil: Timestamp
  package let laterUntil: Timestamp?
  package let state: DoseState.Stored
  /// Whether the plan still makes doses.
  package let isPlanActive: Bool
  /// In a subject the time to ring with which it was taken in, nil once it has left the group;
  /// without one when it was opened again.
  package let ringsAt: Timestamp?
  /// Whether its rungs go on in quiet hours.
  package var isCritical = false

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

  /// When it is to ring: put off, or due.
  package var ring: Timestamp { laterUntil ?? due }

  /// For a dose that no subject holds: whether weekends or a holiday held it back until the choice changed
  /// (``ReminderWake/held(of:at:in:)``), so that it is no news from an outage.
  package var wasHeld: Bool { ringsAt == due }

  package var isAnswered: Bool { state == .taken || state == .skipped || state == .refused }

  /// Whether it may be rung for at an instant.
  package func mayRing(at now: Timestamp) -> Bool {
    state == .open && isPlanActive && now < lateUntil
  }

  /// In the order in which payloads name doses: by due time, then by identity.
  package static func inOrder(_ one: RingingDose, _ other: RingingDose) -> Bool {
    one.due == other.due ? one.key.text < other.key.text : one.due < other.due
  }
}

package enum RingingDoses {
  /// Stands in `doses.reminder` for a dose that will never ring.
  package static let never = ""

  /// The doses of some subjects, by subject.
  package static func of(_ subjects: [String], in reader: any SQLReader) throws(StorageError)
    -> [String: [RingingDose]]
  {
    let rows = try reader.query(
      """
      SELECT \(RingingDose.columns) FROM \(RingingDose.tables)
      WHERE d.reminder IN (
      """, [], in: subjects.map { .text($0) })
    var found: [String: [RingingDose]] = [:]
    found.reserveCapacity(subjects.count)
    for row in rows {
      let row = row.read(RingingDose.self)
      found[try row.text(.reminder), default: []].append(try RingingDose(row))
    }
    return found
  }

  /// The patients with doses whose time to ring has come and that no subject holds, each with the
  /// earliest due time among the first `limit` such doses.
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

  /// The open doses of some patients that no subject holds, due from one instant and with their
  /// time to ring up to another, by patient.
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
  package enum Column: Int, SQLColumn {
    case patient, plan, era, occurrence, due, lateUntil, laterUntil, state, status
    case unplannedReason, ringsAt, isCritical, isSilent, reminder
  }

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
    // A medicine that was silenced rings as little as one that was stopped.
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
  package static let distantFuture = Timestamp(milliseconds: .max)
}
