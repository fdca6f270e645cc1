// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import Storage

/// Whether a person's first page asks one question at a time.
///
/// Chosen by the person or by a guardian; the caller has decided that the account may.
package enum SimpleView {
  package static func isChosen(by patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> Bool
  {
    try reader.first(
      "SELECT account FROM simple_views WHERE patient = $1", [.text(patient)]) != nil
  }

  package static func choose(
    _ isChosen: Bool, for patient: PatientID, by account: AccountID, at now: Timestamp,
    in writer: any SQLWriter
  ) throws(StorageError) {
    if isChosen {
      try writer.execute(
        """
        INSERT INTO simple_views (patient, account, since) VALUES ($1, $2, $3)
        ON CONFLICT (patient) DO NOTHING
        """, [.text(patient), .text(account), SQLValue(now)])
    } else {
      try writer.execute("DELETE FROM simple_views WHERE patient = $1", [.text(patient)])
    }
    writer.audit(
      AuditEntry(
        at: now, actor: account, kind: .update, patient: patient, resource: "Patient",
        resourceID: patient.text, version: nil, purpose: Purpose.care.rawValue, outcome: .success))
  }
}
