// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Storage

/// The question how medicines should follow another time zone, which an account may put off.
package enum TravelQuestion {
  /// Returns the zone for which an account put the question off in the last 14 days; nil if it did
  /// not.
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

  /// Puts the question off for a zone; in any other zone it is asked again.
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

  /// Deletes postponed questions, because a zone was selected.
  static func settle(_ patient: PatientID, in writer: any SQLWriter) throws(StorageError) {
    try writer.execute("DELETE FROM travel_questions WHERE patient = $1", [.text(patient)])
  }
}

extension ZoneConsequence {
  /// Deletes the postponed question once the zone has changed.
  package static let travelQuestion = ZoneConsequence(
    "journey question"
  ) { (patient, _, writer) throws(StorageError) in
    try TravelQuestion.settle(patient, in: writer)
  }
}
