// SPDX-License-Identifier: Apache-2.0

import Accounts
import Encodings
import Identifiers
import Storage

/// The rows of `stickers`; the caller has decided that the account may answer for the patient.
package enum Stickers {
  /// The prefix of every sticker's secret.
  package static let prefix = "rgn_"
  /// The resource in the audit trail.
  package static let resource = "Sticker"
  /// The maximum number of stickers of one patient.
  package static let most = 100
  /// The maximum number of characters of a name.
  package static let longestName = 60

  /// Returns the secret of a sticker, derived from its id with a key outside the database, so that
  /// its label can be printed again.
  package static func secret(_ id: String, of patient: PatientID, cipher: FieldCipher) -> Secret {
    let code = cipher.blindIndex("\(patient):\(id)", context: "stickers:secret")
    return Secret(text: prefix + Base64URL.encode(code))
  }

  /// Returns all stickers of a patient, the oldest first.
  package static func all(
    of patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> [Sticker] {
    try reader.query(listStatement, [.text(patient)])
      .map { row throws(StorageError) in try read(row) }
  }

  private static let listStatement = SQLStatement(
    """
    SELECT \(StickerRow.columns) FROM stickers s WHERE s.patient = $1
    ORDER BY s.created, s.sticker
    """)

  /// Returns the sticker with a secret; nil if there is none, or if it was revoked.
  package static func sticker(
    by secret: Secret, in reader: any SQLReader
  ) throws(StorageError) -> Sticker? {
    guard SecretAddress.isPossible(secret, prefix: prefix) else { return nil }
    let row = try reader.first(oneStatement, [.blob(secret.digest)])
    return try row.map { row throws(StorageError) in try read(row) }
  }

  private static let oneStatement = SQLStatement(
    "SELECT \(StickerRow.columns) FROM stickers s WHERE s.secret_hash = $1")

  /// Makes a sticker for a checked name; returns false if the patient already has ``most``.
  package static func make(
    _ sticker: Sticker, by account: AccountID, cipher: FieldCipher, in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let count = try writer.first(
      "SELECT COUNT(*) FROM stickers WHERE patient = $1", [.text(sticker.patient)]
    )?.value(as: Int.self)
    guard count ?? 0 < most else { return false }
    var minute: Int?
    if case .place(let time) = sticker.subject { minute = time }
    try writer.execute(
      """
      INSERT INTO stickers (patient, sticker, secret_hash, name, plan, minute, created)
      VALUES ($1, $2, $3, $4, $5, $6, $7)
      """,
      [
        .text(sticker.patient), .text(sticker.id),
        .blob(secret(sticker.id, of: sticker.patient, cipher: cipher).digest),
        .text(sticker.name), SQLValue(sticker.plan), SQLValue(minute), SQLValue(sticker.created),
      ])
    SecretAddress.audit(
      .create, resource, of: sticker.patient, by: account, at: sticker.created, in: writer)
    return true
  }

  /// Deletes a sticker, whose address stops working at once; returns false if there is none.
  package static func end(
    _ id: String, of patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) -> Bool {
    let removed = try writer.execute(
      "DELETE FROM stickers WHERE patient = $1 AND sticker = $2", [.text(patient), .text(id)])
    if removed > 0 {
      SecretAddress.audit(.delete, resource, of: patient, by: account, at: now, in: writer)
    }
    return removed > 0
  }

  /// Records that an answer came by a sticker.
  package static func use(
    _ sticker: Sticker, at now: Timestamp, in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      "UPDATE stickers SET used = $1 WHERE patient = $2 AND sticker = $3",
      [SQLValue(now), .text(sticker.patient), .text(sticker.id)])
  }

  private static func read(_ row: SQLRow) throws(StorageError) -> Sticker {
    let row = row.read(StickerRow.self)
    let plan: PlanID? = try row.optionalID(.plan)
    let minute = try row.optionalInteger(.minute).map { Int(clamping: $0) }
    return Sticker(
      id: try row.text(.sticker), patient: try row.id(.patient), name: try row.text(.name),
      subject: plan.map { .medicine($0) } ?? .place(minute: minute),
      created: try row.timestamp(.created), used: try row.optionalTimestamp(.used))
  }
}

enum StickerRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case patient, sticker, name, plan, minute, created, used
  }

  static let columns = SQLColumns<Column>(of: "s")
}
