// SPDX-License-Identifier: Apache-2.0
import Identifiers
import Scheduling
import Storage

/// A row of `plans` with the zone of its current and of its first era.
package struct PlanRow: Sendable, Hashable, SQLRowType {
  /// The columns of a plan and of two of its eras.
  package enum Column: Int, SQLColumn {
    case patient, plan, requestVersion, status, unplannedReason, medicineName
    case ingredients, policy, era, kind, anchor, anchorDate, activeFrom
    case minimumGap, plannedThrough, created, changed, zone, firstZone, eraSignature
    case shownName
  }

  /// The columns of `plans p`, with those of the current era (`e`) and of the first one (`f`).
  package static let columns = SQLColumns<Column>(
    of: "p", [.zone: "e.zone", .firstZone: "f.zone", .eraSignature: "e.kind"])

  /// The tables that the columns come from.
  static let tables: SQLText = """
    plans p
    JOIN plan_eras e ON e.patient = p.patient AND e.plan = p.plan AND e.era = p.era
    JOIN plan_eras f ON f.patient = p.patient AND f.plan = p.plan AND f.era = 1
    """

  /// The value of `active_from` for a plan that was never active.
  static let never = Timestamp(milliseconds: .max)
  /// The value of `planned_through` once no more doses can come.
  package static let complete = Timestamp(milliseconds: .max)

  /// The person who takes it.
  package let patient: PatientID
  /// The identifier of the plan, the logical id of the MedicationRequest.
  package let plan: PlanID
  var requestVersion: Int64
  /// The status of the MedicationRequest.
  package var status: String
  /// The reason for which there are no doses; nil if there are some.
  package var unplanned: UnplannedReason?
  /// The name as written in the prescription.
  package var medicineName: String
  /// The name shown to people; nil until ``PlanRereading`` has filled it in.
  var storedShownName: String?
  /// The ingredient keys, one a line; see ``Ingredient``.
  package var ingredients: String
  /// The rule for its doses when the patient's time zone changes.
  package var policy: ZonePolicy
  /// The current era, counted from 1.
  package var era: Int64
  /// The way in which its doses are identified.
  package var kind: PlanKind
  var anchor: Timestamp
  /// The date from which day patterns without a start of their own are counted.
  package var anchorDate: CivilDate
  /// The time since which it gives doses; the largest value if it was never active.
  package var activeFrom: Timestamp
  /// The least time between two intakes in milliseconds; nil for none.
  package var minimumGap: Int64?
  /// The end of the time for which doses have rows; ``complete`` if no more can come.
  package var plannedThrough: Timestamp
  let created: Timestamp
  /// The time of the last change.
  package var changed: Timestamp
  /// The zone of the current era: an IANA identifier or a ``FixedOffset``.
  package var zone: String
  let firstZone: String
  var eraSignature: String

  /// The name shown to people; see ``ShownName``.
  package var shownName: String { storedShownName ?? medicineName }

  /// True if the plan is active and gives doses.
  package var isRinging: Bool { status == "active" && unplanned == nil }
}

extension PlanRow: SQLReadableRow {
  /// Reads a row.
  ///
  /// - Throws: `StorageError` if the reason, the anchor date or a named value is not one that this
  ///   program knows.
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

/// A plan with its patient and the time of its last change.
package struct PlanChangeRow: SQLReadableRow {
  /// The columns of `plans` that are read.
  package enum Column: Int, SQLColumn {
    case patient, plan, changed
  }

  /// The columns of `plans`.
  package static let columns = SQLColumns<Column>()

  /// The person who takes it.
  package let patient: PatientID
  /// The identifier of the plan.
  package let plan: PlanID
  /// The time of the last change.
  package let changed: Timestamp

  /// Reads the columns of a row.
  package init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    plan = try row.id(.plan)
    changed = try row.timestamp(.changed)
  }
}

extension Medicine {
  /// Creates the medicine of a plan.
  package init(_ row: PlanRow) {
    self.init(
      plan: row.plan, name: row.medicineName, shownName: row.shownName,
      ingredients: row.ingredients)
  }
}
