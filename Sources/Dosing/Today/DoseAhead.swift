// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

extension DoseQueries {
  /// Returns a dose as of `now`, including one beyond the planned horizon that has no row yet.
  ///
  /// Returns nil if the plan gives no such dose.
  package static func known(
    _ id: DoseID, patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(PlanError) -> Dose? {
    try planning {
      if let dose = try DoseStore.one(id, patient: patient, now: now, in: reader) { return dose }
      guard let row = try PlanStore.load(id.plan, patient: patient, in: reader), row.isRinging,
        row.era == id.era
      else { return nil }
      let rhythm = try PeopleRows.rhythm(patient, in: reader)
      let snapshot = try PlanSnapshot.load(row, in: reader)
      guard let timeline = try snapshot.timeline(zones: zones, rhythm: rhythm).timeline,
        let planned = timeline.dose(id.occurrence),
        planned.due.milliseconds >= max(row.plannedThrough, row.activeFrom).milliseconds
      else { return nil }
      return computed(planned, row: row, timeline: timeline, now: now)
    }
  }
}
