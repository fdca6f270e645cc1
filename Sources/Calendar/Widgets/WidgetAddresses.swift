// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// A secret address from which widgets and watch faces read a person's doses.
package struct WidgetAddress: Sendable, Hashable {
  /// The identifier, which gives no access.
  package let id: String
  /// The person whose doses it shows.
  package let patient: PatientID
  /// The account that created it.
  package let account: AccountID
  /// True if it names the medicines.
  package let namesMedicine: Bool
  /// The time at which it was created.
  package let created: Timestamp
  /// The time at which a widget last read it, to within 15 minutes; nil if none did.
  package let fetched: Timestamp?
}

/// The rows of `widget_addresses`; the caller has decided that the account may see the patient's doses.
package enum WidgetAddresses {
  /// The prefix of every secret, which identifies its kind.
  package static let prefix = "rgw_"
  /// The resource of other people's addresses; the policy allows it only to the patient and
  /// guardians.
  package static let resource = "WidgetAddress"
  /// The maximum number of addresses of one patient.
  package static let most = 20

  /// Returns all addresses of a patient whose grant is still the one under which they were created, the
  /// oldest first.
  package static func all(
    of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [WidgetAddress] {
    try reader.query(listStatement, [.text(patient), SQLValue(now)])
      .map { row throws(StorageError) in try read(row) }
  }

  private static let listStatement = SQLStatement(
    """
    SELECT \(WidgetAddressRow.columns)
    FROM widget_addresses w WHERE w.patient = $1 AND EXISTS (SELECT 1 FROM grants g
      WHERE g.patient = w.patient AND g.account = w.account AND g.starts <= w.created
        AND (g.narrowed IS NULL OR g.narrowed < w.created) AND (g.ends IS NULL OR g.ends > $2))
    ORDER BY w.created, w.address
    """)

  /// Returns the address with a secret; the caller decides if its account may still see the patient.
  ///
  /// An address ends with the grant under which it was created, and when that grant shares less; a later
  /// grant does not revive it.
  package static func address(
    by secret: Secret, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> WidgetAddress? {
    guard SecretAddress.isPossible(secret, prefix: prefix) else { return nil }
    let row = try reader.first(oneStatement, [.blob(secret.digest), SQLValue(now)])
    return try row.map { row throws(StorageError) in try read(row) }
  }

  private static let oneStatement = SQLStatement(
    """
    SELECT \(WidgetAddressRow.columns)
    FROM widget_addresses w WHERE w.secret_hash = $1 AND EXISTS (SELECT 1 FROM grants g
      WHERE g.patient = w.patient AND g.account = w.account AND g.starts <= w.created
        AND (g.narrowed IS NULL OR g.narrowed < w.created) AND (g.ends IS NULL OR g.ends > $2))
    """)

  /// Creates an address for a secret, of which only the digest is stored.
  ///
  /// Returns false if the patient already has ``most`` addresses.
  package static func make(
    _ secret: Secret, id: String, of patient: PatientID, account: AccountID, namesMedicine: Bool,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let count = try writer.first(
      "SELECT COUNT(*) FROM widget_addresses WHERE patient = $1", [.text(patient)]
    )?.value(as: Int.self)
    guard count ?? 0 < most else { return false }
    try writer.execute(
      """
      INSERT INTO widget_addresses (patient, address, secret_hash, account, names_medicine, created)
      VALUES ($1, $2, $3, $4, $5, $6)
      """,
      [
        .text(patient), .text(id), .blob(secret.digest), .text(account),
        SQLValue(namesMedicine), SQLValue(now),
      ])
    SecretAddress.audit(.create, resource, of: patient, by: account, at: now, in: writer)
    return true
  }

  /// Deletes an address, which stops working at once; returns false if there is none.
  ///
  /// - Parameter account: the account whose addresses may be deleted; nil for those of everyone.
  package static func end(
    _ id: String, of patient: PatientID, madeBy account: AccountID?, by actor: AccountID,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let removed =
      if let account {
        try writer.execute(
          "DELETE FROM widget_addresses WHERE patient = $1 AND address = $2 AND account = $3",
          [.text(patient), .text(id), .text(account)])
      } else {
        try writer.execute(
          "DELETE FROM widget_addresses WHERE patient = $1 AND address = $2",
          [.text(patient), .text(id)])
      }
    if removed > 0 {
      SecretAddress.audit(.delete, resource, of: patient, by: actor, at: now, in: writer)
    }
    return removed > 0
  }

  /// Deletes every address that an account made, about any patient.
  package static func end(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM widget_addresses WHERE account = $1", [.text(account)])
  }

  /// Returns true if a fetch now should be recorded, which happens at most every 15 minutes.
  package static func isToNote(_ address: WidgetAddress, at now: Timestamp) -> Bool {
    SecretAddress.isToNote(fetched: address.fetched, at: now)
  }

  /// Records that a widget read the address.
  package static func note(
    _ address: WidgetAddress, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE widget_addresses SET fetched = $1 WHERE patient = $2 AND address = $3",
      [SQLValue(now), .text(address.patient), .text(address.id)])
  }

  private static func read(_ row: SQLRow) throws(StorageError) -> WidgetAddress {
    let row = row.read(WidgetAddressRow.self)
    return WidgetAddress(
      id: try row.text(.address), patient: try row.id(.patient), account: try row.id(.account),
      namesMedicine: try row.bool(.namesMedicine), created: try row.timestamp(.created),
      fetched: try row.optionalTimestamp(.fetched))
  }
}

enum WidgetAddressRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, address, account, namesMedicine, created, fetched
  }

  static let columns = SQLColumns<Column>(of: "w")
}
