// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling

/// A rule that decides the time of a dose.
package enum IntakeRule: Sendable, Hashable {
  /// The medicine keeps its times.
  case kept(medicine: PlanID, IntakeKept)
  /// The plan ties the dose to a meal, to sleep or a part of the day.
  case event(DayEvent)
  /// It is taken together with others, which saves a time.
  case together([String])
  /// The list requires a minimum number of minutes from the earlier to the later medicine.
  case apart(earlier: PlanID, later: PlanID, minutes: Int, rows: [String])
  /// The list requires a minimum number of minutes before or after meals.
  case meal(medicine: PlanID, before: Int?, after: Int?, rows: [String])
  /// The doses of one medicine stay a minimum number of minutes apart; `isStated` is true if the plan says
  /// so.
  case gap(medicine: PlanID, minutes: Int, isStated: Bool)
  /// A dose stays in its part of the day.
  case part
  /// The two medicines are taken on days that are too close together at any time of day.
  case days
  /// The dose stays between the two times of day that the plan states.
  case window(DayWindow)
  /// The time could change, but no change would save a time of day.
  case nothingSaved
}

extension IntakeProposal {
  /// The doses of the proposed day, in order of time.
  package var entries: [IntakeEntry] {
    let reasons = IntakeReasons(self)
    let mended = reasons.findings.filter(\.isMended).map(\.rule)
    var entries: [IntakeEntry] = []
    for (old, new) in zip(before.medicines, after.medicines) {
      for index in new.intakes.indices {
        entries.append(
          IntakeEntry(
            medicine: new.id, name: new.name, from: IntakeClock.ofDay(old.intakes[index].minute),
            to: IntakeClock.ofDay(new.intakes[index].minute),
            rules: reasons.rules(old, new, index, mended: mended)))
      }
    }
    return entries.sorted { ($0.to, $0.name, $0.medicine) < ($1.to, $1.name, $1.medicine) }
  }

  /// The rules of the list that the current times break, each with the result of the proposal.
  package var findings: [IntakeFinding] { IntakeReasons(self).findings }

  /// The intervals that the person must keep themselves, because one of the two medicines has no fixed times.
  package var unforeseen: [IntakeRule] { IntakeReasons(self).unforeseen }
}

/// Finds the deciding rules for each dose.
struct IntakeReasons {
  private let proposal: IntakeProposal
  private let clock: IntakeClock
  private let after: [PlanID: IntakeMedicine]
  /// The medicines taken at each minute of the clock.
  private let taken: [Int: [IntakeMedicine]]

  init(_ proposal: IntakeProposal) {
    self.proposal = proposal
    clock = IntakeClock(proposal.after.rhythm)
    after = Dictionary(
      proposal.after.medicines.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    var taken: [Int: [IntakeMedicine]] = [:]
    for medicine in proposal.after.medicines {
      for minute in Set(medicine.minutes.map(IntakeClock.ofDay)) {
        taken[minute, default: []].append(medicine)
      }
    }
    self.taken = taken
  }

  // MARK: Doses

  /// Returns the rules for a dose.
  ///
  /// - Parameter mended: the rules of the list that are broken now and kept by the proposal.
  func rules(
    _ old: IntakeMedicine, _ new: IntakeMedicine, _ index: Int, mended: [IntakeRule]
  ) -> [IntakeRule] {
    let intake = new.intakes[index]
    let minute = IntakeClock.ofDay(intake.minute)
    if let event = intake.event { return [.event(event)] }
    if let why = new.kept { return [.kept(medicine: new.id, why)] }
    var rules: [IntakeRule] = []
    if case .spread(let spread) = old.way { rules.append(.window(spread.window)) }
    let isMoved = old.intakes[index].minute != intake.minute
    if isMoved {
      rules += mended.filter { $0.concerns(new.id) }
      let others = (taken[minute] ?? []).filter { $0.id != new.id }.map(\.name).sorted()
      if !others.isEmpty { rules.append(.together(others)) }
    }
    for rule in apart(new, index) where !rules.contains(rule) { rules.append(rule) }
    if rules.isEmpty || rules.count == 1 && !isMoved && new.statedGap != nil {
      rules.append(.nothingSaved)
    }
    return rules
  }

  /// Returns the reasons why the dose is not taken at the closest other times before and after it.
  private func apart(_ medicine: IntakeMedicine, _ index: Int) -> [IntakeRule] {
    let own = medicine.intakes[index].minute
    let others = taken.keys.sorted().filter { minute in
      minute != own && taken[minute]?.contains { $0.id != medicine.id } ?? false
    }
    let near = [others.last { $0 < own }, others.first { $0 > own }].compactMap(\.self)
    return near.compactMap { against(medicine, index, at: $0) }
  }

  /// Returns the rule that excludes another time for a dose; nil if none does.
  private func against(_ medicine: IntakeMedicine, _ index: Int, at minute: Int) -> IntakeRule? {
    let own = medicine.intakes[index].minute
    for rule in proposal.after.meals where rule.medicine == medicine.id {
      if rule.isBroken(minute, clock) {
        return .meal(
          medicine: medicine.id, before: rule.beforeMeal, after: rule.afterMeal, rows: rule.rows)
      }
    }
    for spacing in proposal.after.spacings {
      guard let other = partner(medicine.id, spacing) else { continue }
      let isFirst = spacing.first == medicine.id
      let offsets = offsets(medicine, other, spacing)
      for another in other.minutes {
        for offset in offsets {
          let distance = offset * IntakeClock.day + another - minute
          if let rule = spacing.rule(isFirst ? distance : -distance) { return rule }
        }
      }
    }
    var minutes = medicine.minutes
    minutes[index] = minute
    let shortest = IntakeMedicine.shortest(
      minutes.sorted(), overNight: medicine.days.hasNeighbours)
    if minutes.count > 1, let shortest, shortest < medicine.gap {
      return .gap(
        medicine: medicine.id, minutes: medicine.gap, isStated: medicine.statedGap == medicine.gap)
    }
    let part = clock.part(of: own)
    return part == .night || clock.part(of: minute) != part || !clock.isSameDay(own, minute)
      ? .part : nil
  }

  /// The rules of the list about medicines whose times cannot be predicted.
  var unforeseen: [IntakeRule] {
    proposal.after.spacings.flatMap { spacing -> [IntakeRule] in
      guard let one = after[spacing.first], let other = after[spacing.second] else { return [] }
      let isTaken = [one, other].allSatisfy { $0.kept != .paused && $0.kept != .silent }
      guard isTaken, one.intakes.isEmpty || other.intakes.isEmpty else { return [] }
      return [spacing.rule(1), spacing.rule(-1)].compactMap(\.self)
    }
  }

  // MARK: Rules broken now

  var findings: [IntakeFinding] {
    var found: [IntakeFinding] = []
    let before = Dictionary(
      proposal.before.medicines.map { ($0.id, $0) }, uniquingKeysWith: { first, _ in first })
    for spacing in proposal.before.spacings {
      guard let first = before[spacing.first], let second = before[spacing.second],
        let worst = worst(spacing, first, second), let rule = spacing.rule(worst)
      else { continue }
      let isMended = after[first.id].flatMap { one in
        after[second.id].map { self.worst(spacing, one, $0) == nil }
      }
      found.append(
        IntakeFinding(
          rule: rule, distance: abs(worst), isMended: isMended ?? false,
          clash: isMended ?? false ? nil : clash(first, second, rule)))
    }
    for rule in proposal.before.meals {
      guard let medicine = before[rule.medicine],
        let minute = medicine.minutes.first(where: { rule.isBroken($0, clock) })
      else { continue }
      let isMended = after[rule.medicine].map { new in
        !new.minutes.contains { rule.isBroken($0, clock) }
      }
      let own = IntakeRule.meal(
        medicine: rule.medicine, before: rule.beforeMeal, after: rule.afterMeal, rows: rule.rows)
      found.append(
        IntakeFinding(
          rule: own, distance: distance(minute), isMended: isMended ?? false,
          clash: isMended ?? false ? nil : clash(medicine, nil, own)))
    }
    return found
  }

  /// Returns the minutes between a time and the closest meal.
  private func distance(_ minute: Int) -> Int {
    clock.meals.map {
      min(IntakeClock.ofDay($0 - minute), IntakeClock.ofDay(minute - $0))
    }.min() ?? 0
  }

  /// Returns the shortest insufficient distance from the first to the second; nil if all are enough.
  private func worst(
    _ spacing: IntakeSpacing, _ first: IntakeMedicine, _ second: IntakeMedicine
  ) -> Int? {
    let offsets = offsets(first, second, spacing)
    var worst: Int?
    for one in first.minutes {
      for other in second.minutes {
        for offset in offsets {
          let distance = offset * IntakeClock.day + other - one
          guard spacing.lacking(distance) != nil else { continue }
          if worst.map({ abs(distance) < abs($0) }) ?? true { worst = distance }
        }
      }
    }
    return worst
  }

  /// Returns the rule that conflicts with another one.
  private func clash(
    _ first: IntakeMedicine, _ second: IntakeMedicine?, _ rule: IntakeRule
  ) -> IntakeRule {
    if case .apart(_, _, let minutes, _) = rule, minutes > IntakeClock.day / 2 { return .days }
    let both = [first, second].compactMap(\.self)
    // Rules from the plan or the person are named before the planner's own.
    for medicine in both {
      if let event = medicine.intakes.compactMap(\.event).first, medicine.kept == .event {
        return .event(event)
      }
      if let why = medicine.kept { return .kept(medicine: medicine.id, why) }
    }
    for spacing in proposal.before.spacings {
      guard both.contains(where: { $0.id == spacing.first || $0.id == spacing.second }),
        let other = IntakeRule(spacing), !other.isSame(as: rule)
      else { continue }
      return other
    }
    for meal in proposal.before.meals where both.contains(where: { $0.id == meal.medicine }) {
      let other = IntakeRule.meal(
        medicine: meal.medicine, before: meal.beforeMeal, after: meal.afterMeal, rows: meal.rows)
      if other != rule { return other }
    }
    if let several = both.first(where: { $0.intakes.count > 1 }) {
      return .gap(
        medicine: several.id, minutes: several.gap, isStated: several.statedGap == several.gap)
    }
    return .part
  }

  private func partner(_ medicine: PlanID, _ spacing: IntakeSpacing) -> IntakeMedicine? {
    if spacing.first == medicine { return after[spacing.second] }
    return spacing.second == medicine ? after[spacing.first] : nil
  }

  private func offsets(
    _ one: IntakeMedicine, _ other: IntakeMedicine, _ spacing: IntakeSpacing
  ) -> [Int] {
    one.days.offsets(to: other.days, within: spacing.longest / IntakeClock.day + 2)
  }
}

extension IntakeSpacing {
  /// Returns the rule broken by a distance in minutes from the first to the second.
  func rule(_ distance: Int) -> IntakeRule? {
    guard let needed = lacking(distance) else { return nil }
    // If taken at the same moment, the order with the larger distance counts.
    let isFirst =
      distance > 0 || distance == 0 && (firstThenSecond ?? 0) >= (secondThenFirst ?? 0)
    return isFirst
      ? .apart(earlier: first, later: second, minutes: needed, rows: rows)
      : .apart(earlier: second, later: first, minutes: needed, rows: rows)
  }
}

extension IntakeRule {
  init?(_ spacing: IntakeSpacing) {
    guard let rule = spacing.rule(0) else { return nil }
    self = rule
  }

  /// Returns true if a rule of the list is about a medicine.
  func concerns(_ medicine: PlanID) -> Bool {
    switch self {
    case .apart(let earlier, let later, _, _): earlier == medicine || later == medicine
    case .meal(let own, _, _, _), .gap(let own, _, _), .kept(let own, _): own == medicine
    case .event, .together, .part, .days, .window, .nothingSaved: false
    }
  }

  /// Returns true if both are about the same two medicines.
  func isSame(as other: IntakeRule) -> Bool {
    guard case .apart(let one, let two, _, _) = self,
      case .apart(let three, let four, _, _) = other
    else { return self == other }
    return Set([one, two]) == Set([three, four])
  }
}
