// SPDX-License-Identifier: Apache-2.0
import FHIR
import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// A patient's doses within an interval, and the plans that give none.
package struct DoseListing: Sendable {
  /// The doses, sorted by due time and then by id.
  package let doses: [Dose]
  /// The plans to show that give no doses, with the text of their prescriptions.
  package let unplanned: [UnplannedPlan]
  /// The patient's time zone, in which due times are shown.
  package let zone: Zone

  /// The maximum number of doses in one listing, including doses without a row; the same as the
  /// maximum read at once.
  package static let most = DoseStore.most
}

extension DoseQueries {
  /// Returns the doses due in [from, until): the stored rows and, beyond the planned horizon, the doses that
  /// active plans will give.
  ///
  /// Stopped plans keep their cancelled rows and get no others.
  ///
  /// - Throws: ``PlanError/tooManyDoses`` for more than ``DoseListing/most``, so that the work of one request
  ///   stays bounded.
  package static func listing(
    patient: PatientID, from: Timestamp, until: Timestamp, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> DoseListing {
    try listing(
      of: PatientSnapshot(of: patient, now: now, zones: zones, in: reader), from: from,
      until: until)
  }

  /// Returns the doses due in [from, until) of a patient whose snapshot is already in use.
  package static func listing(
    of patient: PatientSnapshot, from: Timestamp, until: Timestamp
  ) throws(PlanError) -> DoseListing {
    try planning {
      let zone = try patient.zone()
      var doses = try DoseStore.between(
        from, until, patient: patient.patient, most: DoseListing.most, now: patient.now,
        in: patient.reader)
      try refuseTooMany(doses)
      doses += try beyond(of: patient, from: from, until: until)
      try refuseTooMany(doses)
      doses.sort { $0.due == $1.due ? $0.id.isBefore($1.id) : $0.due < $1.due }
      return DoseListing(doses: doses, unplanned: try unplanned(of: patient), zone: zone)
    }
  }

  /// Returns the plans that Today shows because they give no doses, with the text of their prescriptions.
  static func unplanned(of patient: PatientSnapshot) throws -> [UnplannedPlan] {
    var unplanned: [UnplannedPlan] = []
    for row in try patient.plans() {
      guard let reason = row.unplanned, reason.standsOnToday else { continue }
      let request = try patient.request(of: row)
      let words = request.dosages.compactMap(\.text).joined(separator: "; ")
      unplanned.append(
        UnplannedPlan(
          plan: row.plan, medicineName: row.shownName, reason: reason,
          quotedText: words.isEmpty ? nil : words))
    }
    return unplanned
  }

  /// Returns the doses that active plans will give beyond their rows, in no particular order.
  static func beyond(
    of patient: PatientSnapshot, from: Timestamp, until: Timestamp
  ) throws -> [Dose] {
    let behind = try patient.plans().filter { $0.isRinging && $0.plannedThrough < until }
    let known = try identities(
      dueFrom: behind.map(\.plannedThrough).min(), patient: patient.patient, in: patient.reader)
    var doses: [Dose] = []
    for row in behind {
      guard let timeline = try patient.timeline(of: row) else { continue }
      let start = max(from, row.plannedThrough, row.activeFrom)
      for planned in timeline.doses(from: Instant(start), until: Instant(until)) {
        let dose = computed(planned, row: row, timeline: timeline, now: patient.now)
        if !known.contains(dose.id) { doses.append(dose) }
      }
      try refuseTooMany(doses)
    }
    return doses
  }

  private static func refuseTooMany(_ doses: [Dose]) throws(PlanError) {
    guard doses.count <= DoseListing.most else { throw .tooManyDoses }
  }

  /// Creates the row of a dose beyond the horizon, so that it can be answered early, and returns true if the
  /// dose exists.
  ///
  /// A dose that already has a row stays as it is.
  package static func materialise(
    _ id: DoseID, patient: PatientID, zones: ZoneCatalog, in writer: any SQLWriter
  ) throws(PlanError) -> Bool {
    try planning {
      if try DoseStore.exists(
        id.occurrence, era: id.era, plan: id.plan, patient: patient, in: writer)
      {
        return true
      }
      guard let row = try PlanStore.load(id.plan, patient: patient, in: writer), row.isRinging,
        row.era == id.era
      else { return false }
      let rhythm = try PeopleRows.rhythm(patient, in: writer)
      let snapshot = try PlanSnapshot.load(row, in: writer)
      guard let timeline = try snapshot.timeline(zones: zones, rhythm: rhythm).timeline,
        let dose = timeline.dose(id.occurrence),
        Timestamp(dose.due) >= max(row.plannedThrough, row.activeFrom)
      else { return false }
      try DoseStore.insert(
        DoseProjectionRow(dose, era: row.era, in: timeline), plan: id.plan, patient: patient,
        in: writer)
      return true
    }
  }

  /// Returns a dose without a row as its plan will give it.
  static func computed(
    _ planned: PlannedDose, row: PlanRow, timeline: PlanTimeline, now: Timestamp
  ) -> Dose {
    let projected = DoseProjectionRow(planned, era: row.era, in: timeline)
    return Dose(
      id: DoseID(plan: row.plan, era: row.era, occurrence: planned.occurrence),
      patient: row.patient, medicineName: row.shownName, due: projected.due,
      onTimeUntil: projected.onTimeUntil, lateUntil: projected.lateUntil,
      nextDue: projected.nextDue, amount: projected.amount, stored: .open, stateReason: nil,
      laterUntil: nil, version: 1, answer: nil, now: now)
  }

  /// Returns the doses beyond the horizon that have a row, because someone answered them.
  private static func identities(
    dueFrom instant: Timestamp?, patient: PatientID, in reader: any SQLReader
  ) throws(StorageError) -> Set<DoseID> {
    guard let instant else { return [] }
    let rows: [DoseIDRow] = try reader.query(
      identitiesStatement, [.text(patient), SQLValue(instant)]
    ).decode()
    return Set(rows.compactMap(\.dose))
  }

  private static let identitiesStatement = SQLStatement(
    "SELECT \(DoseIDRow.columns) FROM doses d WHERE d.patient = $1 AND d.due >= $2")
}
