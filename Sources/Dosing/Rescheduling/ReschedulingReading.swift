// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Knowledge
import People
import Plans
import Scheduling
import Storage
import TimeZones

/// Reads the facts that rescheduling depends on; the caller has checked that the actor may see
/// them.
package enum ReschedulingReading {
  /// Returns the advice on a dose that is late, missed or was taken late; nil for any other dose.
  ///
  /// - Parameter list: the interactions that define the minimum time between two medicines.
  package static func rescheduling(
    of dose: Dose, list: InteractionList, now: Timestamp, zones: ZoneCatalog,
    in reader: any SQLReader
  ) throws(PlanError) -> Rescheduling? {
    try rescheduling(
      of: dose, list: list,
      in: PatientSnapshot(of: dose.patient, now: now, zones: zones, in: reader))
  }

  /// Returns the advice on a dose of a patient whose snapshot is already in use.
  package static func rescheduling(
    of dose: Dose, list: InteractionList, in patient: PatientSnapshot
  ) throws(PlanError) -> Rescheduling? {
    try situation(of: dose, list: list, in: patient).map(Rescheduling.init)
  }

  /// The age up to which intakes of other medicines are read, in milliseconds: the longest spacing of the
  /// list.
  static let reachBack: Int64 = 21 * 24 * 3_600_000

  static func situation(
    of dose: Dose, list: InteractionList, in patient: PatientSnapshot
  ) throws(PlanError) -> ReschedulingSituation? {
    let now = patient.now
    guard let at = moment(of: dose, now: now) else { return nil }
    return try planning {
      guard let row = try patient.plan(dose.plan), let person = try patient.person()
      else { return nil }
      let snapshot = try patient.snapshot(of: row)
      let timeline = try patient.timeline(of: row)
      let rule = MissedDoseAdvice(snapshot.request)
      let rows = try patient.rows(of: dose.plan, dueAfter: dose.due)
      // Doses that follow intakes move automatically.
      let follows = timeline?.followsIntakes ?? false
      let coming = follows ? [] : coming(after: dose, rows, snapshot, now: now)
      let zone = try patient.zones.zone(person.zone)
      let medicine = Medicine(row)
      let others = try patient.openDoses().filter { $0.plan != dose.plan }
      let near = try patient.intakes(
        near: at, of: medicine, within: max(row.minimumGap ?? 0, 24 * 3_600_000),
        excluding: dose.id)
      return ReschedulingSituation(
        dose: dose.id, medicineName: row.shownName, amount: dose.answer?.amount ?? dose.amount,
        at: at, isTaken: dose.state == .taken, rule: rule,
        advice: advice(rule, for: dose, at: at, now: now, timeline, rows),
        gap: row.minimumGap, near: near.map(\.taken),
        lastTaken: near.last { $0.plan == row.plan }?.taken, coming: coming,
        beyond: follows || row.plannedThrough == PlanRow.complete
          ? nil
          : timeline?.next(after: Instant(row.plannedThrough).adding(milliseconds: -1)).map {
            Timestamp($0)
          },
        limits: try limits(of: medicine, excluding: dose.id, at: at, zone: zone, in: patient),
        planned: try planned(others, of: medicine, in: patient),
        neighbours: try neighbours(of: medicine, others, list: list, at: at, in: patient),
        zone: zone, rhythm: person.rhythm)
    }
  }

  /// Returns the time at which the dose was taken, or now.
  private static func moment(of dose: Dose, now: Timestamp) -> Timestamp? {
    switch dose.state {
    case .taken: dose.isLate ? dose.answer?.at : nil
    case .missed: now
    case .due, .later: dose.isLate ? now : nil
    case .scheduled, .skipped, .refused, .withheld, .cancelled: nil
    }
  }

  /// Returns the rule's advice by the clock; a rule that delays doses has none once the next dose is due.
  private static func advice(
    _ rule: MissedDoseAdvice?, for dose: Dose, at: Timestamp, now: Timestamp,
    _ timeline: PlanTimeline?,
    _ rows: [DoseProjectionRow]
  ) -> MissAdvice {
    let advice = MissAdvice(rule, for: dose, now: at)
    // If the next dose has been moved, it is looked up at its new time.
    guard case .shift(let hours)? = rule else { return advice }
    let isThere = rows.contains { $0.due <= now && $0.state != .cancelled }
    guard !isThere, timeline != nil else { return .ask }
    return .shift(
      hours: hours,
      nextFrom: ReschedulingChain.wholeMinute(at.adding(milliseconds: Int64(hours) * 3_600_000)))
  }

  // MARK: The plan's own doses

  private static func coming(
    after dose: Dose, _ rows: [DoseProjectionRow], _ snapshot: PlanSnapshot, now: Timestamp
  ) -> [ComingDose] {
    rows.compactMap { row in
      guard row.due > now, row.state == .open || row.state == .withheld else { return nil }
      return ComingDose(
        id: DoseID(plan: dose.plan, era: row.era, occurrence: row.occurrence),
        due: max(row.due, row.laterUntil ?? row.due),
        isFixed: !row.isProjection || row.state == .withheld || row.era != snapshot.row.era,
        meal: meal(of: row.occurrence, snapshot.slots), amount: row.amount)
    }.sorted { ($0.due, $0.id.text) < ($1.due, $1.id.text) }
  }

  private static func meal(of occurrence: OccurrenceID, _ slots: [PlanSlot]) -> DayEvent? {
    guard case .slot(_, let slot) = occurrence,
      case .event(let event, _)? = slots.first(where: { $0.id == slot })?.time,
      [.breakfast, .lunch, .dinner].contains(event.base)
    else { return nil }
    return event
  }

  // MARK: Limits

  private static func limits(
    of medicine: Medicine, excluding dose: DoseID, at: Timestamp, zone: Zone,
    in patient: PatientSnapshot
  ) throws -> [LimitCheck] {
    let stated = try patient.statedLimits()
    let own = Ingredient.contents(column: medicine.ingredients)
    return try stated.compactMap { limited, limits, isActive in
      guard isActive, limits.isLimiting,
        limited.plan == medicine.plan
          || !own.isDisjoint(with: Ingredient.contents(column: limited.ingredients))
      else { return nil }
      return LimitCheck(
        plan: limited.plan ?? PlanID(""), medicineName: limited.shownName, limits: limits,
        intakes: try patient.intakes(
          near: at, of: limited, within: limits.reach, excluding: dose),
        zone: zone, sources: LimitRows.sources(stated))
    }
  }

  // MARK: Other medicines

  /// Returns the planned doses that count towards the same limits, as if they were taken.
  private static func planned(
    _ others: [Dose], of medicine: Medicine, in patient: PatientSnapshot
  ) throws -> [Intake] {
    let own = Ingredient.contents(column: medicine.ingredients)
    var isSame: [PlanID: Bool] = [:]
    for plan in Set(others.map(\.plan)) {
      let column = try patient.plan(plan)?.ingredients ?? ""
      isSame[plan] = !own.isDisjoint(with: Ingredient.contents(column: column))
    }
    return others.filter { isSame[$0.plan] == true }.map { other in
      Intake(
        administration: AdministrationID("coming-\(other.id.text)"), plan: other.plan,
        dose: other.id,
        medicineName: other.medicineName, taken: other.laterUntil ?? other.due, by: "",
        amount: other.amount)
    }
  }

  /// Returns the medicines that must keep their distance from one, with the times of their intakes and
  /// planned doses.
  private static func neighbours(
    of medicine: Medicine, _ others: [Dose], list: InteractionList, at: Timestamp,
    in patient: PatientSnapshot
  ) throws -> [ReschedulingSituation.Neighbour] {
    let now = patient.now
    let known = try patient.takenMedicines()
    let own =
      known.first { $0.id == medicine.plan?.text }
      ?? TakenMedicines.substance(plan: medicine.plan ?? PlanID(""), name: medicine.name)
    let intakes = try patient.intakes(from: at.adding(milliseconds: -reachBack))
    // Free entries and ended medicines are known only by name.
    let names = Dictionary(
      intakes.map { ($0.plan ?? PlanID(Ingredient.key(name: $0.medicineName)), $0.medicineName) },
      uniquingKeysWith: { one, _ in one })
    let ended = names.filter { key, _ in !known.contains { $0.id == key.text } }
      .map { TakenMedicines.substance(plan: $0.key, name: $0.value) }
    return (known + ended.sorted { $0.name < $1.name }).compactMap { other in
      guard other.id != medicine.plan?.text, let spacing = list.spacing(between: own, and: other)
      else { return nil }
      return ReschedulingSituation.Neighbour(
        medicineName: other.name, thenOther: milliseconds(spacing.firstThenSecond),
        thenThis: milliseconds(spacing.secondThenFirst), rows: spacing.rows,
        taken: intakes.filter {
          ($0.plan?.text ?? Ingredient.key(name: $0.medicineName)) == other.id
        }.map(\.taken),
        // A dose that is already due may be taken at any moment.
        coming: others.filter { $0.plan.text == other.id }
          .map { max($0.laterUntil ?? $0.due, now) })
    }
  }

  private static func milliseconds(_ hours: Double?) -> Int64? {
    hours.flatMap { $0.isFinite && $0 > 0 ? Int64(exactly: ($0 * 3_600_000).rounded()) : nil }
  }
}
