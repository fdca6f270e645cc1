// SPDX-License-Identifier: Apache-2.0

import Access
import Accounts
import Identifiers
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
    guard try all(of: patient, in: writer).count < most else { throw WatchError.value }
    try writer.execute(
      """
      INSERT INTO heart_glances (patient, glance, secret_hash, account, created)
      VALUES ($1, $2, $3, $4, $5)
      """,
      [
        .text(patient), .text(context.newIdentifier()), .blob(secret.digest),
        .text(context.actor.accountID), SQLValue(context.now),
      ])
    WatchCommands.audit(patient, context, in: writer)
  }

  /// Ends an address at once.
  package static func remove(
    _ id: String, of patient: PatientID, _ context: CommandContext, in writer: any SQLWriter
  ) throws {
    _ = try VitalCommands.authorize(.update, patient: patient, context)
    let count = try writer.execute(
      "DELETE FROM heart_glances WHERE patient = $1 AND glance = $2",
      [.text(patient), .text(id)])
    guard count == 1 else { throw WatchError.notFound }
    WatchCommands.audit(patient, context, in: writer)
  }

  /// The addresses of a patient, the oldest first.
  package static func all(of patient: PatientID, in reader: any SQLReader) throws(StorageError)
    -> [(id: String, created: Timestamp)]
  {
    var found: [(id: String, created: Timestamp)] = []
    for row in try reader.query(
      "SELECT glance, created FROM heart_glances WHERE patient = $1 ORDER BY created, glance",
      [.text(patient)])
    { found.append((try row.text(0), try row.timestamp(1))) }
    return found
  }

  /// Whose figures an address shows, and whose account made it; nil where there is none, or where who made it
  /// does not act for the patient any more.
  package static func patient(of secret: Secret, at now: Timestamp, in reader: any SQLReader)
    throws(StorageError) -> (patient: PatientID, account: AccountID)?
  {
    guard
      let row = try reader.first(
        """
        SELECT h.patient, h.account FROM heart_glances h
        WHERE h.secret_hash = $1 AND EXISTS (SELECT 1 FROM grants g
          WHERE g.patient = h.patient AND g.account = h.account
            AND g.relationship IN ('self', 'guardian') AND g.starts <= $2
            AND g.starts <= h.created
            AND (g.ends IS NULL OR g.ends > $2))
        """, [.blob(secret.digest), SQLValue(now)])
    else { return nil }
    return (try row.id(0), try row.id(1))
  }
}
