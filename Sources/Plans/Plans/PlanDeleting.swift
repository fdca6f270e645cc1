// SPDX-License-Identifier: Apache-2.0
import Access
import Identifiers
import People
import Records
import Storage

extension PlanCommands {
  /// Deletes the prescription of a plan: future doses are cancelled, and what was taken stays.
  ///
  /// The plan itself stays as one that was entered in error, since answers refer to it. Putting the
  /// resource again brings it back.
  ///
  /// - Parameter ifVersion: The version that the caller saw; nil to skip the check.
  /// - Returns: The deletion as a version.
  /// - Throws: `notFound` for a plan that does not exist or was deleted already, `versionConflict`.
  package static func delete(
    _ plan: PlanID, ifVersion: Int64?, context: CommandContext, in writer: any SQLWriter
  ) throws(PlanError) -> StoredRecord {
    try planning {
      let records = RecordStore()
      guard
        let patient = try records.patient(of: "MedicationRequest", id: plan.text, in: writer)
      else { throw PlanError.notFound }
      let authorization = try authorize(.delete, patient: patient, context)
      // A deleted plan has no version that could be deleted again.
      _ = try records.read(
        "MedicationRequest", plan.text, authorization: try PlanSnapshot.planner(patient),
        in: writer)
      var version = ifVersion
      if let before = try PlanSnapshot.load(plan, patient: patient, in: writer),
        !hasEnded(before.row.status)
      {
        version = try changeStatus(
          of: before, to: "entered-in-error", reason: nil, ifVersion: ifVersion, context, in: writer
        ).version
      }
      return try records.delete(
        "MedicationRequest", plan.text, ifVersion: version, authorization: authorization,
        at: context.now, in: writer)
    }
  }
}
