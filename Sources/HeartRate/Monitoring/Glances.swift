// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Observations
import People
import Storage

/// Secret addresses that show a few of a person's heart rate statistics to anyone who has them.
package enum Glances {
  /// The prefix of every secret, which identifies its kind.
  package static let prefix = "rgg_"
  /// The maximum number of addresses of one patient.
  package static let most = 10

  /// Creates an address for a secret, of which only the digest is stored.
  ///
  /// - Throws: ``HeartRateError/value`` if the patient already has ``most`` addresses.
  package static func make(
    _ secret: Secret, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.update, patient: patient, context)
    guard try all(of: patient, in: writer).count < most else { throw HeartRateError.value }
    try writer.execute(
      """
      INSERT INTO heart_rate_glances (patient, glance, secret_hash, account, created)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .text(patient), .text(context.newIdentifier()), .blob(secret.digest),
        .text(context.actor.accountID), SQLValue(context.now),
      ])
    HeartRateCommands.audit(patient, context, in: writer)
  }

  /// Removes an address, which stops working at once.
  ///
  /// - Throws: ``HeartRateError/notFound`` if the patient has no such address.
  package static func remove(
    _ id: GlanceID, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.update, patient: patient, context)
    let count = try writer.execute(
      "DELETE FROM heart_rate_glances WHERE patient = $1 AND glance = $2",
      [.text(patient), .text(id)])
    guard count == 1 else { throw HeartRateError.notFound }
    HeartRateCommands.audit(patient, context, in: writer)
  }

  /// Removes every address that an account made, of any patient.
  package static func remove(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM heart_rate_glances WHERE account = $1", [.text(account)])
  }

  /// Returns the addresses of a patient, without their secrets, the oldest first.
  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [(id: GlanceID, created: Timestamp)]
  {
    try reader.query(glancesStatement, [.text(patient)]).map { row throws(StorageError) in
      let glance = row.read(GlanceRow.self)
      return (id: try glance.id(.glance), created: try glance.timestamp(.created))
    }
  }

  private static let glancesStatement = SQLStatement(
    """
    SELECT \(GlanceRow.columns) FROM heart_rate_glances WHERE patient = $1 ORDER BY created, glance
    """)

  /// Returns the patient that an address shows and the account that made it.
  ///
  /// Returns nil if there is no such address, or if the account no longer acts for the patient as that
  /// person or a guardian.
  package static func patient(of secret: Secret, at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> (patient: PatientID, account: AccountID)?
  {
    let row = try reader.first(glanceStatement, [.blob(secret.digest), SQLValue(now)])
    guard let owner = row?.read(GlanceOwnerRow.self) else { return nil }
    return (try owner.id(.patient), try owner.id(.account))
  }

  private static let glanceStatement = SQLStatement(
    """
    SELECT \(GlanceOwnerRow.columns) FROM heart_rate_glances h
    WHERE h.secret_hash = $1 AND EXISTS (SELECT 1 FROM grants g
      WHERE g.patient = h.patient AND g.account = h.account
        AND g.relationship IN ('self', 'guardian') AND g.starts <= $2
        AND g.starts <= h.created
        AND (g.ends IS NULL OR g.ends > $2))
    """)
}

enum GlanceRow: SQLRowType {
  enum Column: Int, SQLColumn { case glance, created }

  static let columns = SQLColumns<Column>()
}

enum GlanceOwnerRow: SQLRowType {
  enum Column: Int, SQLColumn { case patient, account }

  static let columns = SQLColumns<Column>(of: "h")
}
