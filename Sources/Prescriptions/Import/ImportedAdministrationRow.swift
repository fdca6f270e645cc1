// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Plans
import Storage

/// A row of `imported_administrations`.
struct ImportedAdministrationRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, sourceKey, administration, digest, requestKey, plan
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let id: AdministrationID
  let imported: ImportAdministration
  let plan: PlanID?

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(patient)
    case .sourceKey: .text(imported.keys.first)
    case .administration: .text(id)
    case .digest: .text(imported.digest)
    case .requestKey: SQLValue(imported.requestKeys.first)
    case .plan: SQLValue(plan)
    }
  }
}

/// An administration whose prescription was not a plan when it was imported.
struct UnlinkedAdministration: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case sourceKey, administration
  }

  static let columns = SQLColumns<Column>()

  let sourceKey: String
  let administration: AdministrationID

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    sourceKey = try row.text(.sourceKey)
    administration = try row.id(.administration)
  }
}

/// The zone of a person, with the earlier record of an administration and the plan of its prescription's
/// first key.
enum EarlierAdministrationRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case zone, administration, digest, plan
  }

  static let columns = SQLColumns<Column>(
    of: "i", [.zone: "u.zone", .plan: "COALESCE(s.plan, p.plan)"])
}

/// The dose or plan that the answer of an administration belongs to.
enum ImportedAnswerRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, era, occurrence
  }

  static let columns = SQLColumns<Column>()
}

/// The answer `a` in an imported record, with the possible consequences of a correction.
struct CorrectedAnswerRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case plan, occurrence, nextLook, mayFollowIntake, mayNotify, mayUseSites
  }

  static let columns = SQLColumns<Column>(
    of: "a",
    [
      .nextLook: "m.next_look",
      .mayFollowIntake: """
      CASE WHEN p.kind = 'elapsed' AND p.status = 'active' AND p.unplanned_reason IS NULL
        THEN 1 ELSE 0 END
      """,
      .mayNotify: PossibleConsequences.subscription,
      .mayUseSites: PossibleConsequences.sites(of: "a.patient"),
    ])

  let plan: PlanID?
  let occurrence: String?
  let possible: PossibleConsequences

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    plan = try row.optionalID(.plan)
    occurrence = try row.optionalText(.occurrence)
    // Limits and warnings are not read, because a correction by a source asks about neither.
    possible = PossibleConsequences(
      hasLimits: true, hasWarning: true, nextLook: .read(try row.optionalTimestamp(.nextLook)),
      mayFollowIntake: try row.bool(.mayFollowIntake), stock: .unread,
      mayNotify: try row.bool(.mayNotify), mayUseSites: try row.bool(.mayUseSites))
  }
}
