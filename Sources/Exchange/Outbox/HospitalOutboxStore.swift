// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// A row of `hospital_outbox` as it is queued; an existing one gets a newer version only, so that two nodes
/// that queue the same answer send it once.
struct QueuedAnswerRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, connection, administration, version, state, nextTry, attempt, tries, changed
  }

  static let columns = SQLColumns<Column>()

  let answer: NewAnswerRow
  let state: HospitalOutbox.State
  let now: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(answer.patient)
    case .connection: .text(answer.connection)
    case .administration: .text(answer.administration)
    case .version: .integer(answer.version)
    case .state: .text(state.rawValue)
    case .nextTry: SQLValue(now)
    case .attempt: .integer(0)
    case .tries: .integer(0)
    case .changed: SQLValue(now)
    }
  }
}

/// The table `hospital_outbox`: every statement that changes it.
///
/// `Scripts/check-tables.py` rejects such statements elsewhere.
enum HospitalOutboxStore {
  static func queue(_ row: QueuedAnswerRow, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(queueStatement, row.values)
  }

  private static let queueStatement = SQLStatement(
    """
    INSERT INTO hospital_outbox (\(QueuedAnswerRow.columns))
    VALUES (\(QueuedAnswerRow.placeholders))
    ON CONFLICT (patient, connection, administration) DO UPDATE
    SET version = excluded.version, state = excluded.state, changed = excluded.changed,
      next_try = CASE WHEN hospital_outbox.state = 'waiting'
        AND hospital_outbox.next_try > excluded.next_try
        THEN hospital_outbox.next_try ELSE excluded.next_try END
    WHERE hospital_outbox.version < excluded.version
    """)

  /// Releases the leases that the only process of the database held when it died.
  static func reclaim(at now: Timestamp, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      "UPDATE hospital_outbox SET next_try = $1 WHERE state = 'waiting' AND next_try > $1",
      [SQLValue(now)])
  }

  // MARK: One connection

  static func deleteAll(
    of connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM hospital_outbox WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
  }

  /// Marks the waiting answers as not to be sent.
  static func dropWaiting(
    _ connection: ConnectionID, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_outbox SET state = 'none', changed = $1
      WHERE patient = $2 AND connection = $3 AND state = 'waiting'
      """, [SQLValue(now), .text(patient), .text(connection)])
  }

  /// Makes the rejected answers due again.
  static func retryRefused(
    _ connection: ConnectionID, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_outbox SET state = 'waiting', tries = 1, next_try = $1, changed = $1
      WHERE patient = $2 AND connection = $3 AND state = 'refused'
      """, [SQLValue(now), .text(patient), .text(connection)])
  }

  // MARK: One answer

  /// Leases an answer to the attempt that sends it.
  static func lease(
    _ row: OutboxClaimRow, until lease: Timestamp, attempt: Int64, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_outbox SET attempt = $1, next_try = $2, tries = tries + 1
      WHERE patient = $3 AND connection = $4 AND administration = $5
      """,
      [
        .integer(attempt), SQLValue(lease), .text(row.patient), .text(row.connection),
        .text(row.administration),
      ])
  }

  /// Marks an answer as not to be sent.
  static func drop(
    _ row: OutboxClaimRow, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_outbox SET state = 'none', changed = $1
      WHERE patient = $2 AND connection = $3 AND administration = $4
      """, [SQLValue(now), .text(row.patient), .text(row.connection), .text(row.administration)])
  }

  /// Records that a version has reached the hospital; returns false if another attempt has taken over.
  ///
  /// A correction made meanwhile still waits.
  static func reach(
    _ claim: ClaimedAdministration, remoteID: String, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let count = try writer.execute(
      """
      UPDATE hospital_outbox SET remote_id = $1, reached = $2, trouble = NULL, words = NULL,
        tries = 0, changed = $2, next_try = $2,
        state = CASE WHEN version > $3 THEN 'waiting' ELSE 'reached' END
      WHERE patient = $4 AND connection = $5 AND administration = $6 AND attempt = $7
      """, [.text(remoteID), SQLValue(now), .integer(claim.version)] + key(of: claim))
    return count > 0
  }

  /// Sets the id that the hospital gave an answer, whichever attempt sends it now.
  static func setRemoteID(
    _ remoteID: String, of claim: ClaimedAdministration, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_outbox SET remote_id = $1
      WHERE patient = $2 AND connection = $3 AND administration = $4
      """,
      [
        .text(remoteID), .text(claim.connection.patient), .text(claim.connection.id),
        .text(claim.form.id),
      ])
  }

  /// Makes an answer due at once, unless another attempt has taken over.
  static func release(
    _ claim: ClaimedAdministration, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_outbox SET next_try = $1
      WHERE patient = $2 AND connection = $3 AND administration = $4 AND attempt = $5
      """, [SQLValue(now)] + key(of: claim))
  }

  /// Records why an answer was not sent and when to retry, unless another attempt has taken over.
  static func fail(
    _ claim: ClaimedAdministration, as state: HospitalOutbox.State, _ trouble: HospitalTrouble,
    next: Timestamp, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    var words: String?
    if case .refused(_, let said) = trouble { words = said }
    try writer.execute(
      """
      UPDATE hospital_outbox SET state = $1, trouble = $2, words = $3, next_try = $4,
        changed = $5
      WHERE patient = $6 AND connection = $7 AND administration = $8 AND attempt = $9
      """,
      [
        .text(state.rawValue), .text(trouble.code), SQLValue(words), SQLValue(next),
        SQLValue(now),
      ] + key(of: claim))
  }

  private static func key(of claim: ClaimedAdministration) -> [SQLValue] {
    [
      .text(claim.connection.patient), .text(claim.connection.id), .text(claim.form.id),
      .integer(claim.attempt),
    ]
  }
}
