// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// The reason why a command on connections did nothing.
package enum HospitalError: Error, Sendable, Hashable {
  /// The patient has no such connection.
  case notFound
  /// The patient already has the maximum number of connections.
  case tooMany(maximum: Int)
  /// The same person is already connected through another connection to that server.
  case known
  /// The dates of birth differ, so it is another person.
  case otherBirthDate
}

/// Commands to make, change and end connections; the caller has decided that they may run.
///
/// Each works in the given transaction and is recorded in the audit trail.
package struct HospitalCommands {
  /// The patient whose connections they are.
  package let patient: PatientID
  /// The account that acts.
  package let account: AccountID
  /// The cipher that encrypts credentials.
  package let cipher: FieldCipher
  /// The current time.
  package let now: Timestamp
  /// The transaction in which the commands work.
  package let writer: any SQLWriter

  /// Creates the commands of one account on one patient's connections.
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

  /// Stores a new connection with its credentials.
  ///
  /// - Throws: ``HospitalError/tooMany(maximum:)`` if the patient has ``HospitalRows/maximum``
  ///   connections.
  package func add(_ connection: HospitalConnection, _ credentials: HospitalCredentials?) throws {
    let count = try HospitalRows.all(patient: patient, in: writer).count
    guard count < HospitalRows.maximum else {
      throw HospitalError.tooMany(maximum: HospitalRows.maximum)
    }
    try HospitalConnectionStore.insert(connection, credentials, cipher: cipher, in: writer)
    audit(.create, connection.id)
  }

  /// Sets the person in the hospital's records, and makes the connection fetch at once.
  ///
  /// - Parameter birthDate: the patient's date of birth as FHIR writes it; nil if it is not known.
  /// - Throws: ``HospitalError/otherBirthDate`` or ``HospitalError/known`` if it cannot be this person.
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

  /// Replaces the credentials; a connection with a chosen person resumes and fetches at once.
  package func renew(_ connection: ConnectionID, _ credentials: HospitalCredentials) throws {
    let found = try load(connection)
    try HospitalConnectionStore.keep(
      credentials, of: connection, patient: patient, cipher: cipher, in: writer)
    guard found.person != nil else { return audit(.update, connection) }
    try wake(connection, isForced: true)
    try HospitalConnectionStore.resume(connection, patient: patient, in: writer)
    audit(.update, connection)
  }

  /// Sets the rule for accepting changes without asking.
  package func set(_ rule: HospitalConnection.Rule, of connection: ConnectionID) throws {
    _ = try load(connection)
    try HospitalConnectionStore.set(rule, of: connection, patient: patient, in: writer)
    audit(.update, connection)
  }

  /// Starts or stops sending answers; after a stop, answers that wait are never sent.
  package func setWriting(_ writes: Bool, of connection: ConnectionID) throws {
    let found = try load(connection)
    guard writes != (found.writesSince != nil) else { return }
    try HospitalConnectionStore.setWriting(
      since: writes ? now : nil, of: connection, patient: patient, in: writer)
    if !writes {
      // Waiting answers must not be sent later.
      try HospitalOutboxStore.dropWaiting(connection, patient: patient, at: now, in: writer)
    }
    audit(.update, connection)
  }

  /// Makes the connection fetch at once, and check again that the server is the same.
  package func fetch(_ connection: ConnectionID) throws {
    _ = try load(connection)
    try wake(connection, isForced: true)
    audit(.update, connection)
  }

  /// Confirms that the many prescriptions that are gone from the hospital are really gone, so that the
  /// person is asked about each of them.
  package func confirmMissing(_ connection: ConnectionID) throws {
    _ = try load(connection)
    guard try HospitalComparisonStore.allow(connection, patient: patient, in: writer) else {
      return
    }
    try wake(connection, isForced: true)
    audit(.update, connection)
  }

  /// Retries sending the answers that the hospital rejected.
  package func sendAgain(_ connection: ConnectionID) throws {
    _ = try load(connection)
    try HospitalOutboxStore.retryRefused(connection, patient: patient, at: now, in: writer)
    audit(.update, connection)
  }

  /// Accepts a different server or person for the connection from now on.
  package func accept(
    _ metadata: HospitalMetadata, _ person: HospitalPerson, of connection: ConnectionID
  )
    throws
  {
    try HospitalConnectionStore.accept(
      metadata, person, of: connection, patient: patient, at: now, in: writer)
    audit(.update, connection)
  }

  /// Ends a connection and deletes its credentials and records; medicines and answers stay.
  package func remove(_ connection: ConnectionID) throws {
    _ = try load(connection)
    try HospitalOutboxStore.deleteAll(of: connection, patient: patient, in: writer)
    try HospitalMedicineStore.deleteAll(of: connection, patient: patient, in: writer)
    try HospitalMarkStore.deleteAll(of: connection, patient: patient, in: writer)
    try HospitalComparisonStore.deleteAll(of: connection, patient: patient, in: writer)
    try HospitalRenewals.release(connection, patient: patient, in: writer)
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
