// SPDX-License-Identifier: Apache-2.0
import Scheduling

/// A dose that the rules of a plan give.
package struct PlannedDose: Sendable, Hashable {
  /// The identity within the era.
  package let occurrence: OccurrenceID
  /// The instant at which it is due.
  package let due: Instant
  /// The planned amount; nil if the plan states none.
  package let amount: Amount?
  /// The effect of a clock change on its written wall time.
  package let shift: ZonedShift
}

/// The doses of all rules of a plan in one era, as one ascending list that is computed when asked
/// for.
package struct PlanTimeline: Sendable {
  /// The zone whose clock the rules follow.
  package let zone: Zone
  /// The doses of each rule.
  package let parts: [PlanTimelinePart]
  let rhythm: DailyRhythm

  /// Creates the doses of rules, without an intake from which hours could be counted.
  package init(rules: [PlanRule], slots: [PlanSlot], zone: Zone, rhythm: DailyRhythm) {
    self.init(rules: rules, slots: slots, zone: zone, rhythm: rhythm, lastIntake: nil)
  }

  /// Creates the doses of rules.
  ///
  /// - Parameter lastIntake: the intake from which such rules count hours.
  init(
    rules: [PlanRule], slots: [PlanSlot], zone: Zone, rhythm: DailyRhythm, lastIntake: LastIntake?
  ) {
    self.zone = zone
    self.rhythm = rhythm
    parts = rules.map { rule in
      let own = Self.slots(of: rule, among: slots)
      return PlanTimelinePart(
        rule: rule, slots: own,
        expander: ScheduleExpander(
          schedule: rule.schedule(slots: own), zone: zone, rhythm: rhythm),
        chain: Self.chain(of: rule, after: lastIntake, zone: zone))
    }
  }

  /// The gap that the plan states, else half the shortest regular interval, in milliseconds; nil if
  /// nothing recurs.
  package var minimumGapMilliseconds: Int64? {
    parts.compactMap(\.rule.statedGap).min() ?? shortestIntervalMilliseconds.map { $0 / 2 }
  }

  /// The shortest regular interval, in milliseconds.
  ///
  /// Computed when asked for, because it takes longer than the doses of a day.
  var shortestIntervalMilliseconds: Int64? { Self.shortestInterval(parts, rhythm: rhythm) }

  private static func chain(
    of rule: PlanRule, after lastIntake: LastIntake?, zone: Zone
  ) -> IntakeChain? {
    guard let stated = rule.afterIntake, case .elapsed(let every, _) = rule.pattern else {
      return nil
    }
    return IntakeChain(
      everyMilliseconds: every, waking: stated.waking, start: rule.anchor,
      end: rule.end?.excludedInstant, count: rule.count, after: lastIntake, zone: zone)
  }

  /// True if its hours are counted from intakes, so that its doses move with every answer.
  package var followsIntakes: Bool { parts.contains { $0.chain != nil } }

  /// True if every rule has at least one dose.
  package var canFire: Bool { parts.allSatisfy(\.canFire) }

  /// Returns the doses due in [from, until), by due time, then by identity.
  ///
  /// - Parameter limit: the maximum number of doses of each rule.
  package func doses(from: Instant, until: Instant, limit: Int = 200_000) -> [PlannedDose] {
    var doses: [PlannedDose] = []
    for index in parts.indices {
      let part = parts[index]
      for occurrence in part.occurrences(from: from, until: until, limit: limit)
      where !isGivenEarlier(occurrence.instant, by: index) {
        doses.append(
          PlannedDose(
            occurrence: occurrence.id, due: occurrence.instant, amount: part.rule.amount,
            shift: occurrence.shift))
      }
    }
    if parts.count > 1 {
      doses.sort {
        $0.due == $1.due ? $0.occurrence.text < $1.occurrence.text : $0.due < $1.due
      }
    }
    return doses
  }

  /// Returns the dose with an identity; nil if the rules give none.
  package func dose(_ id: OccurrenceID) -> PlannedDose? {
    for part in parts {
      guard let window = window(of: id, in: part) else { continue }
      let found = part.occurrences(from: window.lowerBound, until: window.upperBound)
        .first { $0.id == id }
      guard let found else { continue }
      let due = found.instant
      return doses(from: due, until: due.adding(milliseconds: 1)).first { $0.occurrence == id }
    }
    return nil
  }

  /// Returns the next due time strictly after an instant.
  package func next(after instant: Instant) -> Instant? {
    parts.compactMap { $0.first(after: instant)?.instant }.min()
  }

  /// Returns the last due time strictly before an instant.
  package func last(before instant: Instant) -> Instant? {
    parts.compactMap { $0.last(before: instant)?.instant }.max()
  }

  /// Returns true if an earlier part gives a dose at the same instant: a rule and named instants in one
  /// dosage give one dose (timing rules 10 and 26).
  private func isGivenEarlier(_ instant: Instant, by index: Int) -> Bool {
    guard case .instants = parts[index].rule.pattern else { return false }
    return parts[..<index].contains { part in
      part.rule.dosage == parts[index].rule.dosage
        && !part.occurrences(
          from: instant, until: instant.adding(milliseconds: 1), limit: 1
        ).isEmpty
    }
  }

  /// Returns the range in which to look for an occurrence, with two days to spare for offsets and clock
  /// changes.
  func window(of id: OccurrenceID, in part: PlanTimelinePart) -> Range<Instant>? {
    if let chain = part.chain {
      guard case .running(let number) = id, let due = chain.instant(of: number) else { return nil }
      return due..<due.adding(milliseconds: 1)
    }
    switch (id, part.rule.pattern) {
    case (.slot(let date, let slot), .calendar):
      guard let own = part.slots.first(where: { $0.id == slot }) else { return nil }
      let seconds = own.time.wallSeconds(in: rhythm)
      let moved = date.adding(days: Int(seconds / 86_400) - (seconds < 0 ? 1 : 0))
      return zone.startOfDay(moved.adding(days: -2))..<zone.startOfDay(moved.adding(days: 3))
    case (.running(let number), .elapsed(let every, let times)):
      let own = number.subtractingReportingOverflow(part.rule.firstNumber)
      let (product, overflow) = own.partialValue.multipliedReportingOverflow(by: every)
      guard own.partialValue >= 0, !own.overflow, !overflow else { return nil }
      let due = part.rule.anchor.adding(milliseconds: product / Int64(max(times, 1)))
      return due.adding(milliseconds: -2)..<due.adding(milliseconds: 3)
    case (.instant(let instant), .instants):
      return instant..<instant.adding(milliseconds: 1)
    default:
      return nil
    }
  }

  private static func slots(of rule: PlanRule, among slots: [PlanSlot]) -> [PlanSlot] {
    guard case .calendar(_, let times) = rule.pattern else { return [] }
    return slots.filter { $0.dosage == rule.dosage && times.contains($0.time) }
  }

  /// Returns the shortest interval of rules that run together, over five weeks in a zone without clock
  /// changes.
  ///
  /// Consecutive steps are examined one by one.
  private static func shortestInterval(_ parts: [PlanTimelinePart], rhythm: DailyRhythm) -> Int64? {
    var regular: [PlanTimelinePart] = []
    var shortest: Int64?
    for part in parts {
      // Each look at it expands two months.
      guard let own = part.expander.shortestRegularIntervalMilliseconds else { continue }
      regular.append(part)
      shortest = min(shortest ?? .max, own)
    }
    guard regular.count > 1 else { return shortest }
    for together in Dictionary(grouping: regular, by: \.rule.step).values {
      guard together.count > 1, let begin = together.map(\.rule.anchor).max() else { continue }
      let end = begin.adding(milliseconds: 35 * 86_400_000)
      var instants: Set<Instant> = []
      for part in together {
        let plain = ScheduleExpander(
          schedule: part.rule.schedule(slots: part.slots), zone: .utc, rhythm: rhythm)
        instants.formUnion(
          plain.occurrences(from: begin, until: end, limit: 12_000).map(\.instant))
      }
      let ascending = instants.sorted()
      for (one, other) in zip(ascending, ascending.dropFirst()) {
        shortest = min(shortest ?? .max, other.milliseconds(since: one))
      }
    }
    return shortest
  }
}
