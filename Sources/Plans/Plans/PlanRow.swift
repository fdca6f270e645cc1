// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage

/// A row of `plans` with the zone of its current and of its first era.
package struct PlanRow: Sendable, Hashable, SQLRowType {
  package enum Column: Int, SQLColumn {
    case patient, plan, requestVersion, status, unplannedReason, medicineName
    case ingredients, policy, era, kind, anchor, anchorDate, activeFrom
    case minimumGap, plannedThrough, created, changed, zone, firstZone, eraSignature
    case shownName
  }

  package static let columns = SQLColumns<Column>(
    of: "p", [.zone: "e.zone", .firstZone: "f.zone", .eraSignature: "e.kind"])

  /// The tables that the columns come from.
  static let tables: SQLText = """
    plans p
    JOIN plan_eras e ON e.patient = p.patient AND e.plan = p.plan AND e.era = p.era
    JOIN plan_eras f ON f.patient = p.patient AND f.plan = p.plan AND f.era = 1
    """

  /// Stands in `active_from` while the plan was never active.
  static let never = Timestamp(milliseconds: .max)
  /// Stands in `planned_through` when no more doses can come.
  package static let complete = Timestamp(milliseconds: .max)

  package let patient: PatientID
  package let plan: PlanID
  var requestVersion: Int64
  package var status: String
  package var unplanned: UnplannedReason?
  /// The name as written in the prescription.
  package var medicineName: String
  /// The name shown to people; nil until ``PlanRereading`` has filled it in.
  var storedShownName: String?
  /// Keys, one per line.
  package var ingredients: String
  package var policy: ZonePolicy
  package var era: Int64
  package var kind: PlanKind
  var anchor: Timestamp
  package var anchorDate: CivilDate
  package var activeFrom: Timestamp
  package var minimumGap: Int64?
  package var plannedThrough: Timestamp
  let created: Timestamp
  package var changed: Timestamp
  package var zone: String
  let firstZone: String
  var eraSignature: String

  /// The name shown to people; see ``ShownName``.
  package var shownName: String { storedShownName ?? medicineName }

  package var isRinging: Bool { status == "active" && unplanned == nil }
}

extension PlanRow: SQLReadableRow {
  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    let reason = try row.optionalText(.unplannedReason)
    let unplanned = reason.flatMap { UnplannedReason(code: $0) }
    guard (reason == nil) == (unplanned == nil) else { throw row.unexpected(.unplannedReason) }
    guard let anchorDate = CivilDate(text: try row.text(.anchorDate)) else {
      throw row.unexpected(.anchorDate)
    }
    self.init(
      patient: try row.id(.patient), plan: try row.id(.plan),
      requestVersion: try row.integer(.requestVersion), status: try row.text(.status),
      unplanned: unplanned, medicineName: try row.text(.medicineName),
      storedShownName: try row.optionalText(.shownName),
      ingredients: try row.text(.ingredients), policy: try row.named(.policy),
      era: try row.integer(.era), kind: try row.named(.kind),
      anchor: try row.timestamp(.anchor), anchorDate: anchorDate,
      activeFrom: try row.timestamp(.activeFrom),
      minimumGap: try row.optionalInteger(.minimumGap),
      plannedThrough: try row.timestamp(.plannedThrough), created: try row.timestamp(.created),
      changed: try row.timestamp(.changed), zone: try row.text(.zone),
      firstZone: try row.text(.firstZone), eraSignature: try row.text(.eraSignature))
  }
}

/// The columns of `plans` that planning writes.
struct WrittenPlanRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, requestVersion, status, unplannedReason, medicineName
    case ingredients, policy, era, kind, anchor, anchorDate, activeFrom, minimumGap
    case plannedThrough, created, changed, shownName
  }

  static let columns = SQLColumns<Column>()

  let plan: PlanRow

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(plan.patient)
    case .plan: .text(plan.plan)
    case .requestVersion: .integer(plan.requestVersion)
    case .status: .text(plan.status)
    case .unplannedReason: SQLValue(plan.unplanned?.code)
    case .medicineName: .text(plan.medicineName)
    case .ingredients: .text(plan.ingredients)
    case .policy: .text(plan.policy.rawValue)
    case .era: .integer(plan.era)
    case .kind: .text(plan.kind.rawValue)
    case .anchor: SQLValue(plan.anchor)
    case .anchorDate: .text(plan.anchorDate.text)
    case .activeFrom: SQLValue(plan.activeFrom)
    case .minimumGap: SQLValue(plan.minimumGap)
    case .plannedThrough: SQLValue(plan.plannedThrough)
    case .created: SQLValue(plan.created)
    case .changed: SQLValue(plan.changed)
    case .shownName: SQLValue(plan.storedShownName)
    }
  }
}

/// A row of `plan_eras`: a stretch of a plan's life with one zone and one set of rules.
struct PlanEraRow: SQLWritableRow {
  enum Column: Int, SQLColumn {
    case patient, plan, era, zone, kind, starts
  }

  static let columns = SQLColumns<Column>()

  let plan: PlanRow
  let starts: Timestamp

  func value(of column: Column) -> SQLValue {
    switch column {
    case .patient: .text(plan.patient)
    case .plan: .text(plan.plan)
    case .era: .integer(plan.era)
    case .zone: .text(plan.zone)
    case .kind: .text(plan.eraSignature)
    case .starts: SQLValue(starts)
    }
  }
}

/// The id of a plan with its patient.
struct PlanKeyRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, plan
  }

  static let columns = SQLColumns<Column>()

  let patient: PatientID
  let plan: PlanID

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    plan = try row.id(.plan)
  }
}

/// The limits and the prescription of a plan, which follow its own columns.
enum PlanRequestRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case limits, body
  }

  static let columns = SQLColumns<Column>(of: "r", [.limits: "l.limits"])
}

/// The id of a plan with its patient, and when it last changed.
package struct PlanChangeRow: SQLReadableRow {
  package enum Column: Int, SQLColumn {
    case patient, plan, changed
  }

  package static let columns = SQLColumns<Column>()

  package let patient: PatientID
  package let plan: PlanID
  package let changed: Timestamp

  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    plan = try row.id(.plan)
    changed = try row.timestamp(.changed)
  }
}

extension Medicine {
  /// The medicine of a plan.
  package init(_ row: PlanRow) {
    self.init(
      plan: row.plan, name: row.medicineName, shownName: row.shownName,
      ingredients: row.ingredients)
  }
}
