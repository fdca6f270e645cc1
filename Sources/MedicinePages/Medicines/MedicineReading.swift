// SPDX-License-Identifier: Apache-2.0

import Calendar
import Dosing
import FHIR
import Identifiers
import Plans
import Presentation
import Scheduling
import Statistics
import Storage
import TimeZones

/// Reads what the pages of medicines show; the caller has decided that it may be shown.
enum MedicineReading {
  private static let dayMilliseconds: Int64 = 24 * 3_600_000

  static func list(
    patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> MedicineList {
    let plans = try PlanQueries.all(patient: patient, in: reader)
    let soon = try nextDoses(
      of: plans.filter { $0.unplanned == nil }, patient: patient, now: now, zones: zones,
      in: reader)
    var list = MedicineList()
    list.looks = try MedicineAppearances(of: patient, in: reader)
    for plan in plans {
      if let reason = plan.unplanned {
        if plan.status == "on-hold" {
          list.paused.append(plan)
          continue
        }
        if reason == .asNeeded {
          list.asNeeded.append(plan)
          continue
        }
        if reason.standsOnToday { list.unplanned.append(plan) } else { list.ended.append(plan) }
        continue
      }
      let next = soon[plan.id]
      let due =
        next == nil
        ? try UpcomingDoses.firstDue(
          plan, patient: patient, now: now, zones: zones, in: reader) : nil
      list.running.append(MedicineList.Running(plan: plan, next: next, nextDue: due))
    }
    list.clockMoves = try DoseQueries.movedByClock(
      patient: patient, from: now,
      until: now.adding(milliseconds: Int64(ClockReschedulingNotice.days) * dayMilliseconds),
      zones: zones, in: reader)
    list.running.sort { left, right in
      (left.next?.due ?? left.nextDue ?? .init(milliseconds: .max), left.plan.medicineName)
        < (right.next?.due ?? right.nextDue ?? .init(milliseconds: .max), right.plan.medicineName)
    }
    list.ended.sort {
      (MedicineEnding($0).date ?? $0.created) > (MedicineEnding($1).date ?? $1.created)
    }
    return list
  }

  /// Returns the next dose of each plan that has one within 8 days.
  ///
  /// Stored rows cover the next 36 hours and are enough for most plans; later days are computed
  /// from the schedule only for plans without a dose in those rows.
  private static func nextDoses(
    of plans: [Plan], patient: PatientID, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws -> [PlanID: Dose] {
    var found: [PlanID: Dose] = [:]
    for hours in [36, 8 * 24] as [Int64] where plans.contains(where: { found[$0.id] == nil }) {
      let listing = try DoseQueries.listing(
        patient: patient, from: now, until: now.adding(milliseconds: hours * 3_600_000), now: now,
        zones: zones, in: reader)
      found = Dictionary(
        listing.doses.filter(UpcomingDoses.isToCome).map { ($0.plan, $0) },
        uniquingKeysWith: { first, _ in first })
    }
    return found
  }

  /// - Parameters:
  ///   - until: the last day of the history's page; nil for today.
  ///   - skipped: the number of lines up to that day that newer pages show.
  static func record(
    _ plan: Plan, clock: MedicineClock, chart: ChartRequest, until: CivilDate?, skipped: Int,
    now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> MedicineRecord {
    let patient = plan.patient
    let today = clock.day(of: now)
    let upcoming = try UpcomingDoses.read(
      plan, patient: patient, days: 7, clock: clock, now: now, zones: zones, in: reader)
    let statistics = try StatisticsQueries.statistics(
      plan: plan.id, patient: patient, window: chart.window(today: today), zone: clock.zone,
      now: now, in: reader)
    let history = try HistoryReading.part(
      HistoryFilter(plan: plan.id), patient: patient, lines: 14, from: nil, until: today,
      end: until, skipped: skipped, zone: clock.zone, now: now, in: reader)
    return MedicineRecord(
      plan: plan, draft: draft(of: plan, clock: clock), upcoming: upcoming.doses,
      firstDue: upcoming.firstDue, statistics: statistics, history: history,
      looks: try MedicineAppearances(ofPlan: plan.id, patient: patient, in: reader))
  }

  /// The form of a plan filled in; nil where the form cannot say all that the request says.
  static func draft(of plan: Plan, clock: MedicineClock) -> PlanDraft? {
    PlanDraft(
      medicationRequest: plan.request.json, slots: plan.slots, zone: clock.zone,
      start: clock.day(of: plan.created), policy: plan.policy)
  }
}
