// SPDX-License-Identifier: Apache-2.0

import Accounts
import FHIR
import Identifiers
import Storage

/// Why a command on connections did nothing.
package enum HospitalError: Error, Sendable, Hashable {
  case notFound
  case tooMany(maximum: Int)
  /// The same person there is connected already.
  case known
  /// The date of birth there is another than here: it is another person.
  case otherBirthDate
}

/// Connecting, changing and ending connections; the caller has decided that it may be done.
///
/// Each works in the given transaction and is written to the audit trail.
package struct HospitalCommands {
  package let patient: PatientID
  package let account: AccountID
  package let cipher: FieldCipher
  package let now: Timestamp
  package let writer: any SQLWriter

  package init(
    patient: PatientID, account: AccountID, cipher: FieldCipher, now: Timestamp,
    writer: any SQLWriter
  ) {
    self.patient = patient
    self.account = account
    self.cipher = cipher
    self.now = now
    self.writer = writer
  }

  package func add(_ connection: HospitalConnection, _ credentials: HospitalCredentials?) throws {
    let count = try HospitalRows.all(patient: patient, in: writer).count
    guard count < HospitalRows.maximum else {
      throw HospitalError.tooMany(maximum: HospitalRows.maximum)
    }
    try HospitalRows.insert(connection, credentials, cipher: cipher, in: writer)
    audit(.create, connection.id)
  }

  /// Says who the person is there.
  package func choose(
    _ person: HospitalPerson, for connection: ConnectionID, birthDate: String?
  ) throws {
    let found = try load(connection)
    guard HospitalPerson.agree(person.birthDate, birthDate) else {
      throw HospitalError.otherBirthDate
    }
    let others = try HospitalRows.all(patient: patient, in: writer)
    guard
      !others.contains(where: {
        $0.id != connection && $0.base == found.base && $0.person?.id == person.id
      })
    else { throw HospitalError.known }
    try writer.execute(
      """
      UPDATE hospital_connections SET person = $1, state = 'working', trouble = NULL, failures = 0,
        next_at = $2, forced = 1
      WHERE patient = $3 AND connection = $4
      """, [.text(person.json.text), SQLValue(now), .text(patient), .text(connection)])
    audit(.update, connection)
  }

  /// Gives it new credentials; nothing else about it changes.
  package func renew(_ connection: ConnectionID, _ credentials: HospitalCredentials) throws {
    let found = try load(connection)
    try HospitalRows.keep(
      credentials, of: connection, patient: patient, cipher: cipher, in: writer)
    guard found.person != nil else { return audit(.update, connection) }
    try wake(connection, isForced: true)
    try writer.execute(
      """
      UPDATE hospital_connections SET state = 'working', trouble = NULL
      WHERE patient = $1 AND connection = $2 AND state IN ('expired', 'revoked')
      """, [.text(patient), .text(connection)])
    audit(.update, connection)
  }

  package func set(_ rule: HospitalConnection.Rule, of connection: ConnectionID) throws {
    _ = try load(connection)
    try writer.execute(
      "UPDATE hospital_connections SET accepts = $1 WHERE patient = $2 AND connection = $3",
      [.text(rule.rawValue), .text(patient), .text(connection)])
    audit(.update, connection)
  }

  /// From now on answers are sent, or no longer.
  package func setWriting(_ writes: Bool, of connection: ConnectionID) throws {
    let found = try load(connection)
    guard writes != (found.writesSince != nil) else { return }
    try writer.execute(
      """
      UPDATE hospital_connections SET writes_since = $1, planned_until = $1
      WHERE patient = $2 AND connection = $3
      """, [writes ? SQLValue(now) : .null, .text(patient), .text(connection)])
    if !writes {
      // What waits was not wanted any more: it does not leave later on.
      try writer.execute(
        """
        UPDATE hospital_outbox SET state = 'none', changed = $1
        WHERE patient = $2 AND connection = $3 AND state = 'waiting'
        """, [SQLValue(now), .text(patient), .text(connection)])
    }
    audit(.update, connection)
  }

  /// Fetches at once, and asks the server again who it is.
  package func fetch(_ connection: ConnectionID) throws {
    _ = try load(connection)
    try wake(connection, isForced: true)
  }

  /// Tries once more to send what was refused.
  package func sendAgain(_ connection: ConnectionID) throws {
    _ = try load(connection)
    try writer.execute(
      """
      UPDATE hospital_outbox SET state = 'waiting', tries = 1, next_try = $1, changed = $1
      WHERE patient = $2 AND connection = $3 AND state = 'refused'
      """, [SQLValue(now), .text(patient), .text(connection)])
    audit(.update, connection)
  }

  /// The server, or the person there, is another one now, and that is right.
  package func accept(
    _ metadata: HospitalMetadata, _ person: HospitalPerson, of connection: ConnectionID
  )
    throws
  {
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
    audit(.update, connection)
  }

  /// Ends a connection: its token and what was noted of it go, medicines and answers stay.
  package func remove(_ connection: ConnectionID) throws {
    _ = try load(connection)
    try writer.execute(
      "DELETE FROM hospital_outbox WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
    try writer.execute(
      "DELETE FROM hospital_medicines WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
    try writer.execute(
      "DELETE FROM hospital_marks WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
    try writer.execute(
      "DELETE FROM hospital_visits WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
    try writer.execute(
      "DELETE FROM hospital_connections WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
    audit(.delete, connection)
  }

  private func wake(_ connection: ConnectionID, isForced: Bool) throws {
    try writer.execute(
      """
      UPDATE hospital_connections SET next_at = $1, failures = 0, forced = $2
      WHERE patient = $3 AND connection = $4
      """, [SQLValue(now), SQLValue(isForced), .text(patient), .text(connection)])
  }

  private func load(_ connection: ConnectionID) throws -> HospitalConnection {
    guard let found = try HospitalRows.load(connection, patient: patient, in: writer) else {
      throw HospitalError.notFound
    }
    return found
  }

  private func audit(_ kind: AuditEntry.Kind, _ connection: ConnectionID) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: patient, resource: "HospitalConnection",
        resourceID: connection.text, purpose: "care"))
  }
}
