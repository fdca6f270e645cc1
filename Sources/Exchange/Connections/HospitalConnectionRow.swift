// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Storage

/// The columns of `hospital_connections` without credentials.
enum HospitalConnectionRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case connection, patient, account, base, label, version, access, identity, types, person
    case state, trouble, accepts, writesSince, created, synced, tried, nextAt, failures, identified
  }

  static let columns = SQLColumns<Column>()
}

extension HospitalConnection {
  init(_ row: ColumnReader<HospitalConnectionRow.Column>) throws(StorageError) {
    guard let base = HospitalAddress(try row.text(.base)) else { throw row.unexpected(.base) }
    self.base = base
    id = try row.id(.connection)
    patient = try row.id(.patient)
    account = try row.id(.account)
    label = try row.text(.label)
    version = try row.named(.version)
    access = try row.named(.access)
    identity = try row.text(.identity)
    types = Set(try row.text(.types).split(separator: " ").map(String.init))
    person = try row.optionalText(.person).flatMap { HospitalPerson(kept: $0) }
    state = try row.named(.state)
    trouble = try row.optionalText(.trouble)
    rule = try row.named(.accepts)
    writesSince = try row.optionalTimestamp(.writesSince)
    created = try row.timestamp(.created)
    synced = try row.optionalTimestamp(.synced)
    tried = try row.optionalTimestamp(.tried)
    nextAt = try row.timestamp(.nextAt)
    failures = Int(clamping: try row.integer(.failures))
    identified = try row.optionalTimestamp(.identified)
  }
}

/// A new row of `hospital_connections`, still without credentials.
struct NewHospitalConnectionRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, connection, account, base, label, version, access, identity, types, person
    case state, accepts, created, nextAt, attempt, failures, identified
  }

  static let columns = SQLColumns<Column>()

  let connection: HospitalConnection

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(connection.patient)
    case .connection: .text(connection.id)
    case .account: .text(connection.account)
    case .base: .text(connection.base.text)
    case .label: .text(connection.label)
    case .version: .text(connection.version.rawValue)
    case .access: .text(connection.access.rawValue)
    case .identity: .text(connection.identity)
    case .types: .text(connection.types.sorted().joined(separator: " "))
    case .person: SQLValue(connection.person?.json.text)
    case .state: .text(connection.state.rawValue)
    case .accepts: .text(connection.rule.rawValue)
    case .created: SQLValue(connection.created)
    case .nextAt: SQLValue(connection.nextAt)
    case .attempt: .integer(0)
    case .failures: .integer(0)
    case .identified: SQLValue(connection.identified)
    }
  }
}

/// Queries on the connections of patients.
package enum HospitalRows {
  /// The maximum number of connections of one patient.
  package static let maximum = 10

  /// Returns the connections of a patient, the oldest first.
  package static func all(patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [HospitalConnection]
  {
    try reader.query(ofPatient, [.text(patient)]).map { row throws(StorageError) in
      try HospitalConnection(row.read(HospitalConnectionRow.self))
    }
  }

  private static let ofPatient = SQLStatement(
    """
    SELECT \(HospitalConnectionRow.columns) FROM hospital_connections
    WHERE patient = $1 ORDER BY created, connection
    """)

  /// Returns one of a patient's connections; nil if there is no such connection.
  package static func load(_ connection: ConnectionID, patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> HospitalConnection?
  {
    let row = try reader.first(one, [.text(patient), .text(connection)])
    return try row.map { row throws(StorageError) in
      try HospitalConnection(row.read(HospitalConnectionRow.self))
    }
  }

  private static let one = SQLStatement(
    """
    SELECT \(HospitalConnectionRow.columns) FROM hospital_connections
    WHERE patient = $1 AND connection = $2
    """)

  /// Returns the decrypted credentials of a connection; nil if it has none.
  package static func credentials(
    _ connection: ConnectionID, patient: PatientID, cipher: FieldCipher, in reader: any SQLReader
  ) throws(StorageError) -> HospitalCredentials? {
    let row = try reader.first(
      """
      SELECT credentials_sealed FROM hospital_connections WHERE patient = $1 AND connection = $2
      """, [.text(patient), .text(connection)])
    guard let sealed = try row?.value(as: [UInt8]?.self) else { return nil }
    return HospitalCredentials(
      kept: try cipher.open(sealed, context: HospitalCredentials.context(connection)))
  }
}
