// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
import Observations
import People
import Storage

/// Addresses that show a few figures of a person's heart rate to whoever has them.
package enum Glances {
  package static let prefix = "rgg_"
  package static let most = 10

  /// Makes an address; its secret is told this once.
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

  /// Ends an address at once.
  package static func remove(
    _ id: String, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.update, patient: patient, context)
    let count = try writer.execute(
      "DELETE FROM heart_rate_glances WHERE patient = $1 AND glance = $2",
      [.text(patient), .text(id)])
    guard count == 1 else { throw HeartRateError.notFound }
    HeartRateCommands.audit(patient, context, in: writer)
  }

  /// Ends every address that an account made, of any patient.
  package static func remove(of account: AccountID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM heart_rate_glances WHERE account = $1", [.text(account)])
  }

  /// The addresses of a patient, the oldest first.
  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [(id: String, created: Timestamp)]
  {
    try reader.query(glancesStatement, [.text(patient)]).map { row throws(StorageError) in
      let glance = row.read(GlanceRow.self)
      return (id: try glance.text(.glance), created: try glance.timestamp(.created))
    }
  }

  private static let glancesStatement = SQLStatement(
    """
    SELECT \(GlanceRow.columns) FROM heart_rate_glances WHERE patient = $1 ORDER BY created, glance
    """)

  /// Whose figures an address shows, and whose account made it; nil where there is none, or where who made it
  /// does not act for the patient any more.
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
