// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Questions about grants; the caller has decided that they may be asked.
extension AccountStore {
  /// What the account may do with each patient's data at an instant.
  package func rights(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [PatientID: PatientRight] {
    let rows = try reader.query(
      """
      SELECT patient, relationship, categories FROM grants
      WHERE account = $1 AND starts <= $2 AND (ends IS NULL OR ends > $2)
      """, [SQLValue(account), SQLValue(now)])
    var result: [PatientID: PatientRight] = [:]
    for row in rows { try Self.add(row, to: &result) }
    return result
  }

  /// Adds what a grant allows to other rights: the first three columns of a row are its patient, relationship and
  /// categories.
  package static func add(
    _ row: SQLRow, to rights: inout [PatientID: PatientRight]
  ) throws(StorageError) {
    guard let relationship = Relationship(rawValue: try row.text(1)) else { return }
    let patient: PatientID = try row.id(0)
    let right = PatientRight(relationship, categories: StoredCategories.read(try row.text(2)))
    rights[patient] = rights[patient].map { $0.joined(with: right) } ?? right
  }

  /// What the account is to each patient at an instant.
  package func relationships(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [PatientID: Relationship] {
    try rights(of: account, at: now, in: reader).mapValues(\.relationship)
  }

  /// Who may do what with a patient's data: those who act first, then by name.
  package func grants(
    of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [Grant] {
    let rows = try reader.query(
      """
      SELECT g.account, g.relationship, g.categories, g.starts, g.ends, a.display_name
      FROM grants g JOIN accounts a ON a.account = g.account
      WHERE g.patient = $1 AND g.starts <= $2 AND (g.ends IS NULL OR g.ends > $2)
      """, [SQLValue(patient), SQLValue(now)])
    let grants = try rows.compactMap { row -> Grant? in
      guard let relationship = Relationship(rawValue: try row.text(1)) else { return nil }
      return Grant(
        patient: patient, account: try row.id(0),
        right: PatientRight(relationship, categories: StoredCategories.read(try row.text(2))),
        starts: try row.timestamp(3), ends: try row.optionalTimestamp(4),
        displayName: try row.text(5))
    }
    return grants.sorted { left, right in
      (left.right.relationship.actsForPatient ? 0 : 1, left.displayName, left.account)
        < (right.right.relationship.actsForPatient ? 0 : 1, right.displayName, right.account)
    }
  }

  /// Whether somebody else than an account goes on acting for a patient without an end.
  func isActedFor(
    _ patient: PatientID, besides account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> Bool {
    try reader.first(
      """
      SELECT 1 FROM grants WHERE patient = $1 AND account <> $2 AND starts <= $3 AND ends IS NULL
        AND relationship IN ('self', 'guardian') LIMIT 1
      """, [SQLValue(patient), SQLValue(account), SQLValue(now)]) != nil
  }

  /// Whether an account that becomes guardian of a patient would be looked after, at some remove, by
  /// that very patient.
  func wouldBeCircular(
    guardian account: AccountID, of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws -> Bool {
    var seen: Set<PatientID> = []
    var open = [patient]
    while let next = open.popLast() {
      guard seen.insert(next).inserted else { continue }
      let owners = try reader.query(
        """
        SELECT account FROM grants WHERE patient = $1 AND relationship = 'self'
          AND starts <= $2 AND (ends IS NULL OR ends > $2)
        """, [SQLValue(next), SQLValue(now)])
      for owner in owners {
        let name: AccountID = try owner.id(0)
        if name == account { return true }
        let wards = try reader.query(
          """
          SELECT patient FROM grants WHERE account = $1 AND relationship = 'guardian'
            AND starts <= $2 AND (ends IS NULL OR ends > $2)
          """, [SQLValue(name), SQLValue(now)])
        for ward in wards { open.append(try ward.id(0)) }
      }
    }
    return false
  }
}
