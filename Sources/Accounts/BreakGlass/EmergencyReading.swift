// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Questions about looks in an emergency; the caller has decided that they may be asked.
extension AccountStore {
  /// Adds what an account has opened in an emergency to the rights of its session.
  ///
  /// Tokens have no part in it.
  func addEmergencies(
    of account: AccountID, at now: Timestamp, to rights: inout [PatientID: PatientRight],
    in reader: any SQLReader
  ) throws(StorageError) {
    for access in try emergencies(by: account, at: now, in: reader) {
      let right = PatientRight(.emergency)
      rights[access.patient] = rights[access.patient].map { $0.joined(with: right) } ?? right
    }
  }

  /// What an account has open, of a confirmed practitioner alone.
  package func emergencies(
    by account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [EmergencyAccess] {
    try reader.query(
      """
      SELECT e.patient, e.emergency, e.account, e.by_name, e.reason, e.started, e.ends, e.reviewed
      FROM emergencies e JOIN practitioners p ON p.account = e.account
      WHERE e.account = $1 AND e.ends > $2 AND e.started <= $2 ORDER BY e.ends, e.emergency
      """, [.text(account), SQLValue(now)]
    ).map { row throws(StorageError) in try EmergencyAccess(row) }
  }

  /// Looks at the data of some patients since an instant, the latest first.
  package func emergencies(
    of patients: [PatientID], since: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [EmergencyAccess] {
    guard !patients.isEmpty else { return [] }
    return try reader.query(
      """
      SELECT patient, emergency, account, by_name, reason, started, ends, reviewed
      FROM emergencies WHERE started >= $1 AND patient IN (
      """, [SQLValue(since)], in: patients.map { .text($0) }
    ).map { row throws(StorageError) in try EmergencyAccess(row) }
      .sorted { ($0.started, $0.id) > ($1.started, $1.id) }
  }

  /// Those that an administrator is to look at: all that nobody has, then the latest others.
  package func emergenciesToReview(
    limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [EmergencyAccess] {
    try reader.query(
      """
      SELECT patient, emergency, account, by_name, reason, started, ends, reviewed
      FROM emergencies
      ORDER BY CASE WHEN reviewed IS NULL THEN 0 ELSE 1 END, started DESC, emergency LIMIT $1
      """, [SQLValue(limit)]
    ).map { row throws(StorageError) in try EmergencyAccess(row) }
  }

  func emergency(_ id: String, in reader: any SQLReader) throws(StorageError) -> EmergencyAccess? {
    let row = try reader.first(
      """
      SELECT patient, emergency, account, by_name, reason, started, ends, reviewed
      FROM emergencies WHERE emergency = $1
      """, [.text(id)])
    guard let row else { return nil }
    return try EmergencyAccess(row)
  }

  /// The patients whose own accounts run the installation.
  package func administratorsPatients(in reader: any SQLReader) throws(StorageError) -> [PatientID]
  {
    try reader.query("SELECT patient FROM accounts WHERE administrator = 1 ORDER BY account")
      .map { row throws(StorageError) in try row.id(0) }
  }
}

extension EmergencyAccess {
  fileprivate init(_ row: SQLRow) throws(StorageError) {
    self.init(
      id: try row.text(1), patient: try row.id(0), account: try row.id(2),
      byName: try row.text(3), reason: try row.text(4), started: try row.timestamp(5),
      ends: try row.timestamp(6), reviewed: try row.optionalTimestamp(7))
  }
}
