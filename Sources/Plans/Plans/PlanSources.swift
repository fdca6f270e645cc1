// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import Storage

/// The identifiers and addresses by which other systems know a patient's plans.
package enum PlanSources {
  /// Returns the plan that one of the keys belongs to; earlier keys take precedence.
  package static func plan(_ keys: [String], patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> PlanID?
  {
    for key in keys {
      // Keys of other systems take precedence over a plan's address on this server.
      let row = try reader.first(
        planStatement, [.text(patient), .text(key), SQLValue(own(key))])
      if let row { return try row.read(SourcedPlanRow.self).id(.plan) }
    }
    return nil
  }

  private static let planStatement = SQLStatement(
    """
    SELECT \(SourcedPlanRow.columns) FROM plan_sources
    WHERE patient = $1 AND source_key = $2 AND plan IS NOT NULL
    UNION ALL
    SELECT \(OwnPlanRow.columns) FROM plans WHERE patient = $1 AND plan = $3
    ORDER BY 2
    """)

  /// Returns the id in a reference to a plan by its address on this server; nil for any other key.
  package static func own(_ key: String) -> String? {
    key.hasPrefix(ownAddress) ? String(key.dropFirst(ownAddress.count)) : nil
  }

  /// Records the keys of a plan; a key of another plan belongs to this one from now on.
  ///
  /// A key that two plans share continues to belong to neither.
  package static func note(
    _ keys: [String], plan: PlanID, patient: PatientID, in writer: any SQLWriter
  )
    throws(StorageError)
  {
    for key in keys where !key.contains(where: \.isNewline) {
      try writer.execute(
        """
        INSERT INTO plan_sources (patient, source_key, plan) VALUES ($1, $2, $3)
        ON CONFLICT (patient, source_key) DO UPDATE SET plan = excluded.plan
        WHERE plan_sources.plan IS NOT NULL
        """, [.text(patient), .text(key), .text(plan)])
    }
  }

  /// Records the identifiers of a request, so that a later import finds its plan.
  ///
  /// An identifier that two plans share belongs to neither, permanently.
  static func note(
    _ request: MedicationRequestView, plan: PlanID, patient: PatientID, in writer: any SQLWriter
  ) throws(StorageError) {
    for key in SourceKeys.identifiers(request.json) where !key.contains(where: \.isNewline) {
      try writer.execute(
        """
        INSERT INTO plan_sources (patient, source_key, plan) VALUES ($1, $2, $3)
        ON CONFLICT (patient, source_key) DO UPDATE
        SET plan = CASE WHEN plan_sources.plan = excluded.plan THEN excluded.plan END
        """, [.text(patient), .text(key), .text(plan)])
    }
  }

  private static let ownAddress = "MedicationRequest/"
}

/// A plan found by a source's key.
enum SourcedPlanRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, rank
  }

  static let columns = SQLColumns<Column>([.rank: "0"])
}

/// A plan with its address on this server, which comes after those of sources.
enum OwnPlanRow: SQLRowType {
  typealias Column = SourcedPlanRow.Column

  static let columns = SQLColumns<Column>([.rank: "1"])
}
