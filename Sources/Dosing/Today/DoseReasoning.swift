// SPDX-License-Identifier: Apache-2.0
import People
import Plans
import Scheduling
import Storage
import TimeZones

extension DoseQueries {
  /// Why a dose falls when it does, in the order in which the rules applied.
  ///
  /// Empty for a dose of earlier rules: of a plan that was edited, ended or taken to another zone since,
  /// nothing is said that the present rules alone would make up.
  package static func reasons(
    for dose: Dose, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(PlanError) -> [DoseReason] {
    try planning {
      guard let row = try PlanStore.load(dose.plan, patient: dose.patient, in: reader),
        row.era == dose.id.era
      else { return [] }
      let rhythm = try PeopleRows.rhythm(dose.patient, in: reader)
      let snapshot = try PlanSnapshot.load(row, in: reader)
      guard let timeline = try snapshot.timeline(zones: zones, rhythm: rhythm).timeline,
        let found = timeline.reasons(for: dose.id.occurrence),
        Timestamp(found.due) == dose.due
      else { return [] }
      return found.reasons
    }
  }
}
