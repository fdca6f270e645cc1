// SPDX-License-Identifier: Apache-2.0

import Accounts
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
    try HospitalConnectionStore.insert(connection, credentials, cipher: cipher, in: writer)
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
    try HospitalConnectionStore.choose(
      person, for: connection, patient: patient, at: now, in: writer)
    audit(.update, connection)
  }

  /// Gives it new credentials; nothing else about it changes.
  package func renew(_ connection: ConnectionID, _ credentials: HospitalCredentials) throws {
    let found = try load(connection)
    try HospitalConnectionStore.keep(
      credentials, of: connection, patient: patient, cipher: cipher, in: writer)
    guard found.person != nil else { return audit(.update, connection) }
    try wake(connection, isForced: true)
    try HospitalConnectionStore.resume(connection, patient: patient, in: writer)
    audit(.update, connection)
  }

  package func set(_ rule: HospitalConnection.Rule, of connection: ConnectionID) throws {
    _ = try load(connection)
    try HospitalConnectionStore.set(rule, of: connection, patient: patient, in: writer)
    audit(.update, connection)
  }

  /// From now on answers are sent, or no longer.
  package func setWriting(_ writes: Bool, of connection: ConnectionID) throws {
    let found = try load(connection)
    guard writes != (found.writesSince != nil) else { return }
    try HospitalConnectionStore.setWriting(
      since: writes ? now : nil, of: connection, patient: patient, in: writer)
    if !writes {
      // Answers that wait are no longer wanted there: they must not be sent later.
      try HospitalOutboxStore.dropWaiting(connection, patient: patient, at: now, in: writer)
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
    try HospitalOutboxStore.retryRefused(connection, patient: patient, at: now, in: writer)
    audit(.update, connection)
  }

  /// The server, or the person there, is another one now, and that is right.
  package func accept(
    _ metadata: HospitalMetadata, _ person: HospitalPerson, of connection: ConnectionID
  )
    throws
  {
    try HospitalConnectionStore.accept(
      metadata, person, of: connection, patient: patient, at: now, in: writer)
    audit(.update, connection)
  }

  /// Ends a connection: its token and what was noted of it go, medicines and answers stay.
  package func remove(_ connection: ConnectionID) throws {
    _ = try load(connection)
    try HospitalOutboxStore.deleteAll(of: connection, patient: patient, in: writer)
    try HospitalMedicineStore.deleteAll(of: connection, patient: patient, in: writer)
    try HospitalMarkStore.deleteAll(of: connection, patient: patient, in: writer)
    try HospitalVisits.deleteAll(of: connection, patient: patient, in: writer)
    try HospitalConnectionStore.delete(connection, patient: patient, in: writer)
    audit(.delete, connection)
  }

  private func wake(_ connection: ConnectionID, isForced: Bool) throws {
    try HospitalConnectionStore.wake(
      connection, patient: patient, isForced: isForced, at: now, in: writer)
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
