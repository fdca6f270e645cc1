// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// Today's doses whose time had passed when their plan began or an edit added them: a 02:10 medicine added at
/// 02:15 begins tomorrow.
package enum PassedDoses {
  /// The passed doses of one plan, in order of time.
  package struct OfPlan: Sendable, Hashable {
    /// The plan of the doses.
    package let plan: PlanID
    /// The name shown to people.
    package let medicineName: String
    /// The passed doses, at least one, in order of time.
    package let doses: [Dose]

    /// Returns the last of them if it can still be taken, otherwise nil.
    package func open(at now: Timestamp) -> Dose? {
      doses.last.flatMap { now < $0.lateUntil ? $0 : nil }
    }
  }

  /// Longer than any local day, in milliseconds.
  private static let reach: Int64 = 26 * 3_600_000

  /// Returns the passed doses of a patient's running plans that began today, or of one plan, which
  /// may also be an older one that was changed today.
  ///
  /// A plan that began today has none if its last passed dose was planned anyway.
  package static func today(
    of patient: PatientID, plan: PlanID? = nil, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> [OfPlan] {
    try today(
      of: PatientSnapshot(of: patient, now: now, zones: zones, in: reader), plan: plan)
  }

  /// Returns the passed doses of a patient whose snapshot is already in use.
  package static func today(
    of patient: PatientSnapshot, plan: PlanID? = nil
  ) throws(PlanError) -> [OfPlan] {
    try planning {
      let now = patient.now
      var found: [OfPlan] = []
      for row in try patient.plans() where plan == nil || plan == row.plan {
        let isNew = row.activeFrom > now.adding(milliseconds: -reach)
        guard row.activeFrom <= now, isNew || plan != nil,
          let timeline = try patient.timeline(of: row)
        else { continue }
        if let passed = passed(row, timeline, now: now) {
          found.append(passed)
        } else if plan != nil,
          let added = try added(row, timeline, now: now, in: patient.reader)
        {
          found.append(added)
        }
      }
      return found
    }
  }

  static func passed(
    _ snapshot: PlanSnapshot, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> OfPlan? {
    let rhythm = try PeopleRows.rhythm(snapshot.row.patient, in: reader)
    guard let timeline = try snapshot.timeline(zones: zones, rhythm: rhythm).timeline else {
      return nil
    }
    if let passed = passed(snapshot.row, timeline, now: now) { return passed }
    return try added(snapshot.row, timeline, now: now, in: reader)
  }

  /// Returns today's doses that an older plan gives only since a change after their times.
  private static func added(
    _ row: PlanRow, _ timeline: PlanTimeline, now: Timestamp, in reader: any SQLReader
  ) throws -> OfPlan? {
    let today = timeline.zone.date(at: Instant(now))
    let start = timeline.zone.startOfDay(today)
    let day = Timestamp(start)
    guard !timeline.followsIntakes, row.isRinging, row.activeFrom < day, row.changed >= day,
      let began = try PlanStore.eraStart(of: row, in: reader)
    else { return nil }
    if began >= day {
      // In a new era, earlier doses have other identities but count as those of today.
      let end = Timestamp(timeline.zone.startOfDay(today.adding(days: 1)))
      let earlier = try DoseStore.planned(
        row.plan, patient: row.patient, dueAfter: day.adding(milliseconds: -1), in: reader)
      if earlier.contains(where: { $0.era != row.era && $0.due < end }) { return nil }
    }
    var doses: [Dose] = []
    for planned in timeline.doses(from: start, until: Instant(now)) {
      let isStored = try DoseStore.exists(
        planned.occurrence, era: row.era, plan: row.plan, patient: row.patient, in: reader)
      if isStored { continue }
      doses.append(DoseQueries.computed(planned, row: row, timeline: timeline, now: now))
    }
    return doses.isEmpty
      ? nil : OfPlan(plan: row.plan, medicineName: row.shownName, doses: doses)
  }

  private static func passed(
    _ row: PlanRow, _ timeline: PlanTimeline, now: Timestamp
  ) -> OfPlan? {
    guard !timeline.followsIntakes else { return nil }
    let today = timeline.zone.date(at: Instant(now))
    let begin = Instant(row.activeFrom)
    guard timeline.zone.date(at: begin) == today,
      timeline.doses(from: begin, until: begin.adding(milliseconds: 1)).isEmpty
    else { return nil }
    let doses = timeline.doses(from: timeline.zone.startOfDay(today), until: begin)
      .map { DoseQueries.computed($0, row: row, timeline: timeline, now: now) }
    guard !doses.isEmpty else { return nil }
    return OfPlan(plan: row.plan, medicineName: row.shownName, doses: doses)
  }
}

extension PlanCommands {
  /// Plans today's last dose whose time had passed when its plan began or was changed; a new plan
  /// then begins with it.
  ///
  /// Returns false if there is no such dose or it is too late for it, true without a change if it
  /// is already planned.
  package static func planToday(
    _ dose: DoseID, context: CommandContext, in writer: any SQLWriter
  ) throws(PlanError) -> Bool {
    try planning {
      var snapshot = try existing(dose.plan, in: writer)
      let patient = snapshot.row.patient
      _ = try authorize(.update, patient: patient, context)
      if try DoseStore.exists(
        dose.occurrence, era: dose.era, plan: dose.plan, patient: patient, in: writer)
      {
        return true
      }
      guard
        let passed = try PassedDoses.passed(
          snapshot, now: context.now, zones: context.zones, in: writer),
        let open = passed.open(at: context.now), open.id == dose,
        let timeline = try snapshot.timeline(
          zones: context.zones, rhythm: PeopleRows.rhythm(patient, in: writer)
        ).timeline,
        let planned = timeline.dose(dose.occurrence)
      else { return false }
      try DoseStore.insert(
        DoseProjectionRow(planned, era: dose.era, in: timeline), plan: dose.plan,
        patient: patient, in: writer)
      snapshot.row.activeFrom = min(snapshot.row.activeFrom, open.due)
      try PlanStore.update(snapshot.row, in: writer)
      try context.consequences.follow(
        .planned(at: context.now), of: dose.plan, patient: patient, in: writer)
      writer.audit(
        AuditEntry(
          at: context.now, actor: context.actor.accountID, kind: .answer, patient: patient,
          resource: "Dose", resourceID: dose.text, version: nil,
          purpose: context.purpose.rawValue, outcome: .success))
      return true
    }
  }
}
