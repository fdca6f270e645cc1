// SPDX-License-Identifier: Apache-2.0

import Accounts
import Identifiers
import Plans
import Storage

/// Reads a practitioner's prescriptions; the caller has checked the access to the patient.
package enum PrescriptionQueries {
  /// Returns the proposals of a practitioner that the patient has not answered, in the order in which they
  /// were sent.
  package static func waiting(
    of patient: PatientID, by account: AccountID, in reader: any SQLReader
  ) throws(StorageError) -> [Proposal] {
    let own = Set(
      try reader.query(
        """
        SELECT proposal FROM proposals
        WHERE patient = $1 AND state = 'open' AND created_by = $2
        """, [.text(patient), .text(account)]
      ).values(as: ProposalID.self))
    return try ProposalRows.open(patient: patient, in: reader)
      .filter { own.contains($0.id) && $0.isPrescribed }
  }

  /// Returns the proposals of a practitioner that the patient declined since a time; at most 20, the latest
  /// first.
  package static func declined(
    of patient: PatientID, by account: AccountID, since: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> [Proposal] {
    let ids: [ProposalID] = try reader.query(
      """
      SELECT proposal FROM proposals
      WHERE patient = $1 AND state = 'declined' AND created_by = $2 AND decided >= $3
      ORDER BY decided DESC, proposal LIMIT 20
      """, [.text(patient), .text(account), SQLValue(since)]
    ).values()
    var found: [Proposal] = []
    for id in ids {
      if let one = try ProposalRows.load(id, patient: patient, in: reader),
        one.isPrescribed
      {
        found.append(one)
      }
    }
    return found
  }

  /// Returns the practitioner who prescribed a plan, and whether they still have access to the patient; nil
  /// if no practitioner of this server did.
  package static func prescriber(
    of plan: Plan, accounts: AccountStore, at now: Timestamp, in reader: any SQLReader
  ) throws(StorageError) -> (prescriber: Prescriber, lasts: Bool)? {
    guard let prescriber = Prescriber(plan.request) else { return nil }
    let right = try accounts.careRight(
      prescriber.account, of: plan.patient, at: now, in: reader)
    return (prescriber, right != nil)
  }
}
