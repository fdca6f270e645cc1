// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Storage

/// The rows of `home_links` and `home_places`; the caller has decided that the account may see the person's doses.
///
/// A link ends with the grant under which it was made, and when that grant shares less; a later grant does not
/// revive it.
package enum HomeLinkStore {
  /// Returns the links of a person that are in force, the oldest first.
  package static func all(
    of patient: PatientID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [HomeLink] {
    try links(of: [patient], at: now, in: reader)
  }

  /// Returns the links of some people that are in force, the oldest first.
  package static func links(
    of patients: [PatientID], at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [HomeLink] {
    if patients.isEmpty { return [] }
    return try reader.query(
      """
      SELECT \(HomeLinkRow.columns) FROM home_links h WHERE EXISTS (SELECT 1 FROM grants g
        WHERE g.patient = h.patient AND g.account = h.account AND g.starts <= h.created
          AND (g.narrowed IS NULL OR g.narrowed < h.created) AND (g.ends IS NULL OR g.ends > $1))
        AND h.patient IN (
      """, [SQLValue(now)], in: patients.map { .text($0) }, " ORDER BY h.created, h.place"
    ).map { row throws(StorageError) in try HomeLink(row) }
  }

  /// Returns all links that are in force.
  package static func all(
    at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [HomeLink] {
    try reader.query(allStatement, [SQLValue(now)]).map { row throws(StorageError) in
      try HomeLink(row)
    }
  }

  private static let allStatement = SQLStatement(
    """
    SELECT \(HomeLinkRow.columns) FROM home_links h WHERE EXISTS (SELECT 1 FROM grants g
      WHERE g.patient = h.patient AND g.account = h.account AND g.starts <= h.created
        AND (g.narrowed IS NULL OR g.narrowed < h.created) AND (g.ends IS NULL OR g.ends > $1))
    """)

  /// Returns the places on the broker that no link in force uses: what is published there must be removed.
  package static func abandoned(
    at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [String] {
    try reader.query(
      """
      SELECT p.place FROM home_places p WHERE NOT EXISTS (SELECT 1 FROM home_links h
        JOIN grants g ON g.patient = h.patient AND g.account = h.account
        WHERE h.place = p.place AND g.starts <= h.created
          AND (g.narrowed IS NULL OR g.narrowed < h.created) AND (g.ends IS NULL OR g.ends > $1))
      ORDER BY p.place
      """, [SQLValue(now)]
    ).values(as: String.self)
  }

  /// Turns a person on for an account, or changes if medicines are named.
  ///
  /// - Parameter place: The place of a new link, which no one can guess.
  package static func turnOn(
    _ patient: PatientID, for account: AccountID, namesMedicine: Bool, place: String,
    at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    let known = try all(of: patient, at: now, in: writer).contains { $0.account == account }
    if known {
      try writer.execute(
        "UPDATE home_links SET names_medicine = $1 WHERE patient = $2 AND account = $3",
        [SQLValue(namesMedicine), .text(patient), .text(account)])
      audit(.update, patient, account, now, in: writer)
      return
    }
    // One that ended with its grant gets a new place.
    try writer.execute(
      "DELETE FROM home_links WHERE patient = $1 AND account = $2",
      [.text(patient), .text(account)])
    try writer.execute(
      "INSERT INTO home_places (place, created) VALUES ($1, $2)", [.text(place), SQLValue(now)])
    try writer.execute(
      """
      INSERT INTO home_links (patient, account, place, names_medicine, created)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .text(patient), .text(account), .text(place), SQLValue(namesMedicine), SQLValue(now),
      ])
    audit(.create, patient, account, now, in: writer)
  }

  /// Turns a person off for an account; returns false if it was not on.
  ///
  /// - Parameter actor: The account that does so.
  package static func turnOff(
    _ patient: PatientID, for account: AccountID, by actor: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let removed = try writer.execute(
      "DELETE FROM home_links WHERE patient = $1 AND account = $2",
      [.text(patient), .text(account)])
    if removed > 0 { audit(.delete, patient, actor, now, in: writer) }
    return removed > 0
  }

  /// Turns off every person whom an account turned on.
  package static func end(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM home_links WHERE account = $1", [.text(account)])
  }

  /// Forgets a place, once the broker has forgotten it; one that a link uses stays.
  package static func forget(_ place: String, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM home_places WHERE place = $1", [.text(place)])
  }

  private static func audit(
    _ kind: AuditEntry.Kind, _ patient: PatientID, _ account: AccountID, _ now: Timestamp,
    in writer: any SQLWriter
  ) {
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: kind, patient: patient, resource: HomeLink.resource,
        purpose: "care"))
  }
}
