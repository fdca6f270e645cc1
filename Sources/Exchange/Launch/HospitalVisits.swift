// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// The table `hospital_visits` of pending sign-ins at hospitals.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
package enum HospitalVisits {
  /// The connection for which a person signs in at a hospital.
  package struct Visit: Sendable, Hashable {
    /// The patient whose connection it is.
    package let patient: PatientID
    /// The connection that will receive the credentials.
    package let connection: ConnectionID
    /// The account that signs in.
    package let account: AccountID

    /// Creates a visit.
    package init(patient: PatientID, connection: ConnectionID, account: AccountID) {
      self.patient = patient
      self.connection = connection
      self.account = account
    }
  }

  /// Records a new sign-in, and deletes expired ones.
  package static func begin(
    _ launch: SmartLaunch, _ visit: Visit, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM hospital_visits WHERE expires <= $1", [SQLValue(now)])
    try writer.execute(insert, HospitalVisitRow(launch: launch, visit: visit, now: now).values)
  }

  private static let insert = SQLStatement(
    """
    INSERT INTO hospital_visits (\(HospitalVisitRow.columns))
    VALUES (\(HospitalVisitRow.placeholders))
    """)

  /// Ends a sign-in and returns its connection.
  ///
  /// The result is nil if the sign-in is unknown, has expired, or began in another browser. Its record is
  /// always deleted.
  package static func end(
    _ launch: SmartLaunch, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Visit? {
    let row = try writer.first(byState, [.blob(launch.state.digest)])
    try writer.execute(
      "DELETE FROM hospital_visits WHERE state_hash = $1", [.blob(launch.state.digest)])
    guard let begun = row?.read(HospitalVisitRow.self),
      try begun.blob(.browserHash) == launch.browser.digest, try begun.timestamp(.expires) > now
    else { return nil }
    return Visit(
      patient: try begun.id(.patient), connection: try begun.id(.connection),
      account: try begun.id(.account))
  }

  private static let byState = SQLStatement(
    "SELECT \(HospitalVisitRow.columns) FROM hospital_visits WHERE state_hash = $1")

  static func deleteAll(
    of connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM hospital_visits WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
  }
}

/// A row of `hospital_visits`.
struct HospitalVisitRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, stateHash, browserHash, connection, account, expires
  }

  static let columns = SQLColumns<Column>()

  let launch: SmartLaunch
  let visit: HospitalVisits.Visit
  let now: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(visit.patient)
    case .stateHash: .blob(launch.state.digest)
    case .browserHash: .blob(launch.browser.digest)
    case .connection: .text(visit.connection)
    case .account: .text(visit.account)
    case .expires: SQLValue(now.adding(milliseconds: SmartLaunch.lifetime))
    }
  }
}
