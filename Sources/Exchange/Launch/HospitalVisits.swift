// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// The rows of `hospital_visits`: launches that are under way.
package enum HospitalVisits {
  package struct Visit: Sendable, Hashable {
    package let patient: PatientID
    package let connection: ConnectionID
    package let account: AccountID

    package init(patient: PatientID, connection: ConnectionID, account: AccountID) {
      self.patient = patient
      self.connection = connection
      self.account = account
    }
  }

  package static func begin(
    _ launch: SmartLaunch, _ visit: Visit, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute("DELETE FROM hospital_visits WHERE expires <= $1", [SQLValue(now)])
    try writer.execute(
      """
      INSERT INTO hospital_visits (patient, state_hash, browser_hash, connection, account, expires)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .text(visit.patient), .blob(launch.state.digest), .blob(launch.browser.digest),
        .text(visit.connection), .text(visit.account),
        SQLValue(now.adding(milliseconds: SmartLaunch.lifetime)),
      ])
  }

  /// What a launch was for; nil where it is unknown, over, or began in another browser.
  ///
  /// It is used up either way.
  package static func end(
    _ launch: SmartLaunch, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Visit? {
    let row = try writer.first(
      """
      SELECT browser_hash, patient, connection, account, expires FROM hospital_visits
      WHERE state_hash = $1
      """, [.blob(launch.state.digest)])
    try writer.execute(
      "DELETE FROM hospital_visits WHERE state_hash = $1", [.blob(launch.state.digest)])
    guard let row, try row.blob(0) == launch.browser.digest, try row.timestamp(4) > now else {
      return nil
    }
    return Visit(
      patient: try row.id(1), connection: try row.id(2), account: try row.id(3))
  }
}
