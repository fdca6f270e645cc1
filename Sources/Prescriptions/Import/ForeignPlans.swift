// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Storage

/// What is known of plans that came from another server.
package enum ForeignPlans {
  /// The address below `base` of the prescription that a plan is; nil where it is none from there.
  package static func address(
    of plan: PlanID, below base: String, patient: PatientID,
    in reader: any SQLReader
  ) throws(StorageError) -> String? {
    let keys: [String] = try reader.query(
      "SELECT source_key FROM plan_sources WHERE patient = $1 AND plan = $2 ORDER BY source_key",
      [.text(patient), .text(plan)]
    ).values()
    return keys.first { $0.hasPrefix("\(base)/") }
  }

  /// Whether a prescription is of a plan that came from this server.
  package static func isFrom(
    _ base: String, _ prescription: ImportPrescription, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard
      let plan = try PlanSources.plan(prescription.keys.all, patient: patient, in: reader)
    else { return false }
    return try address(of: plan, below: base, patient: patient, in: reader) != nil
  }

  /// Whether the plan that a prescription is of says something else now than any source did.
  ///
  /// Then a person has changed it here, and is asked. What a practitioner wrote here is such a change too, and so is
  /// a plan that does not run any more, whoever ended it.
  package static func isChangedHere(
    _ prescription: ImportPrescription, patient: PatientID, in reader: any SQLReader
  ) throws -> Bool {
    let keys = prescription.keys.all + prescription.priorKeys
    guard let plan = try PlanSources.plan(keys, patient: patient, in: reader),
      let snapshot = try PlanSnapshot.load(plan, patient: patient, in: reader)
    else { return false }
    guard snapshot.row.status == "active" else { return true }
    let current = ContentDigest.of(snapshot.request.json)
    let known = try reader.first(
      """
      SELECT 1 FROM proposals
      WHERE patient = $1 AND plan = $2 AND state = 'accepted' AND digest = $3
        AND source_key NOT LIKE 'urn:regimen:prescription|%'
      """, [.text(patient), .text(plan), .text(current)])
    return known == nil
  }

  /// Whether a record was brought in from elsewhere, rather than answered here.
  package static func isImported(
    administration: AdministrationID, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    try reader.first(
      """
      SELECT 1 FROM imported_administrations WHERE patient = $1 AND administration = $2
      """, [.text(patient), .text(administration)]) != nil
  }
}

extension ForeignPlans {
  /// The record that was made of an administration from elsewhere, by its identifier.
  package static func administration(
    _ key: String, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> AdministrationID? {
    try reader.first(
      """
      SELECT administration FROM imported_administrations WHERE patient = $1 AND source_key = $2
      """, [.text(patient), .text(key)])?.value()
  }
}
