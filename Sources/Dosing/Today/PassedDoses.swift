// SPDX-License-Identifier: Apache-2.0

import Access
import Identifiers
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// Today's doses whose time had already passed when their plan began: a 02:10 medicine added at
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

  /// Returns the passed doses of a patient's running plans that began today, or of one of those
  /// plans.
  ///
  /// A plan has none if its last passed dose was planned anyway.
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
        guard row.activeFrom > now.adding(milliseconds: -reach), row.activeFrom <= now,
          let timeline = try patient.timeline(of: row),
          let passed = passed(row, timeline, now: now)
        else { continue }
        found.append(passed)
      }
      return found
    }
  }

  static func passed(
    _ snapshot: PlanSnapshot, now: Timestamp, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> OfPlan? {
    let rhythm = try PeopleRows.rhythm(snapshot.row.patient, in: reader)
    return try snapshot.timeline(zones: zones, rhythm: rhythm).timeline
      .flatMap { passed(snapshot.row, $0, now: now) }
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
  /// Plans today's last dose whose time had passed when its plan began; the plan then begins with it.
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
      snapshot.row.activeFrom = open.due
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
