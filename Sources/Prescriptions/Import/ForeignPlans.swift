// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Plans
import Storage

/// Reads the origin of plans and administrations from other servers.
package enum ForeignPlans {
  /// Returns the address of a plan's prescription on the server at `base`; nil if it did not come from
  /// there.
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

  /// Returns true if a prescription belongs to a plan that came from the server at `base`.
  package static func isFrom(
    _ base: String, _ prescription: ImportPrescription, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Bool {
    guard
      let plan = try PlanSources.plan(prescription.keys.all, patient: patient, in: reader)
    else { return false }
    return try address(of: plan, below: base, patient: patient, in: reader) != nil
  }

  /// Returns true if a prescription's plan differs from everything that its sources sent, so that a person
  /// must decide.
  ///
  /// Changes by a practitioner on this server count, and so does any plan that is no longer active.
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

  /// Returns true if an administration came from elsewhere and was not recorded here.
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
  /// Returns the record made from an administration of another system; nil if there is none.
  ///
  /// - Parameter key: the key under which its source knows it.
  package static func administration(
    _ key: String, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> AdministrationID? {
    try reader.first(
      """
      SELECT administration FROM imported_administrations WHERE patient = $1 AND source_key = $2
      """, [.text(patient), .text(key)])?.value()
  }
}
