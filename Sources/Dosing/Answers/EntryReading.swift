// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The facts needed to record an intake by name, read in one query.
struct EntryReading: Sendable {
  /// The patient's time zone.
  let zone: String
  /// The effect that the request's event already had.
  let earlier: EarlierEvent?
  /// The active plans, and the plan that the request names.
  let plans: [NamedMedicine]
  private let hasLimits: Bool
  private let hasWarning: Bool
  private let nextLook: Timestamp?
  private let mayNotify: Bool
  private let mayUseSites: Bool

  /// Reads the facts for a plan's id or the name of a medicine; nil for an unknown patient.
  static func read(
    _ text: String, event: String?, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> EntryReading? {
    let rows = try reader.query(statement, [.text(text), SQLValue(event), .text(patient)])
    guard let first = rows.first?.read(EntryRow.self) else { return nil }
    var plans: [NamedMedicine] = []
    for row in rows {
      let row = row.read(EntryRow.self)
      guard let plan: PlanID = try row.optionalID(.plan) else { continue }
      let (status, kind) = (try row.text(.status), try row.text(.kind))
      let isRunning = status == "active" && row[.unplannedReason] == .null
      plans.append(
        NamedMedicine(
          medicine: Medicine(
            plan: plan, name: try row.text(.medicineName),
            shownName: try row.optionalText(.shownName), ingredients: try row.text(.ingredients)),
          minimumGap: try row.optionalInteger(.minimumGap),
          mayFollowIntake: isRunning && kind == "elapsed"))
    }
    return EntryReading(
      zone: try first.text(.zone), earlier: try EarlierEvent(first), plans: plans,
      hasLimits: try first.bool(.hasLimits), hasWarning: try first.bool(.hasWarning),
      nextLook: try first.optionalTimestamp(.nextLook), mayNotify: try first.bool(.mayNotify),
      mayUseSites: try first.bool(.mayUseSites))
  }

  private static let statement = SQLStatement(
    """
    SELECT \(EntryRow.columns) FROM people u
    LEFT JOIN message_checks m ON m.patient = u.patient
    LEFT JOIN plans p ON p.patient = u.patient AND (p.status = 'active' OR p.plan = $1)
    LEFT JOIN answers e ON e.patient = u.patient AND e.event = $2
    WHERE u.patient = $3 ORDER BY p.plan
    """)

  /// Returns the possible consequences of an intake of a medicine.
  func possible(of named: NamedMedicine) -> PossibleConsequences {
    PossibleConsequences(
      hasLimits: hasLimits, hasWarning: hasWarning, nextLook: .read(nextLook),
      mayFollowIntake: named.mayFollowIntake, stock: .unread, mayNotify: mayNotify,
      mayUseSites: mayUseSites)
  }
}

/// The columns of an ``EntryReading``: one row for each plan.
enum EntryRow: SQLRowType {
  enum Column: Int, SQLColumn {
    case plan, medicineName, shownName, ingredients, minimumGap, status, unplannedReason, kind
    case zone, eventPlan, eventEra, eventOccurrence, eventAction, eventAdministration
    case nextLook, hasWarning, hasLimits, mayNotify, mayUseSites
  }

  static let columns = SQLColumns<Column>(
    of: "p",
    [
      .zone: "u.zone", .eventPlan: "e.plan", .eventEra: "e.era",
      .eventOccurrence: "e.occurrence", .eventAction: "e.action",
      .eventAdministration: "e.administration", .nextLook: "m.next_look",
      .hasWarning: PossibleConsequences.warning(of: "u.patient"),
      .hasLimits: PossibleConsequences.limits(of: "u.patient"),
      .mayNotify: PossibleConsequences.subscription,
      .mayUseSites: PossibleConsequences.sites(of: "u.patient"),
    ])
}

extension EarlierEvent {
  fileprivate init?(_ row: ColumnReader<EntryRow.Column>) throws(StorageError) {
    guard let action = try row.optionalText(.eventAction) else { return nil }
    self.init(
      plan: try row.optionalID(.eventPlan), era: try row.optionalInteger(.eventEra),
      occurrence: try row.optionalText(.eventOccurrence), action: action,
      administration: try row.optionalID(.eventAdministration))
  }
}
