// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Queries for emergency access; the caller has decided that access to them is allowed.
extension AccountStore {
  /// Adds an account's emergency access to the rights of its session.
  ///
  /// Tokens never get it.
  func addEmergencies(
    of account: AccountID, at now: Timestamp, to rights: inout [PatientID: PatientRight],
    in reader: any SQLReader
  ) throws(StorageError) {
    for access in try emergencies(by: account, at: now, in: reader) {
      let right = PatientRight(.emergency)
      rights[access.patient] = rights[access.patient].map { $0.joined(with: right) } ?? right
    }
  }

  /// Returns the emergency access that an account has open now; none unless it is a confirmed
  /// practitioner.
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

  /// Returns the emergency access to some patients since an instant, the latest first.
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

  /// Returns the emergency access for an administrator to review: all that was not reviewed, then
  /// the latest others.
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

  /// Returns the patients whose own accounts run the installation.
  package func administratorsPatients(in reader: any SQLReader) throws(StorageError) -> [PatientID]
  {
    try reader.query("SELECT patient FROM accounts WHERE administrator = 1 ORDER BY account")
      .values()
  }
}

extension EmergencyAccess: SQLReadableRow {
  /// The columns of an emergency access.
  package enum Column: Int, SQLColumn {
    case patient, emergency, account, byName, reason, started, ends, reviewed
  }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>(of: "e")

  /// Creates an emergency access from a row.
  package init(_ columns: ColumnReader<Column>) throws(StorageError) {
    self.init(
      id: try columns.id(.emergency), patient: try columns.id(.patient),
      account: try columns.id(.account), byName: try columns.text(.byName),
      reason: try columns.text(.reason), started: try columns.timestamp(.started),
      ends: try columns.timestamp(.ends), reviewed: try columns.optionalTimestamp(.reviewed))
  }
}
