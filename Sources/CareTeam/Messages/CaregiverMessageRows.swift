// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Scheduling
import Storage

/// Reads the rows of `caregiver_messages`.
enum CaregiverMessageRows {
  /// Returns a person's messages from a day on, and those still planned.
  static func of(_ patient: PatientID, from day: CivilDate, in reader: any SQLReader)
    throws(StorageError) -> [CaregiverMessage]
  {
    try read(reader.query(plannedStatement, [.text(patient), .text(day.text)]))
  }

  private static let plannedStatement = SQLStatement(
    """
    SELECT \(CaregiverMessageRow.columns) FROM caregiver_messages
    WHERE patient = $1 AND (day >= $2 OR state = 'planned')
    ORDER BY notice
    """)

  /// Returns the messages of an account, the latest first.
  static func told(to account: AccountID, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [CaregiverMessage]
  {
    try read(reader.query(toldToStatement, [.text(account), SQLValue(limit)]))
  }

  private static let toldToStatement = SQLStatement(
    """
    SELECT \(CaregiverMessageRow.columns) FROM caregiver_messages
    WHERE account = $1 AND told IS NOT NULL
    ORDER BY told DESC, notice LIMIT $2
    """)

  /// Returns the messages about a patient to all recipients, the latest first.
  static func told(about patient: PatientID, limit: Int, in reader: any SQLReader)
    throws(StorageError) -> [CaregiverMessage]
  {
    try read(reader.query(toldAboutStatement, [.text(patient), SQLValue(limit)]))
  }

  private static let toldAboutStatement = SQLStatement(
    """
    SELECT \(CaregiverMessageRow.columns) FROM caregiver_messages
    WHERE patient = $1 AND told IS NOT NULL
    ORDER BY told DESC, notice LIMIT $2
    """)

  static func one(_ id: String, account: AccountID, in reader: any SQLReader)
    throws(StorageError) -> CaregiverMessage?
  {
    try read(reader.query(oneStatement, [.text(id), .text(account)])).first
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(CaregiverMessageRow.columns) FROM caregiver_messages
    WHERE notice = $1 AND account = $2 AND told IS NOT NULL
    """)

  /// Returns a patient's messages that changed for an account since an instant.
  static func changed(
    after: Timestamp, patient: PatientID, account: AccountID, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [CaregiverMessage] {
    try read(
      reader.query(
        changedStatement, [.text(account), .text(patient), SQLValue(after), SQLValue(limit)]))
  }

  private static let changedStatement = SQLStatement(
    """
    SELECT \(CaregiverMessageRow.columns) FROM caregiver_messages
    WHERE account = $1 AND patient = $2 AND changed > $3 AND told IS NOT NULL
    ORDER BY changed, notice LIMIT $4
    """)

  private static func read(_ rows: [SQLRow]) throws(StorageError) -> [CaregiverMessage] {
    var found: [CaregiverMessage] = []
    for row in rows {
      guard let notice = try CaregiverMessage(row.read(CaregiverMessageRow.self)) else { continue }
      found.append(notice)
    }
    return found
  }
}

/// The columns of a ``CaregiverMessage``.
enum CaregiverMessageRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, notice, account, topic, day, happened, more, detail, way, state, tellAt, told
    case seen, acknowledged
  }

  static let columns = SQLColumns<Column>()
}

extension CaregiverMessage {
  /// Reads a message; nil for one from a newer program, which is left to that program.
  init?(_ row: ColumnReader<CaregiverMessageRow.Column>) throws(StorageError) {
    guard let topic = MessageTopic(rawValue: try row.text(.topic)),
      let day = CivilDate(text: try row.text(.day))
    else { return nil }
    self.init(
      patient: try row.id(.patient), id: try row.text(.notice), account: try row.id(.account),
      topic: topic, day: day, happened: try row.timestamp(.happened),
      more: Int(clamping: try row.integer(.more)),
      detail: CaregiverMessageDetail(text: try row.text(.detail)), way: try row.named(.way),
      state: try row.named(.state), tellAt: try row.timestamp(.tellAt),
      told: try row.optionalTimestamp(.told), seen: try row.optionalTimestamp(.seen),
      acknowledged: try row.optionalTimestamp(.acknowledged))
  }
}
