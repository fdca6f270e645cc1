// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// A rule that was looked at for a late or forgotten dose, with what came of it.
package enum ReschedulingRule: Sendable, Hashable {
  /// What the plan says itself.
  case plan(MissAdvice)
  /// The doses that the plan's rule moves; none where the next one keeps its distance where it is.
  case moves([RescheduledDose])
  /// The pattern would not be met again within the doses that are planned.
  case tooNear(due: Timestamp, earliest: Timestamp)
  /// The plan's least time between doses, in milliseconds, against the nearest intake.
  case gap(milliseconds: Int64, nearest: Timestamp, isKept: Bool)
  /// The next dose comes within the gap: it asks first, as it does by itself.
  case gapAhead(milliseconds: Int64, next: Timestamp)
  /// A limit that holds, with the number of doses that count to it so far.
  case limitKept(LimitBreach.Rule, medicineName: String, taken: Int)
  /// A limit that a dose then would go beyond.
  case limitBroken(LimitBreach, at: Timestamp)
  /// The hours from another medicine: ours at one time, the other one at another.
  case spacing(
    medicineName: String, milliseconds: Int64, ours: Timestamp, theirs: Timestamp,
    isTaken: Bool, isKept: Bool, rows: [String])
  /// A dose that belongs to a meal would leave it.
  case meal(DayEvent, at: Timestamp)
  /// A dose would come while the person sleeps: nothing against it, but to be known.
  case sleep(at: Timestamp)

  /// Whether it speaks against what the plan's rule says.
  package var isAgainst: Bool {
    switch self {
    case .tooNear, .limitBroken, .meal: true
    case .gap(_, _, let isKept), .spacing(_, _, _, _, _, let isKept, _): !isKept
    case .plan, .moves, .gapAhead, .limitKept, .sleep: false
    }
  }
}

/// What may be done with a late or forgotten dose, with the rules that were applied, in their order.
///
/// A pure rule. It never goes beyond a limit or a spacing, and without a rule of the plan it names no time.
package struct Rescheduling: Sendable, Hashable {
  package enum Verdict: Sendable, Hashable {
    /// It may be taken until then.
    case take(until: Timestamp)
    /// It may be taken now, and nothing that follows has to move.
    case takeNow
    /// It may be taken now, and these go to later times.
    case takeAndMove([RescheduledDose])
    case leaveOut
    /// Somebody who knows is to be asked; where the plan's rule meets one that contradicts it, that one.
    case ask(against: ReschedulingRule?)
  }

  package let verdict: Verdict
  package let rules: [ReschedulingRule]

  package init(_ situation: ReschedulingSituation) {
    var rules: [ReschedulingRule] = [.plan(situation.advice)]
    let now = situation.isTaken ? [] : situation.rulesAtIntake
    switch situation.advice {
    case .ask:
      // Without a rule nothing is said that could be read as leave to take it.
      rules += now.filter(\.isAgainst)
      verdict = .ask(against: nil)
    case .skip, .tooLate:
      verdict = .leaveOut
    case .takeUntil(let end):
      rules += now
      let against = rules.first(where: \.isAgainst)
      verdict = against.map { .ask(against: $0) } ?? .take(until: end)
    case .shift(let hours, _):
      rules += now
      let chain = situation.chain(hours: hours)
      switch chain {
      case .nothing: rules.append(.moves([]))
      case .moves(let moves):
        rules.append(.moves(moves))
        rules += situation.rules(of: moves)
      case .tooNear(let due, let earliest): rules.append(.tooNear(due: due, earliest: earliest))
      }
      if let against = rules.first(where: \.isAgainst) {
        verdict = .ask(against: against)
      } else if case .moves(let moves) = chain {
        verdict = .takeAndMove(moves)
      } else {
        verdict = .takeNow
      }
    }
    self.rules = rules
  }

  /// The rule that contradicts the plan's own.
  package var clash: ReschedulingRule? {
    if case .ask(let against) = verdict { against } else { nil }
  }

  /// What the plan's own rule comes to.
  package var advice: MissAdvice {
    for case .plan(let advice) in rules { return advice }
    return .ask
  }

  /// The doses that it proposes to move.
  package var moves: [RescheduledDose] {
    if case .takeAndMove(let moves) = verdict { moves } else { [] }
  }
}

extension ReschedulingSituation {
  /// The chain of the plan's own rule; the plan's gap is never loosened by it.
  fileprivate func chain(hours: Int) -> ReschedulingChain {
    let gap = gap ?? 0
    return ReschedulingChain(
      taken: at, distance: max(Int64(hours) * 3_600_000, gap),
      floor: lastTaken.map { $0.adding(milliseconds: gap) }, coming: coming, beyond: beyond)
  }
}
