// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Scheduling
import Storage

/// The single rules, in the order in which they are explained: gap, limits, other medicines, meals, sleep.
extension ReschedulingSituation {
  /// The rules for taking the late dose.
  var rulesAtIntake: [ReschedulingRule] {
    gapRules + limitRules + spacingRules(at: at)
  }

  /// Returns the rules for the doses at their new times.
  func rules(of moves: [RescheduledDose]) -> [ReschedulingRule] {
    limitRules(of: moves) + moves.flatMap { spacingRules(at: $0.to).filter(\.isAgainst) }
      + moves.flatMap(dayRules)
  }

  // MARK: The gap

  private var gapRules: [ReschedulingRule] {
    guard let gap, gap > 0 else { return [] }
    func distance(_ time: Timestamp) -> Int64 { abs(time.milliseconds - at.milliseconds) }
    var rules: [ReschedulingRule] = []
    if let nearest = near.min(by: { distance($0) < distance($1) }) {
      rules.append(.gap(milliseconds: gap, nearest: nearest, isKept: distance(nearest) >= gap))
    }
    // If the plan's rule delays the next dose, that rule already covers it.
    if case .shift = advice { return rules }
    if let next = coming.first, next.due.milliseconds - at.milliseconds < gap {
      rules.append(.gapAhead(milliseconds: gap, next: next.due))
    }
    return rules
  }

  // MARK: Limits

  private var limitRules: [ReschedulingRule] {
    limits.flatMap { check -> [ReschedulingRule] in
      let breaches = check.breaches(at: at, amount: amount, from: dose.plan.text, isScheduled: true)
      let broken = Set(breaches.map(\.rule))
      let kept = check.rules.filter { !broken.contains($0) }.map { rule in
        ReschedulingRule.limitKept(
          rule, medicineName: check.medicineName, taken: check.count(toward: rule, at: at))
      }
      return breaches.map { .limitBroken($0, at: at) } + kept
    }
  }

  /// Returns the limits if all future doses are taken at their new times.
  private func limitRules(of moves: [RescheduledDose]) -> [ReschedulingRule] {
    guard let last = moves.last else { return [] }
    let times = Dictionary(moves.map { ($0.dose, $0.to) }, uniquingKeysWith: { one, _ in one })
    // Doses within a day after the last moved one are closer to it than before.
    let end = last.to.adding(milliseconds: 24 * 3_600_000)
    let own = coming.map { ($0, times[$0.id] ?? $0.due) }.filter { $0.1 <= end }
    let late = intake(at, amount, named: dose)
    return limits.flatMap { check -> [ReschedulingRule] in
      for (one, due) in own {
        let others = own.filter { $0.0.id != one.id }.map {
          intake($0.1, $0.0.amount, named: $0.0.id)
        }
        let breaches = check.adding([late] + others + planned).breaches(
          at: due, amount: one.amount, from: dose.plan.text, isScheduled: true)
        if let breach = breaches.first { return [.limitBroken(breach, at: due)] }
      }
      return []
    }
  }

  private func intake(_ time: Timestamp, _ amount: Amount?, named dose: DoseID) -> Intake {
    Intake(
      administration: AdministrationID("coming-\(dose.text)"), plan: dose.plan, dose: dose,
      medicineName: medicineName, taken: time, by: "", amount: amount)
  }

  // MARK: Other medicines

  /// Returns, for each other medicine, the time that is closest to breaking its spacing or breaks it.
  private func spacingRules(at time: Timestamp) -> [ReschedulingRule] {
    neighbours.compactMap { neighbour in
      let all = neighbour.taken.map { ($0, true) } + neighbour.coming.map { ($0, false) }
      let found = all.compactMap { theirs, isTaken -> (spare: Int64, rule: ReschedulingRule)? in
        let between = theirs.milliseconds - time.milliseconds
        let needed =
          between > 0
          ? neighbour.thenOther
          : between < 0
            ? neighbour.thenThis
            : [neighbour.thenOther, neighbour.thenThis].compactMap(\.self).max()
        guard let needed, needed > 0 else { return nil }
        let spare = abs(between) - needed
        return (
          spare,
          .spacing(
            medicineName: neighbour.medicineName, milliseconds: needed, ours: time,
            theirs: theirs, isTaken: isTaken, isKept: spare >= 0, rows: neighbour.rows)
        )
      }
      return found.min { $0.spare < $1.spare }?.rule
    }
  }

  // MARK: The day

  private func dayRules(_ move: RescheduledDose) -> [ReschedulingRule] {
    if let meal = coming.first(where: { $0.id == move.dose })?.meal {
      return [.meal(meal, at: move.to)]
    }
    let clock = zone.local(at: Instant(move.to)).time
    let (wake, bed) = (rhythm[.wake], rhythm[.bedtime])
    let isAwake = wake <= bed ? clock >= wake && clock <= bed : clock >= wake || clock <= bed
    return isAwake ? [] : [.sleep(at: move.to)]
  }
}

extension LimitCheck {
  /// The limits by name.
  var rules: [LimitBreach.Rule] {
    limits.counts.map { .count(most: $0.most, milliseconds: $0.milliseconds) }
      + limits.amounts.map { .amount(most: $0.amount, milliseconds: $0.milliseconds) }
      + [limits.days.map { .days(most: $0) }].compactMap(\.self)
  }

  /// Returns the number of intakes until a moment that count towards a limit; for a limit on days, the days
  /// of the month used.
  func count(toward rule: LimitBreach.Rule, at time: Timestamp) -> Int {
    switch rule {
    case .count(_, let length), .amount(_, let length):
      intakes.count { $0.taken <= time && time.milliseconds - $0.taken.milliseconds < length }
    case .days: daysUsed(at: time)
    }
  }

  /// Returns the check with more intakes.
  func adding(_ more: [Intake]) -> LimitCheck {
    LimitCheck(
      plan: plan, medicineName: medicineName, limits: limits, intakes: intakes + more, zone: zone,
      sources: sources)
  }
}
