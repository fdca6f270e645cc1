// SPDX-License-Identifier: Apache-2.0
import Identifiers
import People
import Scheduling
import Storage
import TimeZones

/// Questions about plans; the caller has decided that they may be asked.
package enum PlanQueries {
  /// The place by whose clock plans went before the journey on which they keep their hours, by plan.
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

  /// The plan; nil where the patient has none of that id.
  package static func plan(_ id: PlanID, patient: PatientID, in reader: any SQLReader)
    throws(PlanError) -> Plan?
  {
    try planning { try PlanSnapshot.load(id, patient: patient, in: reader)?.plan }
  }

  /// The same of a patient of whom more is read in one snapshot.
  package static func plan(
    _ id: PlanID, of patient: PatientSnapshot
  ) throws(PlanError) -> Plan? {
    try planning {
      try patient.plan(id).map { try patient.snapshot(of: $0).plan }
    }
  }

  /// All plans of a patient, ended ones too, in the order in which they were received.
  package static func all(patient: PatientID, in reader: any SQLReader) throws(PlanError) -> [Plan]
  {
    try planning {
      try PlanStore.all(patient: patient, in: reader).map {
        try PlanSnapshot.load($0, in: reader).plan
      }
    }
  }

  /// The ids and names of all plans of a patient, ended ones too, by name.
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

  /// The patient of a plan, with the zone in which the patient's times are shown.
  ///
  /// For deciding access only: nothing of it may be told before that.
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

  /// The doses that a draft would give in the days from `from` on, in the patient's zone.
  ///
  /// At most 500, and none for a draft that has issues.
  package static func preview(
    _ draft: PlanDraft, from: Timestamp, days: Int, zone: Zone, rhythm: DailyRhythm
  ) -> [PlannedDose] {
    guard let timeline = draft.timeline(zone: zone, rhythm: rhythm) else { return [] }
    return doses(timeline, from: from, days: days)
  }

  /// The doses that a stored plan gives in the days from `from` on, by its rules alone.
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
