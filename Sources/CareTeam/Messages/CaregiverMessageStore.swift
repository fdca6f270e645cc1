// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Scheduling
import Storage

/// The table `caregiver_messages`: planned and delivered messages.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum CaregiverMessageStore {
  /// Adds a message; returns false if there is already one of its topic, person and recipient on that day.
  static func add(
    _ new: NewCaregiverMessage, id: String, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let row = NewCaregiverMessageRow(patient: patient, id: id, new: new, now: now)
    return try writer.execute(insertStatement, row.values) == 1
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO caregiver_messages (\(NewCaregiverMessageRow.columns)) VALUES (\(NewCaregiverMessageRow.placeholders))
    ON CONFLICT (patient, account, topic, day) DO NOTHING
    """)

  static func tell(
    _ id: String, patient: PatientID, subject: ReminderID?, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE caregiver_messages SET state = 'told', told = $1, subject = $2, changed = $1
      WHERE patient = $3 AND notice = $4 AND state = 'planned'
      """, [SQLValue(now), SQLValue(subject), .text(patient), .text(id)])
  }

  static func end(
    _ id: String, _ state: CaregiverMessage.State, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE caregiver_messages SET state = $1, changed = $2
      WHERE patient = $3 AND notice = $4 AND state = 'planned'
      """, [.text(state.rawValue), SQLValue(now), .text(patient), .text(id)])
  }

  /// Adds to the count of a message, which becomes unread again.
  static func count(
    _ more: Int, in id: String, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE caregiver_messages SET more = $1, seen = NULL, changed = $2 WHERE patient = $3 AND notice = $4
      """, [SQLValue(more), SQLValue(now), .text(patient), .text(id)])
  }

  /// Withdraws the planned messages about a patient to an account.
  static func withdraw(
    from recipient: AccountID, about patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE caregiver_messages SET state = 'withdrawn', changed = $1
      WHERE patient = $2 AND account = $3 AND state = 'planned'
      """, [SQLValue(now), .text(patient), .text(recipient)])
  }

  /// Marks all delivered messages of an account as read.
  static func seeAll(of account: AccountID, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE caregiver_messages SET seen = $1, changed = $1
      WHERE account = $2 AND seen IS NULL AND told IS NOT NULL
      """, [SQLValue(now), .text(account)])
  }

  /// Records that the recipient takes care of a message, and stops the same messages planned for later
  /// recipients.
  static func acknowledge(_ notice: CaregiverMessage, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      """
      UPDATE caregiver_messages SET acknowledged = $1, seen = COALESCE(seen, $1), changed = $1
      WHERE patient = $2 AND notice = $3
      """, [SQLValue(now), .text(notice.patient), .text(notice.id)])
    try writer.execute(
      """
      UPDATE caregiver_messages SET state = 'stopped', changed = $1
      WHERE patient = $2 AND topic = $3 AND day = $4 AND way = 'now' AND state = 'planned'
      """,
      [
        SQLValue(now), .text(notice.patient), .text(notice.topic.rawValue), .text(notice.day.text),
      ])
  }

  /// Deletes messages that last changed long ago, and returns their number.
  static func deleteOld(
    before: Timestamp, limit: Int, in writer: any SQLWriter
  ) throws(StorageError) -> Int {
    try writer.execute(
      """
      DELETE FROM caregiver_messages WHERE notice IN (
        SELECT notice FROM caregiver_messages WHERE changed < $1 LIMIT $2)
      """, [SQLValue(before), SQLValue(limit)])
  }
}

/// A new row of `caregiver_messages`.
struct NewCaregiverMessageRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, notice, account, topic, day, fact, happened, more, detail, way, state, tellAt
    case changed
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let id: String
  let new: NewCaregiverMessage
  let now: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .notice: .text(id)
    case .account: .text(new.account)
    case .topic: .text(new.topic.rawValue)
    case .day: .text(new.day.text)
    case .fact: .text(new.fact.key)
    case .happened: SQLValue(new.fact.at)
    case .more: SQLValue(new.more)
    case .detail: .text(new.fact.detail.json.text)
    case .way: .text(new.way.rawValue)
    case .state: .text(CaregiverMessage.State.planned.rawValue)
    case .tellAt: SQLValue(new.tellAt)
    case .changed: SQLValue(now)
    }
  }
}
