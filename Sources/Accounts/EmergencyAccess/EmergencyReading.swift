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
    try reader.query(Self.openEmergenciesStatement, [.text(account), SQLValue(now)]).decode()
  }

  private static let openEmergenciesStatement = SQLStatement(
    """
    SELECT \(EmergencyAccess.columns)
    FROM emergencies e JOIN practitioners p ON p.account = e.account
    WHERE e.account = $1 AND e.ends > $2 AND e.started <= $2 ORDER BY e.ends, e.emergency
    """)

  /// Looks at the data of some patients since an instant, the latest first.
  package func emergencies(
    of patients: [PatientID], since: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [EmergencyAccess] {
    guard !patients.isEmpty else { return [] }
    return try reader.query(
      """
      SELECT \(EmergencyAccess.columns)
      FROM emergencies e WHERE e.started >= $1 AND e.patient IN (
      """, [SQLValue(since)], in: patients.map { .text($0) }
    ).decode(as: EmergencyAccess.self)
      .sorted { ($0.started, $0.id) > ($1.started, $1.id) }
  }

  /// Those that an administrator is to look at: all that nobody has, then the latest others.
  package func emergenciesToReview(
    limit: Int, in reader: any SQLReader
  ) throws(StorageError) -> [EmergencyAccess] {
    try reader.query(Self.emergenciesToReviewStatement, [SQLValue(limit)]).decode()
  }

  private static let emergenciesToReviewStatement = SQLStatement(
    """
    SELECT \(EmergencyAccess.columns) FROM emergencies e
    ORDER BY CASE WHEN e.reviewed IS NULL THEN 0 ELSE 1 END, e.started DESC, e.emergency LIMIT $1
    """)

  func emergency(
    _ id: EmergencyID, in reader: any SQLReader
  ) throws(StorageError) -> EmergencyAccess? {
    try reader.first(Self.emergencyStatement, [.text(id)])?.decode()
  }

  private static let emergencyStatement = SQLStatement(
    "SELECT \(EmergencyAccess.columns) FROM emergencies e WHERE e.emergency = $1")

  /// The patients whose own accounts run the installation.
  package func administratorsPatients(in reader: any SQLReader) throws(StorageError) -> [PatientID]
  {
    try reader.query("SELECT patient FROM accounts WHERE administrator = 1 ORDER BY account")
      .values()
  }
}

extension EmergencyAccess: SQLReadableRow {
  package enum Column: Int, SQLColumn {
    case patient, emergency, account, byName, reason, started, ends, reviewed
  }

  package static let columns = SQLColumns<Column>(of: "e")

  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      id: try columns.id(.emergency), patient: try columns.id(.patient),
      account: try columns.id(.account), byName: try columns.text(.byName),
      reason: try columns.text(.reason), started: try columns.timestamp(.started),
      ends: try columns.timestamp(.ends), reviewed: try columns.optionalTimestamp(.reviewed))
  }
}
