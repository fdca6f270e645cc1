// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// Under which identifiers and addresses other systems know the plans of a patient.
enum PlanSources {
  /// The plan that one of the keys leads to, the first key first.
  static func plan(_ keys: [String], patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> PlanID?
  {
    for key in keys {
      let row = try reader.first(
        "SELECT plan FROM plan_sources WHERE patient = $1 AND source_key = $2",
        [.text(patient), .text(key)])
      if let plan = try row?.text(0), plan != ambiguous { return PlanID(plan) }
      // A reference to a plan by its address on this server.
      if key.hasPrefix("MedicationRequest/") {
        let id = String(key.dropFirst("MedicationRequest/".count))
        if try PlanRows.load(PlanID(id), patient: patient, in: reader) != nil { return PlanID(id) }
      }
    }
    return nil
  }

  /// Notes the keys of a plan; a key that led to another plan leads to this one from now on.
  static func note(_ keys: [String], plan: PlanID, patient: PatientID, in writer: any SQLWriter)
    throws(StorageError)
  {
    for key in keys where !key.contains(where: \.isNewline) {
      try writer.execute(
        """
        INSERT INTO plan_sources (patient, source_key, plan) VALUES ($1, $2, $3)
        ON CONFLICT (patient, source_key) DO UPDATE SET plan = excluded.plan
        """, [.text(patient), .text(key), .text(plan)])
    }
  }

  /// Notes the identifiers of a request, so that a later import finds its plan.
  ///
  /// One that two plans share leads to neither.
  static func note(
    _ request: MedicationRequestView, plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    for key in SourceKeys.identifiers(request.json) where !key.contains(where: \.isNewline) {
      try writer.execute(
        """
        INSERT INTO plan_sources (patient, source_key, plan) VALUES ($1, $2, $3)
        ON CONFLICT (patient, source_key) DO UPDATE
        SET plan = CASE WHEN plan_sources.plan = excluded.plan THEN excluded.plan ELSE $4 END
        """, [.text(patient), .text(key), .text(plan), .text(ambiguous)])
    }
  }

  private static let ambiguous = ""
}
