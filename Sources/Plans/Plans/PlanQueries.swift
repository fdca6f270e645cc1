// SPDX-License-Identifier: Apache-2.0
import Identifiers
import People
import Scheduling
import Storage
import TimeZones

/// Queries for plans; the caller has decided access.
package enum PlanQueries {
  /// Returns the zone of the place that each plan follows; for one that keeps its hours during
  /// travel, the place it followed before.
  package static func places(
    of plans: [Plan], in reader: any SQLReader
  ) throws(StorageError) -> [PlanID: String] {
    var places: [PlanID: String] = [:]
    for plan in plans {
      places[plan.id] =
        FixedOffset.isFixed(plan.zone)
        ? try PlanStore.home(plan.id, patient: plan.patient, in: reader) : plan.zone
    }
    return places
  }

  /// Returns a plan; nil if the patient has none of that id.
  package static func plan(_ id: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(PlanError) -> Plan?
  {
    try planning { try PlanSnapshot.load(id, patient: patient, in: reader)?.plan }
  }

  /// Returns a plan from a snapshot that other queries share; nil if the patient has none of that
  /// id.
  package static func plan(
    _ id: PlanID, of patient: PatientSnapshot
  ) throws(PlanError) -> Plan? {
    try planning {
      try patient.plan(id).map { try patient.snapshot(of: $0).plan }
    }
  }

  /// Returns all plans of a patient, including ended ones, the oldest first.
  package static func all(patient: PatientID, in reader: any SQLReader) throws(PlanError) -> [Plan]
  {
    try planning {
      try PlanStore.all(patient: patient, in: reader).map {
        try PlanSnapshot.load($0, in: reader).plan
      }
    }
  }

  /// Returns the ids and shown names of all plans of a patient, including ended ones, by name.
  package static func names(patient: PatientID, in reader: any SQLReader)
    throws(StorageError) -> [(plan: PlanID, name: String)]
  {
    let rows: [PlanNameRow] = try reader.query(namesStatement, [.text(patient)]).decode()
    return rows.map { ($0.plan, $0.name) }
  }

  private static let namesStatement = SQLStatement(
    """
    SELECT \(PlanNameRow.columns) FROM plans p WHERE p.patient = $1
    ORDER BY p.medicine_name, p.created, p.plan
    """)

  /// Returns the patient of a plan and the zone in which the patient's times are shown; nil if
  /// there is no such plan.
  ///
  /// Only to decide access: the caller must reveal nothing before that.
  package static func owner(
    of plan: PlanID, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(PlanError) -> (patient: PatientID, zone: Zone)? {
    try planning {
      let owner: PlanOwnerRow? = try reader.first(ownerStatement, [.text(plan)])?.decode()
      return try owner.map { ($0.patient, try zones.zone($0.zone)) }
    }
  }

  private static let ownerStatement = SQLStatement(
    """
    SELECT \(PlanOwnerRow.columns) FROM resource_keys k JOIN people u ON u.patient = k.patient
    WHERE k.type = 'MedicationRequest' AND k.id = $1
    """)

  /// Returns the doses that a draft would give within `days` days from `from`, in the patient's
  /// zone: at most 500, and none for a draft with issues.
  package static func preview(
    _ draft: PlanDraft, from: Timestamp, days: Int, zone: Zone, rhythm: DailyRhythm
  ) -> [PlannedDose] {
    guard let timeline = draft.timeline(zone: zone, rhythm: rhythm) else { return [] }
    return doses(timeline, from: from, days: days)
  }

  /// Returns the doses that the rules of a stored plan give within `days` days from `from`: at most
  /// 500, and none if the plan gives no doses.
  ///
  /// - Throws: `PlanError.notFound` if the patient has no such plan.
  package static func preview(
    _ plan: PlanID, patient: PatientID, from: Timestamp, days: Int, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> [PlannedDose] {
    try planning {
      guard let snapshot = try PlanSnapshot.load(plan, patient: patient, in: reader) else {
        throw PlanError.notFound
      }
      let rhythm = try PeopleRows.rhythm(patient, in: reader)
      guard let timeline = try snapshot.timeline(zones: zones, rhythm: rhythm).timeline else {
        return []
      }
      return doses(timeline, from: max(from, snapshot.row.activeFrom), days: days)
    }
  }

  private static func doses(_ timeline: PlanTimeline, from: Timestamp, days: Int)
    -> [PlannedDose]
  {
    let begin = Instant(from)
    let last = timeline.zone.date(at: begin).adding(days: min(max(days, 0), 400))
    return timeline.doses(from: begin, until: timeline.zone.startOfDay(last), limit: 500)
  }
}

/// The id of a plan with the name shown to people.
struct PlanNameRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case plan, name
  }

  static let columns = SQLColumns<Column>(
    of: "p", [.name: "COALESCE(p.shown_name, p.medicine_name)"])

  let plan: PlanID
  let name: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    plan = try row.id(.plan)
    name = try row.text(.name)
  }
}

/// The patient of a plan, with the zone in which the patient's times are shown.
struct PlanOwnerRow: SQLReadableRow {
  enum Column: Int, SQLColumn {
    case patient, zone
  }

  static let columns = SQLColumns<Column>(of: "u")

  let patient: PatientID
  let zone: String

  init(_ row: ColumnReader<Column>) throws(StorageError) {
    patient = try row.id(.patient)
    zone = try row.text(.zone)
  }
}
