// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// An as-needed medicine, with the doses allowed now and the time of the next one.
package struct AsNeededMedicine: Sendable {
  /// The plan of the medicine.
  package let plan: PlanID
  /// The name shown to people.
  package let medicineName: String
  /// The prescription, for its reason and dosages.
  package let request: MedicationRequestView
  /// The limits that the prescription states.
  package let limits: PlanLimits
  /// The latest intake of the same medicine, looked for as far back as the limits reach, at least a
  /// week; nil if there is none.
  package let last: Intake?
  /// The earliest time from now on at which a dose keeps every limit; nil if a single dose exceeds
  /// one.
  package let next: Timestamp?
  /// The number of further doses within the limits; nil if no limit counts doses or amounts.
  package let left: Int?
  /// True if the next dose is the last one before a limit.
  package let isLast: Bool
  /// The number of days of the current month on which it was taken.
  package let daysUsed: Int
  /// The limits in a unit in which the doses cannot be counted.
  package let uncounted: [PlanLimits.Quantity]

  /// Returns true if taking one dose now keeps every limit.
  package func isAllowed(at now: Timestamp) -> Bool { next.map { $0 <= now } ?? false }

  /// The reason for taking it that the plan states; nil if it states none.
  package var purpose: String? { request.dosages.lazy.compactMap(\.asNeededReason).first }
}

/// Queries about as-needed medicines; the caller has checked that the actor may see them.
package enum AsNeededQueries {
  /// Returns the patient's active medicines that are taken only as needed, by name.
  package static func all(
    patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(PlanError) -> [AsNeededMedicine] {
    try all(of: PatientSnapshot(of: patient, now: now, zones: zones, in: reader))
  }

  /// Returns the as-needed medicines of a patient whose snapshot is already in use.
  package static func all(of patient: PatientSnapshot) throws(PlanError) -> [AsNeededMedicine] {
    try planning {
      let rows = try patient.plans().filter { $0.status == "active" && $0.unplanned == .asNeeded }
      if rows.isEmpty { return [] }
      guard let person = try patient.person() else { return [] }
      let zone = try patient.zones.zone(person.zone)
      let latest = try IntakeQueries.latest(of: patient, within: SnapshotReach.lastIntake)
      return try rows.map { try medicine($0, latest: latest, of: patient, zone: zone) }
        .sorted { ($0.medicineName, $0.plan) < ($1.medicineName, $1.plan) }
    }
  }

  private static func medicine(
    _ row: PlanRow, latest: [(intake: Intake, contents: Set<String>)], of patient: PatientSnapshot,
    zone: Zone
  ) throws -> AsNeededMedicine {
    let now = patient.now
    let request = try patient.request(of: row)
    let limits = PlanLimits(request)
    let medicine = Medicine(row)
    let check = LimitCheck(
      plan: row.plan, medicineName: row.shownName, limits: limits,
      intakes: try patient.intakes(near: now, of: medicine, within: limits.reach), zone: zone,
      sources: try patient.limitsByPlan())
    let own = Ingredient.contents(column: row.ingredients)
    let recent = latest.last { $0.intake.plan == row.plan || !$0.contents.isDisjoint(with: own) }
    return AsNeededMedicine(
      plan: row.plan, medicineName: row.shownName, request: request, limits: limits,
      last: recent?.intake ?? check.intakes.last { $0.taken <= now },
      next: check.next(from: now), left: check.left(at: now), isLast: check.isLast(at: now),
      daysUsed: check.daysUsed(at: now), uncounted: check.uncounted)
  }
}
