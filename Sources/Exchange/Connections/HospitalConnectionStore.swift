// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// The table `hospital_connections`: every statement of this module that changes it.
///
/// `Scripts/check-tables.py` rejects such statements elsewhere. Erasing an account, in a lower module,
/// revokes the connections that the account made.
enum HospitalConnectionStore {
  static func insert(
    _ connection: HospitalConnection, _ credentials: HospitalCredentials?, cipher: FieldCipher,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(insertStatement, NewHospitalConnectionRow(connection: connection).values)
    if let credentials {
      try keep(
        credentials, of: connection.id, patient: connection.patient, cipher: cipher, in: writer)
    }
  }

  private static let insertStatement = SQLStatement(
    """
    INSERT INTO hospital_connections (\(NewHospitalConnectionRow.columns))
    VALUES (\(NewHospitalConnectionRow.placeholders))
    """)

  /// Encrypts and stores the credentials of a connection.
  static func keep(
    _ credentials: HospitalCredentials, of connection: ConnectionID, patient: PatientID,
    cipher: FieldCipher, in writer: any SQLWriter
  ) throws(StorageError) {
    let sealed = try cipher.seal(
      credentials.text, context: HospitalCredentials.context(connection))
    try writer.execute(
      """
      UPDATE hospital_connections SET credentials_sealed = $1
      WHERE patient = $2 AND connection = $3
      """, [.blob(sealed), .text(patient), .text(connection)])
  }

  /// Ends the connections that an account made, and deletes their credentials.
  static func endAll(madeBy account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET credentials_sealed = NULL, state = 'revoked' WHERE account = $1
      """, [.text(account)])
  }

  static func delete(
    _ connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM hospital_connections WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
  }

  // MARK: Settings

  /// Sets the person in the hospital's records, and fetches at once.
  static func choose(
    _ person: HospitalPerson, for connection: ConnectionID, patient: PatientID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET person = $1, state = 'working', trouble = NULL, failures = 0,
        next_at = $2, forced = 1
      WHERE patient = $3 AND connection = $4
      """, [.text(person.json.text), SQLValue(now), .text(patient), .text(connection)])
  }

  /// Sets the server and person of the connection from now on, and fetches at once.
  static func accept(
    _ metadata: HospitalMetadata, _ person: HospitalPerson, of connection: ConnectionID,
    patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET identity = $1, person = $2, state = 'working',
        trouble = NULL, failures = 0, next_at = $3, forced = 1, identified = $3
      WHERE patient = $4 AND connection = $5
      """,
      [
        .text(metadata.identity), .text(person.json.text), SQLValue(now), .text(patient),
        .text(connection),
      ])
  }

  static func set(
    _ rule: HospitalConnection.Rule, of connection: ConnectionID, patient: PatientID,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE hospital_connections SET accepts = $1 WHERE patient = $2 AND connection = $3",
      [.text(rule.rawValue), .text(patient), .text(connection)])
  }

  /// Starts sending answers from a time on, or stops sending them.
  static func setWriting(
    since: Timestamp?, of connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET writes_since = $1, planned_until = $1
      WHERE patient = $2 AND connection = $3
      """, [SQLValue(since), .text(patient), .text(connection)])
  }

  // MARK: States

  /// Resumes a connection whose credentials had expired.
  static func resume(
    _ connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET state = 'working', trouble = NULL
      WHERE patient = $1 AND connection = $2 AND state IN ('expired', 'revoked')
      """, [.text(patient), .text(connection)])
  }

  /// Stops a working connection after a refusal.
  static func stop(
    _ connection: ConnectionID, patient: PatientID, as state: HospitalConnection.State,
    trouble: HospitalTrouble, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET state = $1, trouble = $2
      WHERE patient = $3 AND connection = $4 AND state = 'working'
      """, [.text(state.rawValue), .text(trouble.code), .text(patient), .text(connection)])
  }

  // MARK: Fetching

  /// Makes a connection due now; a forced fetch also checks the server's identity.
  ///
  /// While a fetch runs, its lease stays, and another fetch follows at once.
  static func wake(
    _ connection: ConnectionID, patient: PatientID, isForced: Bool, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET failures = 0, forced = $1,
        next_at = CASE WHEN state = 'working' AND next_at > $2 AND next_at = tried + $3
          THEN next_at ELSE $2 END
      WHERE patient = $4 AND connection = $5
      """,
      [
        SQLValue(isForced), SQLValue(now), .integer(ClaimedSync.leaseMilliseconds),
        .text(patient), .text(connection),
      ])
  }

  /// Leases a connection to the attempt that fetches from it.
  static func lease(
    _ connection: HospitalConnection, until lease: Timestamp, attempt: Int64, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET next_at = $1, attempt = $2, tried = $3, forced = NULL
      WHERE patient = $4 AND connection = $5
      """,
      [
        SQLValue(lease), .integer(attempt), SQLValue(now), .text(connection.patient),
        .text(connection.id),
      ])
  }

  /// Returns true if no other attempt has taken over the lease.
  static func isHeld(
    by claim: ClaimedSync, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM hospital_connections
      WHERE patient = $1 AND connection = $2 AND attempt = $3 AND state = 'working'
      """,
      [
        .text(claim.connection.patient), .text(claim.connection.id), .integer(claim.attempt),
      ]) != nil
  }

  /// Ends a lease and stores the result; returns false if another attempt has taken over.
  ///
  /// If someone asked for a fetch while it ran, the next one is due at once.
  static func finish(
    _ claim: ClaimedSync, _ outcome: SyncOutcome, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let failures = outcome.trouble == nil ? 0 : claim.connection.failures + 1
    let next = ClaimedSync.next(after: outcome.trouble, failures: failures, now: now)
    let count = try writer.execute(
      """
      UPDATE hospital_connections SET trouble = $1, failures = $2, next_at = $3,
        synced = COALESCE($4, synced), identified = COALESCE($5, identified), state = $6,
        types = COALESCE($7, types)
      WHERE patient = $8 AND connection = $9 AND attempt = $10
      """,
      [
        SQLValue(outcome.trouble?.code), SQLValue(failures), SQLValue(next),
        outcome.trouble == nil ? SQLValue(now) : .null, SQLValue(outcome.identified),
        .text(ClaimedSync.state(after: outcome.trouble).rawValue),
        SQLValue(outcome.types?.sorted().joined(separator: " ")),
        .text(claim.connection.patient), .text(claim.connection.id), .integer(claim.attempt),
      ])
    guard count == 1 else { return false }
    try writer.execute(
      """
      UPDATE hospital_connections SET next_at = $1
      WHERE patient = $2 AND connection = $3 AND forced IS NOT NULL
      """, [SQLValue(now), .text(claim.connection.patient), .text(claim.connection.id)])
    return true
  }

  /// Makes the connections due that the only process of the database was fetching from when it died.
  static func reclaim(at now: Timestamp, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET next_at = $1
      WHERE state = 'working' AND next_at > $1 AND next_at = tried + $2
      """, [SQLValue(now), .integer(ClaimedSync.leaseMilliseconds)])
  }

  // MARK: Sending

  /// Advances the time up to which answers were queued, if it is too far back.
  static func setPlanned(
    until planned: Timestamp, whereBefore earlier: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET planned_until = $1
      WHERE writes_since IS NOT NULL AND planned_until < $2
      """, [SQLValue(planned), SQLValue(earlier)])
  }
}
