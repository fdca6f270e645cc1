// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Queries for grants; the caller has decided that access is allowed.
extension AccountStore {
  /// Returns the account's right on each patient's data at an instant.
  package func rights(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [PatientID: PatientRight] {
    let rows = try reader.query(Self.rightsStatement, [.text(account), SQLValue(now)])
    var result: [PatientID: PatientRight] = [:]
    for row in rows { try Self.add(row, to: &result) }
    return result
  }

  private static let rightsStatement = SQLStatement(
    """
    SELECT \(GrantedRightRow.columns) FROM grants g
    WHERE g.account = $1 AND g.starts <= $2 AND (g.ends IS NULL OR g.ends > $2)
    """)

  /// Adds the right of a grant to others; the row starts with ``GrantedRightRow``.
  package static func add(
    _ row: SQLRow, to rights: inout [PatientID: PatientRight]
  ) throws(StorageError) {
    let row = row.read(GrantedRightRow.self)
    guard let relationship = Relationship(rawValue: try row.text(.relationship)) else { return }
    let patient: PatientID = try row.id(.patient)
    let categories = StoredCategories.read(try row.text(.categories))
    let right = PatientRight(relationship, categories: categories)
    rights[patient] = rights[patient].map { $0.joined(with: right) } ?? right
  }

  /// Returns the account's relationship to each patient at an instant.
  package func relationships(
    of account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [PatientID: Relationship] {
    try rights(of: account, at: now, in: reader).mapValues(\.relationship)
  }

  /// Returns the grants on a patient's data at an instant: those who act for the patient first,
  /// then by name.
  package func grants(
    of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws -> [Grant] {
    let rows = try reader.query(Self.grantsStatement, [.text(patient), SQLValue(now)])
    let grants = try rows.compactMap { row -> Grant? in
      let row = row.read(GrantRow.self)
      guard let relationship = Relationship(rawValue: try row.text(.relationship)) else {
        return nil
      }
      let categories = StoredCategories.read(try row.text(.categories))
      return Grant(
        patient: patient, account: try row.id(.account),
        right: PatientRight(relationship, categories: categories),
        starts: try row.timestamp(.starts), ends: try row.optionalTimestamp(.ends),
        displayName: try row.text(.displayName))
    }
    return grants.sorted { left, right in
      (left.right.relationship.actsForPatient ? 0 : 1, left.displayName, left.account)
        < (right.right.relationship.actsForPatient ? 0 : 1, right.displayName, right.account)
    }
  }

  private static let grantsStatement = SQLStatement(
    """
    SELECT \(GrantRow.columns) FROM grants g JOIN accounts a ON a.account = g.account
    WHERE g.patient = $1 AND g.starts <= $2 AND (g.ends IS NULL OR g.ends > $2)
    """)

  /// Returns true if another account acts for a patient without an end date.
  func isActedFor(
    _ patient: PatientID, besides account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws -> Bool {
    try reader.first(
      """
      SELECT 1 FROM grants WHERE patient = $1 AND account <> $2 AND starts <= $3 AND ends IS NULL
        AND relationship IN ('self', 'guardian') LIMIT 1
      """, [SQLValue(patient), SQLValue(account), SQLValue(now)]) != nil
  }

  /// Returns true if an account that becomes guardian of a patient would itself have that patient as
  /// guardian, directly or through others.
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
        """, [SQLValue(next), SQLValue(now)]
      ).values(as: AccountID.self)
      for owner in owners {
        if owner == account { return true }
        open += try reader.query(
          """
          SELECT patient FROM grants WHERE account = $1 AND relationship = 'guardian'
            AND starts <= $2 AND (ends IS NULL OR ends > $2)
          """, [SQLValue(owner), SQLValue(now)]
        ).values(as: PatientID.self)
      }
    }
    return false
  }
}

/// The columns of `grants` that describe an account's right on a patient's data.
package enum GrantedRightRow: SQLRowType {
  /// The columns of a grant.
  package enum Column: Int, SQLColumn { case patient, relationship, categories }

  /// The columns in the order of a statement.
  package static let columns = SQLColumns<Column>(of: "g")
}

/// A grant with the name of its account.
enum GrantRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case account, relationship, categories, starts, ends, displayName
  }

  static let columns = SQLColumns<Column>(of: "g", [.displayName: "a.display_name"])
}
