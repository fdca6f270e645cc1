// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring
import Identifiers
import Scheduling
import Storage

/// The table `heart_rate_warnings`: questions asked because of the heart rate, with their answers.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
package enum WarningStore {
  /// Adds a warning; returns false if any node has added one of its kind for that day.
  static func add(_ warning: Warning, in writer: any SQLWriter) throws(StorageError) -> Bool {
    try writer.execute(insertStatement, WarningRow(warning).values) == 1
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO heart_rate_warnings (\(WarningRow.columns)) VALUES (\(WarningRow.placeholders))
    ON CONFLICT (patient, kind, day) DO NOTHING
    """)

  /// Stores an answer, unless the warning already has one.
  static func answer(
    _ answer: Warning.Answer, to id: WarningID, patient: PatientID, by name: String,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE heart_rate_warnings SET answer = $1, answered = $2, answered_by = $3
      WHERE patient = $4 AND warning = $5 AND answer IS NULL
      """,
      [.text(answer.rawValue), SQLValue(now), .text(name), .text(patient), .text(id)])
  }

  /// Stores the outcome of the answer.
  static func settle(
    _ id: WarningID, patient: PatientID, as done: Warning.Done, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE heart_rate_warnings SET done = $1, done_at = $2 WHERE patient = $3 AND warning = $4",
      [.text(done.rawValue), SQLValue(now), .text(patient), .text(id)])
  }

  // MARK: Reading

  static func one(_ id: WarningID, in reader: any SQLReader) throws(StorageError) -> Warning? {
    try reader.first(oneStatement, [.text(id)])?.decode(as: WarningRow.self).warning
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(WarningRow.columns) FROM heart_rate_warnings WHERE warning = $1")

  /// Returns at most `limit` warnings of a patient from a day on, the latest first.
  package static func all(
    _ patient: PatientID, from: CivilDate, limit: Int, in reader: any SQLReader
  )
    throws(StorageError) -> [Warning]
  {
    try reader.query(
      allStatement, [.text(patient), .text(from.text), SQLValue(limit)]
    ).decode(as: WarningRow.self).map(\.warning)
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(WarningRow.columns) FROM heart_rate_warnings
    WHERE patient = $1 AND day >= $2 ORDER BY created DESC, warning LIMIT $3
    """)

  /// Returns the warnings that were created, answered or settled since an instant, the earliest first.
  static func changed(
    _ patient: PatientID, after: Timestamp, limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [Warning] {
    try reader.query(
      changedStatement, [.text(patient), SQLValue(after), SQLValue(limit)]
    ).decode(as: WarningRow.self).map(\.warning)
  }

  private static let changedStatement = SQLStatement(
    """
    SELECT \(WarningRow.columns) FROM heart_rate_warnings
    WHERE patient = $1 AND (created > $2 OR answered > $2 OR done_at > $2)
    ORDER BY created, warning LIMIT $3
    """)

  /// Returns the answers about the heart rate by day; ``HeartAnswer/none`` for anything but yes and no.
  static func answers(_ patient: PatientID, from: CivilDate, in reader: any SQLReader)
    throws(StorageError) -> [Int: HeartAnswer]
  {
    var found: [Int: HeartAnswer] = [:]
    for row in try reader.query(answersStatement, [.text(patient), .text(from.text)]) {
      let row = try row.decode(as: WarningAnswerRow.self)
      guard let day = row.day else { continue }
      found[day.daysSinceEpoch] =
        switch row.answer {
        case .yes: .taken
        case .no: .missed
        case .unwell, .closed, nil: HeartAnswer.none
        }
    }
    return found
  }

  private static let answersStatement = SQLStatement(
    """
    SELECT \(WarningAnswerRow.columns) FROM heart_rate_warnings
    WHERE patient = $1 AND kind = 'heart' AND day >= $2
    """)
}
