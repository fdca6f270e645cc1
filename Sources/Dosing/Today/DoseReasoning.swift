// SPDX-License-Identifier: Apache-2.0
import People
import Plans
import Scheduling
import Storage
import TimeZones

extension DoseQueries {
  /// Returns the reasons for a dose's time, in the order in which the rules applied.
  ///
  /// Empty if the plan was edited, ended or moved to another zone since, because the current rules
  /// would not explain that dose.
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
