// SPDX-License-Identifier: Apache-2.0

import Calendar
import Dosing
import FHIR
import Identifiers
import People
import Plans
import Presentation
import Scheduling
import Statistics
import Storage
import TimeZones

/// Reads the data for the pages of medicines; the caller has checked that access is allowed.
enum MedicineReading {
  private static let dayMilliseconds: Int64 = 24 * 3_600_000
  /// The look-ahead of 36 hours, in milliseconds, which contains each daily dose.
  private static let soonMilliseconds = dayMilliseconds * 3 / 2

  static func list(
    patient: PatientID, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> MedicineList {
    let plans = try PlanQueries.all(patient: patient, in: reader)
    let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
    let coming = try comingDoses(
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
      let doses = coming[plan.id] ?? []
      let soon = doses.filter { $0.due < now.adding(milliseconds: soonMilliseconds) }
      if !soon.isEmpty {
        list.running.append(
          MedicineList.Running(
            plan: plan, isDaily: DailyRecurrence.isDaily(plan, zone: zone), doses: soon))
        continue
      }
      let next =
        try doses.first
        ?? UpcomingDoses.firstDue(plan, patient: patient, now: now, zones: zones, in: reader)
        .map { ComingDose(due: $0, amount: nil) }
      list.running.append(
        MedicineList.Running(plan: plan, isDaily: false, doses: [next].compactMap(\.self)))
    }
    list.clockMoves = try DoseQueries.movedByClock(
      patient: patient, from: now,
      until: now.adding(milliseconds: Int64(ClockReschedulingNotice.days) * dayMilliseconds),
      zones: zones, in: reader)
    list.ended.sort {
      (MedicineEnding($0).date ?? $0.created) > (MedicineEnding($1).date ?? $1.created)
    }
    return list
  }

  /// Returns the future doses of each plan that has any within 8 days, in time order.
  ///
  /// Stored rows cover the next 36 hours, which is enough for most plans; later days are computed
  /// from the schedule only if a plan has no dose in those rows.
  private static func comingDoses(
    of plans: [Plan], patient: PatientID, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws -> [PlanID: [ComingDose]] {
    var found: [PlanID: [ComingDose]] = [:]
    for reach in [soonMilliseconds, 8 * dayMilliseconds]
    where plans.contains(where: { found[$0.id] == nil }) {
      let listing = try DoseQueries.listing(
        patient: patient, from: now, until: now.adding(milliseconds: reach), now: now,
        zones: zones, in: reader)
      found = Dictionary(grouping: listing.doses.filter(UpcomingDoses.isToCome), by: \.plan)
        .mapValues { doses in doses.map { ComingDose(due: $0.due, amount: $0.amount) } }
    }
    return found
  }

  /// - Parameters:
  /// - until: The last day on this page of the history; nil for today.
  /// - skipped: The number of lines up to that day that newer pages show.
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

  /// Returns the form of a plan, filled in; nil if the form can't represent all of the request.
  static func draft(of plan: Plan, clock: MedicineClock) -> PlanDraft? {
    PlanDraft(
      medicationRequest: plan.request.json, slots: plan.slots, zone: clock.zone,
      start: clock.day(of: plan.created), policy: plan.policy)
  }
}
