// SPDX-License-Identifier: Apache-2.0

import Dosing
import Identifiers
import Plans
import Scheduling
import Storage
import TimeZones

/// The doses of a plan in the next days, or the first after them.
package struct UpcomingDoses: Sendable {
  /// How far ahead the first dose is looked for, in days.
  private static let farthestDays = 400

  /// Doses to come within the days that were asked for.
  package var doses: [Dose] = []
  /// The first dose after those days; nil where there are doses within them, or none at all.
  package var firstDue: Timestamp?

  /// Reads the doses to come within some days, today included, and the first after them where there are none.
  ///
  /// The caller has decided that they may be shown.
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

  /// True for a dose that has not been answered, missed or cancelled.
  package static func isToCome(_ dose: Dose) -> Bool {
    switch dose.state {
    case .scheduled, .later, .due, .withheld: true
    case .taken, .skipped, .refused, .missed, .cancelled: false
    }
  }

  /// Reads the time of a plan's first dose after now.
  package static func firstDue(
    _ plan: Plan, patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> Timestamp? {
    try PlanQueries.preview(
      plan.id, patient: patient, from: now, days: farthestDays, zones: zones, in: reader
    ).first.map { Timestamp(milliseconds: $0.due.milliseconds) }
  }
}
