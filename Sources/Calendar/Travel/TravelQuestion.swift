// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Storage

/// The question what medicines do in another time zone, which somebody may put off.
package enum TravelQuestion {
  /// The zone for which an account put it off; nil where it is to be asked.
  package static func putOff(
    _ patient: PatientID, account: AccountID, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> String? {
    try reader.first(
      """
      SELECT zone FROM travel_questions WHERE patient = $1 AND account = $2 AND put_off > $3
      """,
      [
        .text(patient), .text(account),
        SQLValue(now.adding(milliseconds: -FeaturesInUse.travelRest)),
      ]
    )?.value(as: String.self)
  }

  /// Puts it off for a zone; for any other it comes again.
  package static func putOff(
    for zone: String, patient: PatientID, account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    try writer.execute(
      """
      INSERT INTO travel_questions (patient, account, zone, put_off) VALUES ($1, $2, $3, $4)
      ON CONFLICT (patient, account) DO UPDATE SET zone = excluded.zone,
        put_off = excluded.put_off
      """, [.text(patient), .text(account), .text(zone), SQLValue(now)])
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: "JourneyQuestion",
        resourceID: nil, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }

  /// A zone was chosen: whatever was put off is a question of the past.
  static func settle(_ patient: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM travel_questions WHERE patient = $1", [.text(patient)])
  }
}

extension ZoneConsequence {
  /// Settles the question what medicines do in another time zone.
  package static let travelQuestion = ZoneConsequence(
    "journey question"
  ) { (patient, _, writer) throws(StorageError) in
    try TravelQuestion.settle(patient, in: writer)
  }
}
