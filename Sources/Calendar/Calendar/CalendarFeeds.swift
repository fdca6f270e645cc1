// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Identifiers
import Storage

/// A calendar about a patient that an account may fetch from a secret address.
package struct CalendarFeed: Sendable, Hashable {
  /// The person whose doses it shows.
  package let patient: PatientID
  /// The account that created it.
  package let account: AccountID
  /// The last part of the address, stored only as a digest and encrypted.
  package let secret: Secret
  /// True if events name the medicines.
  package let namesMedicine: Bool
  /// The time at which the address was created.
  package let created: Timestamp
  /// The time at which a calendar last fetched it, to within 15 minutes; nil if none did.
  package let fetched: Timestamp?
}

/// The rows of `calendar_feeds`; the caller has decided that the account may see the patient's doses.
package enum CalendarFeeds {
  /// The prefix of every secret.
  package static let prefix = "rgc_"
  /// The resource of other people's feeds; the policy allows it only to the patient and guardians.
  package static let resource = "CalendarFeed"

  /// Returns the account's feed about a patient; nil if there is none or the grant under which it was created
  /// has ended.
  package static func feed(
    of patient: PatientID, account: AccountID, cipher: FieldCipher, at now: Timestamp,
    in reader: any SQLReader
  ) throws(StorageError) -> CalendarFeed? {
    try all(of: patient, cipher: cipher, at: now, in: reader).first { $0.account == account }
  }

  /// Returns all feeds of a patient, the oldest first, whoever created them.
  package static func all(
    of patient: PatientID, cipher: FieldCipher, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [CalendarFeed] {
    try reader.query(feedsStatement, [.text(patient), SQLValue(now)])
      .map { row throws(StorageError) in try read(row, cipher) }
  }

  private static let feedsStatement = SQLStatement(
    """
    SELECT \(CalendarFeedRow.columns)
    FROM calendar_feeds f WHERE f.patient = $1 AND EXISTS (SELECT 1 FROM grants g
      WHERE g.patient = f.patient AND g.account = f.account AND g.starts <= f.created
        AND (g.narrowed IS NULL OR g.narrowed < f.created) AND (g.ends IS NULL OR g.ends > $2))
    ORDER BY f.created, f.account
    """)

  /// Returns the feed with a secret; the caller decides if its account may still see the patient.
  ///
  /// A feed ends with the grant under which it was created, and when that grant shares less; a later grant
  /// does not revive it.
  package static func feed(
    by secret: Secret, cipher: FieldCipher, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> CalendarFeed? {
    guard SecretAddress.isPossible(secret, prefix: prefix) else { return nil }
    let row = try reader.first(feedStatement, [.blob(secret.digest), SQLValue(now)])
    return try row.map { row throws(StorageError) in try read(row, cipher) }
  }

  private static let feedStatement = SQLStatement(
    """
    SELECT \(CalendarFeedRow.columns)
    FROM calendar_feeds f WHERE f.secret_hash = $1 AND EXISTS (SELECT 1 FROM grants g
      WHERE g.patient = f.patient AND g.account = f.account AND g.starts <= f.created
        AND (g.narrowed IS NULL OR g.narrowed < f.created) AND (g.ends IS NULL OR g.ends > $2))
    """)

  /// Creates a feed with a new address; an earlier address stops working.
  package static func make(
    _ secret: Secret, of patient: PatientID, account: AccountID, namesMedicine: Bool,
    cipher: FieldCipher, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO calendar_feeds (patient, account, secret_hash, secret_sealed, names_medicine,
        created)
      VALUES ($1, $2, $3, $4, $5, $6)
      ON CONFLICT (patient, account) DO UPDATE SET secret_hash = excluded.secret_hash,
        secret_sealed = excluded.secret_sealed, names_medicine = excluded.names_medicine,
        created = excluded.created, fetched = NULL
      """,
      [
        .text(patient), .text(account), .blob(secret.digest),
        .blob(try cipher.seal(secret.text, context: context(secret.digest))),
        SQLValue(namesMedicine), SQLValue(now),
      ])
    SecretAddress.audit(.create, resource, of: patient, by: account, at: now, in: writer)
  }

  /// Sets whether the feed names medicines; its address stays.
  package static func change(
    namesMedicine: Bool, of patient: PatientID, account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let changed = try writer.execute(
      "UPDATE calendar_feeds SET names_medicine = $1 WHERE patient = $2 AND account = $3",
      [SQLValue(namesMedicine), .text(patient), .text(account)])
    if changed > 0 {
      SecretAddress.audit(.update, resource, of: patient, by: account, at: now, in: writer)
    }
  }

  /// Deletes a feed; its address stops working at once.
  ///
  /// The patient can also delete feeds that others created.
  package static func revoke(
    of patient: PatientID, account: AccountID, by actor: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    let removed = try writer.execute(
      "DELETE FROM calendar_feeds WHERE patient = $1 AND account = $2",
      [.text(patient), .text(account)])
    if removed > 0 {
      SecretAddress.audit(.delete, resource, of: patient, by: actor, at: now, in: writer)
    }
  }

  /// Deletes every feed of an account, about any patient.
  package static func revoke(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM calendar_feeds WHERE account = $1", [.text(account)])
  }

  /// Returns true if a fetch now should be recorded, which happens at most every 15 minutes.
  package static func isToNote(_ feed: CalendarFeed, at now: Timestamp) -> Bool {
    SecretAddress.isToNote(fetched: feed.fetched, at: now)
  }

  /// Records that a calendar fetched the feed.
  package static func note(_ feed: CalendarFeed, at now: Timestamp, in writer: any SQLWriter)
    throws(StorageError)
  {
    try writer.execute(
      "UPDATE calendar_feeds SET fetched = $1 WHERE patient = $2 AND account = $3",
      [SQLValue(now), .text(feed.patient), .text(feed.account)])
  }

  private static func read(_ row: SQLRow, _ cipher: FieldCipher) throws(StorageError)
    -> CalendarFeed
  {
    let row = row.read(CalendarFeedRow.self)
    let secret = try cipher.open(
      try row.blob(.secretSealed), context: context(try row.blob(.secretHash)))
    return CalendarFeed(
      patient: try row.id(.patient), account: try row.id(.account), secret: Secret(text: secret),
      namesMedicine: try row.bool(.namesMedicine), created: try row.timestamp(.created),
      fetched: try row.optionalTimestamp(.fetched))
  }

  private static func context(_ digest: [UInt8]) -> String {
    "calendar_feeds:\(Hexadecimal.encode(digest)):secret"
  }
}

enum CalendarFeedRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, account, secretSealed, namesMedicine, created, fetched, secretHash
  }

  static let columns = SQLColumns<Column>(of: "f")
}
