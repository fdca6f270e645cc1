// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import People
import Plans
import Reminders
import Scheduling
import Storage
import TimeZones

/// The reason why a nudge was not sent.
package enum NudgeError: Error, Sendable, Hashable {
  /// The account may not know of the patient's doses, or the patient does not want nudges from it.
  case notAllowed
  /// No dose is open.
  case nothingOpen
  /// The patient has already received the maximum number of nudges for the day.
  case tooMany(maximum: Int)
}

/// Nudges with which relatives and practitioners remind a patient of an open dose.
package enum Nudges {
  /// The maximum number of nudges to a patient in one of their days, from all senders together.
  package static let mostADay = 2

  /// Reminds the patient of the open dose that has waited longest.
  ///
  /// Only doses that became due in the last 13 hours and are not yet missed are considered.
  ///
  /// - Throws: ``NudgeError`` if no nudge was sent.
  package static func send(
    to patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    let account = context.actor.accountID
    guard let right = context.actor.rights[patient], right.shares(.adherence),
      right.relationship != .self_, right.relationship != .emergency,
      try isWanted(from: account, by: patient, in: writer)
    else { throw NudgeError.notAllowed }
    let now = context.now
    let dose = try writer.first(
      openDoseStatement,
      [.text(patient), SQLValue(now.adding(milliseconds: -13 * 3_600_000)), SQLValue(now)]
    )?.read(NudgedDoseRow.self)
    guard let dose else { throw NudgeError.nothingOpen }
    let zone = try PeopleQueries.zone(patient, zones: context.zones, in: writer)
    let day = zone.date(at: Instant(now)).text
    let sent = try writer.first(
      "SELECT COUNT(*) FROM nudges WHERE patient = $1 AND day = $2", [.text(patient), .text(day)]
    )?.value(as: Int.self)
    let count = sent ?? 0
    guard count < mostADay else { throw NudgeError.tooMany(maximum: mostADay) }
    let subject: ReminderID = context.newID()
    // The key keeps two simultaneous nudges from exceeding the daily limit.
    let added = try writer.execute(
      """
      INSERT INTO nudges (patient, day, number, account, by_name, plan, era, occurrence, subject, at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      ON CONFLICT (patient, day, number) DO NOTHING
      """,
      [
        .text(patient), .text(day), SQLValue(count + 1), .text(account), .text(context.byName),
        dose[.plan], dose[.era], dose[.occurrence], .text(subject), SQLValue(now),
      ])
    guard added == 1 else { throw NudgeError.tooMany(maximum: mostADay) }
    try ReminderStore.insert(
      ReminderRow(
        patient: patient, subject: subject, kind: .nudge, starts: now, due: now,
        ends: try dose.timestamp(.lateUntil), opened: now), in: writer)
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .create, patient: patient, resource: "Nudge",
        resourceID: subject.text, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  private static let openDoseStatement = SQLStatement(
    """
    SELECT \(NudgedDoseRow.columns) FROM doses
    WHERE patient = $1 AND due > $2 AND due <= $3 AND late_until > $3 AND state = 'open'
    ORDER BY due, plan, occurrence LIMIT 1
    """)

  /// Removes an account's name from the nudges it sent.
  package static func removeName(
    of account: AccountID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("UPDATE nudges SET by_name = '' WHERE account = $1", [.text(account)])
  }

  /// Returns true if a person allows nudges from an account that agreed to receive messages.
  static func isWanted(from account: AccountID, by patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Bool
  {
    try reader.first(
      """
      SELECT 1 FROM message_recipients
      WHERE patient = $1 AND account = $2 AND may_nudge = 1 AND agreed IS NOT NULL
      """, [.text(patient), .text(account)]) != nil
  }

  /// Returns the senders and times of a patient's nudges since a time, the latest first, at most
  /// 10.
  package static func lately(
    to patient: PatientID, since: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [(name: String, at: Timestamp)] {
    try reader.query(latelyStatement, [.text(patient), SQLValue(since)])
      .map { row throws(StorageError) in
        let nudge = row.read(NudgeRow.self)
        return (name: try nudge.text(.byName), at: try nudge.timestamp(.at))
      }
  }

  private static let latelyStatement = SQLStatement(
    """
    SELECT \(NudgeRow.columns) FROM nudges
    WHERE patient = $1 AND at >= $2 ORDER BY at DESC LIMIT 10
    """)
}

enum NudgedDoseRow: SQLRowType {
  enum Column: Int, SQLColumn { case plan, era, occurrence, lateUntil }

  static let columns = SQLColumns<Column>()
}

enum NudgeRow: SQLRowType {
  enum Column: Int, SQLColumn { case byName, at }

  static let columns = SQLColumns<Column>()
}
