// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// The times until which a person's reminders wait on weekends and holidays.
package struct SleepIn: Sendable {
  private let choices: ReminderChoices
  private let zone: Zone
  /// The medicines that cannot wait.
  private let critical: Set<PlanID>

  /// Returns the times by patient; patients without such choices are left out.
  package static func of(_ patients: [PatientID], zones: ZoneCatalog, in reader: any SQLReader)
    throws(StorageError) -> [PatientID: SleepIn]
  {
    var found: [PatientID: SleepIn] = [:]
    for (patient, choices) in try ReminderChoices.of(patients, in: reader)
    where choices.weekendMinute != nil || choices.holiday != nil {
      let person = try PeopleRows.load(patient, in: reader)
      let critical = try reader.query(
        "SELECT plan FROM plan_reminders WHERE patient = $1 AND is_critical = 1",
        [.text(patient)]
      ).values(as: PlanID.self)
      found[patient] = SleepIn(
        choices: choices, zone: person.flatMap { try? zones.zone($0.zone) } ?? .utc,
        critical: Set(critical))
    }
    return found
  }

  /// Returns the time at which the reminder of a dose rings; a postponed dose rings at its own
  /// time.
  func rings(_ dose: RingingDose) -> Timestamp {
    guard dose.laterUntil == nil, dose.ringsAt == nil || dose.wasHeld, !dose.isCritical else {
      return dose.ring
    }
    return choices.rings(due: dose.due, lateUntil: dose.lateUntil, in: zone)
  }

  /// Returns the time at which the reminder rings for a dose with some times.
  func rings(due: Timestamp, lateUntil: Timestamp, isCritical: Bool) -> Timestamp {
    isCritical ? due : choices.rings(due: due, lateUntil: lateUntil, in: zone)
  }

  /// Returns the time at which the reminder of a dose rings, for a dose as pages show it.
  package func rings(_ dose: Dose) -> Timestamp {
    guard dose.laterUntil == nil, !critical.contains(dose.plan) else {
      return dose.laterUntil ?? dose.due
    }
    return choices.rings(due: dose.due, lateUntil: dose.lateUntil, in: zone)
  }
}
