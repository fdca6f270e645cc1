// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// A medicine that is taken when needed, with what may be taken now and when next.
package struct AsNeededMedicine: Sendable {
  package let plan: PlanID
  package let medicineName: String
  package let request: MedicationRequestView
  package let limits: PlanLimits
  /// What was taken last, as far back as the limits look, at least a week.
  package let last: Intake?
  /// The first moment from now on that keeps every limit; nil where one dose alone is too much.
  package let next: Timestamp?
  /// How many doses more are within the limits; nil where none counts doses or amounts.
  package let left: Int?
  /// Whether the next dose is the last one before a limit.
  package let isLast: Bool
  /// On how many days of this month it was taken.
  package let daysUsed: Int
  /// Limits in a unit that the doses cannot be counted in.
  package let uncounted: [PlanLimits.Quantity]

  /// Whether taking one now keeps every limit.
  package func isAllowed(at now: Timestamp) -> Bool { next.map { $0 <= now } ?? false }

  /// What the plan says it is for.
  package var purpose: String? { request.dosages.lazy.compactMap(\.asNeededReason).first }
}

/// Questions about medicines taken when needed; the caller has decided that they may be asked.
package enum AsNeededQueries {
  /// The patient's medicines that are taken when needed and nothing else, by name.
  package static func all(
    patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws(PlanError) -> [AsNeededMedicine] {
    try all(of: PatientSnapshot(of: patient, now: now, zones: zones, in: reader))
  }

  /// The same of a patient of whom more is read in one snapshot.
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
