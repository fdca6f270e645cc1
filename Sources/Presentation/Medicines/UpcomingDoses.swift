// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

/// The doses of a plan in the coming days, or the time of the first one after them.
package struct UpcomingDoses: Sendable {
  /// The days for which a first dose is searched.
  private static let farthestDays = 400

  /// The coming doses within the requested days.
  package var doses: [Dose] = []
  /// The time of the first dose after those days; nil if there are doses within them, or none at
  /// all.
  package var firstDue: Timestamp?

  /// Reads the coming doses within some days, including today, or the time of the first one after
  /// them.
  ///
  /// The caller has checked that the actor may see them.
  package static func read(
    _ plan: Plan, patient: PatientID, days: Int, clock: MedicineClock, now: Timestamp,
    zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> UpcomingDoses {
    let listing = try DoseQueries.listing(
      patient: patient, from: now, until: clock.startOfDay(now, days: days), now: now,
      zones: zones, in: reader)
    let doses = listing.doses.filter { $0.plan == plan.id && isToCome($0) }
    guard doses.isEmpty else { return UpcomingDoses(doses: doses) }
    return UpcomingDoses(
      firstDue: try firstDue(plan, patient: patient, now: now, zones: zones, in: reader))
  }

  /// Returns true for a dose that has not been answered, missed or cancelled.
  package static func isToCome(_ dose: Dose) -> Bool {
    switch dose.state {
    case .scheduled, .later, .due, .withheld: true
    case .taken, .skipped, .refused, .missed, .cancelled: false
    }
  }

  /// Returns the time of a plan's first dose after now, within 400 days; nil if there is none.
  package static func firstDue(
    _ plan: Plan, patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> Timestamp? {
    try PlanQueries.preview(
      plan.id, patient: patient, from: now, days: farthestDays, zones: zones, in: reader
    ).first.map { Timestamp(milliseconds: $0.due.milliseconds) }
  }
}
