// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Storage

/// The table `hospital_renewals`: the tokens that are being renewed.
///
/// `Scripts/check-tables.py` rejects statements elsewhere that change it.
enum HospitalRenewals {
  /// The lease in milliseconds: longer than the request for a new token may take.
  static let leaseMilliseconds: Int64 = 45_000

  /// Leases the renewal of a connection's token; returns false if someone else holds it.
  static func lease(
    _ connection: ConnectionID, patient: PatientID, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    try writer.execute(
      """
      INSERT INTO hospital_renewals (patient, connection, until) VALUES ($1, $2, $3)
      ON CONFLICT (patient, connection) DO UPDATE SET until = excluded.until
      WHERE hospital_renewals.until <= $4
      """,
      [
        .text(patient), .text(connection),
        SQLValue(now.adding(milliseconds: leaseMilliseconds)), SQLValue(now),
      ]) > 0
  }

  /// Ends the lease of a connection.
  static func release(
    _ connection: ConnectionID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "DELETE FROM hospital_renewals WHERE patient = $1 AND connection = $2",
      [.text(patient), .text(connection)])
  }

  /// Ends all leases, because the only process of the database has ended.
  static func reclaim(in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM hospital_renewals", [])
  }
}
