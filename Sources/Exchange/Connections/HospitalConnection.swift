// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// A person's connection to the FHIR server of a hospital.
package struct HospitalConnection: Sendable, Hashable {
  package enum State: String, Sendable, Hashable, CaseIterable {
    /// Nobody there has been chosen yet.
    case choosing
    case working
    /// The credentials ended; the person gives new ones.
    case expired
    /// The hospital does not let this account in any more.
    case revoked
    /// It is another server or person than the one that was connected.
    case refused
  }

  /// How the server is entered.
  package enum Access: String, Sendable, Hashable, CaseIterable {
    case open, token, smart
  }

  /// What is taken over without being asked.
  package enum Rule: String, Sendable, Hashable, CaseIterable {
    /// Nothing.
    case ask
    /// Changes of what came from there and was not changed here.
    case changes
    /// New prescriptions too.
    case all
  }

  package let id: ConnectionID
  package let patient: PatientID
  /// Whoever connected it; what comes is taken in this account's name.
  package let account: AccountID
  package let base: HospitalAddress
  package let label: String
  package let version: HospitalVersion
  package let access: Access
  /// What the server said of itself.
  package let identity: String
  /// The resource types that it searches.
  package let types: Set<String>
  package let person: HospitalPerson?
  package let state: State
  /// What went wrong last, by its code; nil while all is well.
  package let trouble: String?
  package let rule: Rule
  /// Since when answers are sent; nil while they are not.
  package let writesSince: Timestamp?
  package let created: Timestamp
  /// The last time that everything was fetched.
  package let synced: Timestamp?
  package let tried: Timestamp?
  package let nextAt: Timestamp
  package let failures: Int
  /// When the server last said who it is.
  package let identified: Timestamp?

  package init(
    id: ConnectionID, patient: PatientID, account: AccountID, base: HospitalAddress, label: String,
    version: HospitalVersion, access: Access, identity: String, types: Set<String>,
    person: HospitalPerson?, state: State, created: Timestamp
  ) {
    self.id = id
    self.patient = patient
    self.account = account
    self.base = base
    self.label = label
    self.version = version
    self.access = access
    self.identity = identity
    self.types = types
    self.person = person
    self.state = state
    trouble = nil
    rule = .ask
    writesSince = nil
    self.created = created
    synced = nil
    tried = nil
    nextAt = created
    failures = 0
    identified = created
  }

  init(_ row: SQLRow) throws(StorageError) {
    guard let base = HospitalAddress(try row.text(3)),
      let version = HospitalVersion(rawValue: try row.text(5)),
      let access = Access(rawValue: try row.text(6)), let state = State(rawValue: try row.text(10)),
      let rule = Rule(rawValue: try row.text(12))
    else { throw .unexpectedValue(column: 3, expected: .text) }
    id = try row.id(0)
    patient = try row.id(1)
    account = try row.id(2)
    self.base = base
    label = try row.text(4)
    self.version = version
    self.access = access
    identity = try row.text(7)
    types = Set(try row.text(8).split(separator: " ").map(String.init))
    person = try row.optionalText(9).flatMap { HospitalPerson(kept: $0) }
    self.state = state
    trouble = try row.optionalText(11)
    self.rule = rule
    writesSince = try row.optionalTimestamp(13)
    created = try row.timestamp(14)
    synced = try row.optionalTimestamp(15)
    tried = try row.optionalTimestamp(16)
    nextAt = try row.timestamp(17)
    failures = Int(clamping: try row.integer(18))
    identified = try row.optionalTimestamp(19)
  }
}

/// The rows of `hospital_connections`.
package enum HospitalRows {
  /// Connections of one person, at most.
  package static let maximum = 10

  /// The connections of a patient, the oldest first.
  package static func all(patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [HospitalConnection]
  {
    var found: [HospitalConnection] = []
    for row in try reader.query(
      """
      SELECT connection, patient, account, base, label, version, access, identity, types, person,
        state, trouble, accepts, writes_since, created, synced, tried, next_at, failures, identified
      FROM hospital_connections WHERE patient = $1 ORDER BY created, connection
      """, [.text(patient)])
    {
      found.append(try HospitalConnection(row))
    }
    return found
  }

  /// One of a patient.
  package static func load(_ connection: ConnectionID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> HospitalConnection?
  {
    let row = try reader.first(
      """
      SELECT connection, patient, account, base, label, version, access, identity, types, person,
        state, trouble, accepts, writes_since, created, synced, tried, next_at, failures, identified
      FROM hospital_connections WHERE patient = $1 AND connection = $2
      """, [.text(patient), .text(connection)])
    return try row.map { row throws(StorageError) in try HospitalConnection(row) }
  }

  /// What it is entered with.
  package static func credentials(
    _ connection: ConnectionID, patient: PatientID, cipher: FieldCipher, in reader: any SQLReader
  ) throws(StorageError) -> HospitalCredentials? {
    let row = try reader.first(
      """
      SELECT credentials_sealed FROM hospital_connections WHERE patient = $1 AND connection = $2
      """, [.text(patient), .text(connection)])
    guard let sealed = try row?.optionalBlob(0) else { return nil }
    return HospitalCredentials(
      kept: try cipher.open(sealed, context: HospitalCredentials.context(connection)))
  }

  static func keep(
    _ credentials: HospitalCredentials, of connection: ConnectionID, patient: PatientID,
    cipher: FieldCipher, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      UPDATE hospital_connections SET credentials_sealed = $1
      WHERE patient = $2 AND connection = $3
      """,
      [
        .blob(
          try cipher.seal(
            credentials.text, context: HospitalCredentials.context(connection))),
        .text(patient), .text(connection),
      ])
  }

  static func insert(
    _ connection: HospitalConnection, _ credentials: HospitalCredentials?, cipher: FieldCipher,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO hospital_connections (patient, connection, account, base, label, version, access,
        identity, types, person, state, accepts, created, next_at, attempt, failures, identified)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, 0, 0, $15)
      """,
      [
        .text(connection.patient), .text(connection.id), .text(connection.account),
        .text(connection.base.text), .text(connection.label), .text(connection.version.rawValue),
        .text(connection.access.rawValue), .text(connection.identity),
        .text(connection.types.sorted().joined(separator: " ")),
        SQLValue(connection.person?.json.text), .text(connection.state.rawValue),
        .text(connection.rule.rawValue), SQLValue(connection.created),
        SQLValue(connection.nextAt), SQLValue(connection.identified),
      ])
    if let credentials {
      try keep(
        credentials, of: connection.id, patient: connection.patient, cipher: cipher, in: writer)
    }
  }
}
