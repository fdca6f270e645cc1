// SPDX-License-Identifier: Apache-2.0

import FHIR
import Identifiers
import Knowledge
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// The stored data from which a proposal of times is made.
package struct IntakeBasis: Sendable {
  /// The input of the planner.
  package let situation: IntakeSituation
  /// The forms of the medicines that can be moved, and the versions that they were read in, by plan.
  let drafts: [PlanID: PlanDraft]
  /// The versions in which the plans were read, by plan.
  package let versions: [PlanID: Int64]
  /// The names of medicines that the interaction list does not know.
  package let unlisted: [String]
  /// The patient's time zone.
  package let zone: Zone

  /// Everything that a proposal depends on.
  struct Inputs: Hashable {
    let situation: IntakeSituation
    let versions: [PlanID: Int64]
    let zone: String
  }

  var inputs: Inputs {
    Inputs(situation: situation, versions: versions, zone: zone.identifier)
  }

  /// Returns a digest of a proposal and of the plans' versions, so that only what the person saw is carried
  /// out.
  package func digest(of proposal: IntakeProposal) -> String {
    var text = ""
    for change in proposal.changes {
      let version = versions[change.medicine] ?? 0
      text += "\(change.medicine) \(version) \(change.from) \(change.to)\n"
    }
    for medicine in proposal.after.medicines { text += "\(medicine.id) \(medicine.minutes)\n" }
    return ContentDigest.of(.string(text))
  }
}

/// Reads a person's medicines and their times; the caller has checked the access to the patient.
package enum IntakeReading {
  /// Reads the data for a proposal.
  ///
  /// - Parameter prescriber: The practitioner for whom it is read, so that medicines of other prescribers
  ///   stay; nil for the patient.
  package static func read(
    _ list: InteractionList, patient: PatientID, prescriber: AccountID? = nil, now: Timestamp,
    zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> IntakeBasis {
    let zone = try PeopleQueries.zone(patient, zones: zones, in: reader)
    let rhythm = try PeopleQueries.rhythm(patient, in: reader)
    let substances = try TakenMedicines.all(patient: patient, now: now, in: reader)
    let taken = Set(substances.map { PlanID($0.id) })
    let waiting = Set(try ProposalRows.open(patient: patient, in: reader).compactMap(\.plan))
    let critical = Set(
      try reader.query(
        "SELECT plan FROM plan_reminders WHERE patient = $1 AND is_critical = 1",
        [.text(patient)]
      ).values(as: PlanID.self))
    var medicines: [IntakeMedicine] = []
    var drafts: [PlanID: PlanDraft] = [:]
    var versions: [PlanID: Int64] = [:]
    for plan in try PlanQueries.all(patient: patient, in: reader) where taken.contains(plan.id) {
      versions[plan.id] = plan.version
      let looking = SimplificationPlanReader(
        plan: plan, personZone: zone, rhythm: rhythm, now: now,
        isWaiting: waiting.contains(plan.id), isCritical: critical.contains(plan.id),
        prescriber: prescriber)
      let (medicine, draft) = try looking.medicine(zones: zones, in: reader)
      medicines.append(medicine)
      if medicine.kept == nil { drafts[plan.id] = draft }
    }
    return IntakeBasis(
      situation: IntakeSituation(
        medicines: medicines, list: list, substances: substances, rhythm: rhythm),
      drafts: drafts, versions: versions, unlisted: substances.filter { !$0.isKnown }.map(\.name),
      zone: zone)
  }
}

extension IntakeSituation {
  /// Creates a situation with the intervals that the list requires between the medicines and to meals.
  ///
  /// - Parameter substances: The codes and ingredients of the medicines, with the same identifiers.
  package init(
    medicines: [IntakeMedicine], list: InteractionList, substances: [Substance],
    rhythm: DailyRhythm = .standard
  ) {
    func minutes(_ hours: Double) -> Int { Int((hours * 60).rounded()) }
    self.init(
      medicines: medicines,
      spacings: list.spacings(among: substances).map { pair in
        IntakeSpacing(
          first: PlanID(substances[pair.first].id), second: PlanID(substances[pair.second].id),
          firstThenSecond: pair.spacing.firstThenSecond.map(minutes),
          secondThenFirst: pair.spacing.secondThenFirst.map(minutes), rows: pair.spacing.rows)
      },
      meals: substances.compactMap { substance in
        list.mealSpacing(of: substance).map { spacing in
          IntakeMealRule(
            medicine: PlanID(substance.id), beforeMeal: spacing.beforeMeal.map(minutes),
            afterMeal: spacing.afterMeal.map(minutes), rows: spacing.rows)
        }
      }, rhythm: rhythm)
  }
}

/// Reads a plan for the planner.
private struct SimplificationPlanReader {
  let plan: Plan
  let personZone: Zone
  let rhythm: DailyRhythm
  let now: Timestamp
  let isWaiting: Bool
  let isCritical: Bool
  let prescriber: AccountID?

  func medicine(zones: ZoneCatalog, in reader: any SQLReader) throws
    -> (IntakeMedicine, PlanDraft?)
  {
    if let unplanned = plan.unplanned {
      let why: IntakeKept =
        plan.status == "on-hold" ? .paused : unplanned == .asNeeded ? .asNeeded : .silent
      return (made([], .daily, .kept(why)), nil)
    }
    let draft = PlanDraft(
      medicationRequest: plan.request.json, slots: plan.slots, zone: personZone,
      start: personZone.date(at: Instant(plan.created)), policy: plan.policy)
    let (way, days) = way(draft)
    var intakes = fromSlots
    if plan.kind == .elapsed, let hours = hours(draft) {
      intakes = try fromHours(hours, zones: zones, in: reader)
    }
    if plan.kind == .calendar, plan.zone != personZone.identifier {
      let other = try zones.zone(ofEra: plan.zone)
      let seconds =
        personZone.offsetSeconds(at: Instant(now)) - other.offsetSeconds(at: Instant(now))
      intakes = intakes.map { IntakeTime(minute: $0.minute + seconds / 60, event: $0.event) }
      return (made(intakes, .daily, .kept(.zone)), draft)
    }
    return (made(intakes, days, kept.map { .kept($0) } ?? way), draft)
  }

  /// The reason to keep the medicine's times regardless of its schedule.
  private var kept: IntakeKept? {
    if isWaiting { return .waiting }
    if isCritical { return .critical }
    guard let prescriber, plan.request.json["requester"] != nil else { return nil }
    return Prescriber(plan.request)?.account == prescriber ? nil : .foreign
  }

  private func made(
    _ intakes: [IntakeTime], _ days: IntakeDays, _ way: IntakeMedicine.Way
  ) -> IntakeMedicine {
    IntakeMedicine(
      id: plan.id, name: plan.medicineName, intakes: intakes, days: days, way: way)
  }

  private func way(_ draft: PlanDraft?) -> (IntakeMedicine.Way, IntakeDays) {
    guard let draft else { return (.kept(.unsaid), .daily) }
    func free(_ times: [ClockTime]) -> IntakeMedicine.Way {
      if times.contains(where: { $0.second != 0 }) { return .kept(.unsaid) }
      return times.count > IntakeOptions.mostIntakes ? .kept(.many) : .times
    }
    switch draft.schedule {
    case .times(let times, let weekdays):
      return (
        free(times.map(\.time)),
        IntakeDays(weekdays: weekdays, first: draft.start, last: draft.end)
      )
    case .everyDays(let days, let times):
      return (
        free(times.map(\.time)), IntakeDays(every: days, from: draft.start, last: draft.end)
      )
    case .meals(_, let weekdays):
      return (
        .kept(.event), IntakeDays(weekdays: weekdays, first: draft.start, last: draft.end)
      )
    case .spread(let spread):
      if spread.window.from > spread.window.until { return (.kept(.overnight), .daily) }
      let way = free(spread.times)
      return (way == .times ? .spread(spread) : way, .daily)
    case .everyHours: return (.kept(.hours), .daily)
    case .afterIntake: return (.kept(.afterIntake), .daily)
    case .cycle: return (.kept(.cycle), .daily)
    case .steps: return (.kept(.steps), .daily)
    case .varying: return (.kept(.amounts), .daily)
    case .asNeeded: return (.kept(.asNeeded), .daily)
    }
  }

  private var fromSlots: [IntakeTime] {
    var seen: Set<SlotTime> = []
    return plan.slots.compactMap { slot in
      guard seen.insert(slot.time).inserted else { return nil }
      var own: DayEvent?
      if case .event(let event, _) = slot.time { own = event }
      return IntakeTime(minute: Int(slot.time.wallSeconds(in: rhythm) / 60), event: own)
    }
  }

  /// Returns the hours if they give the same clock times each day; nil for others, which cannot be predicted.
  private func hours(_ draft: PlanDraft?) -> Int? {
    guard case .everyHours(let hours, _)? = draft?.schedule, hours > 0, 24 % hours == 0 else {
      return nil
    }
    return hours
  }

  private func fromHours(
    _ hours: Int, zones: ZoneCatalog, in reader: any SQLReader
  ) throws -> [IntakeTime] {
    let doses = try PlanQueries.preview(
      plan.id, patient: plan.patient, from: now, days: 3, zones: zones, in: reader)
    let minutes = doses.prefix(24 / hours).map {
      personZone.local(at: $0.due).time.secondsOfDay / 60
    }
    return Set(minutes).map { IntakeTime(minute: $0) }
  }
}
