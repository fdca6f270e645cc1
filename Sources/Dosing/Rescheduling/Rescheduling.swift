// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// A rule that was checked for a late or forgotten dose, with its result.
package enum ReschedulingRule: Sendable, Hashable {
  /// The plan's own rule.
  case plan(MissAdvice)
  /// The doses that the plan's rule moves; empty if the next one already keeps its distance.
  case moves([RescheduledDose])
  /// The doses cannot return to the pattern within the planned horizon.
  case tooNear(due: Timestamp, earliest: Timestamp)
  /// The plan's minimum time between doses, in milliseconds, compared with the nearest intake.
  case gap(milliseconds: Int64, nearest: Timestamp, isKept: Bool)
  /// The next dose comes within the gap, so a question will be asked before it is recorded.
  case gapAhead(milliseconds: Int64, next: Timestamp)
  /// A limit that is kept, with the number of doses that count towards it so far.
  case limitKept(LimitBreach.Rule, medicineName: String, taken: Int)
  /// A limit that a dose at that time would exceed.
  case limitBroken(LimitBreach, at: Timestamp)
  /// The minimum time to another medicine, in milliseconds, with the times of both medicines.
  case spacing(
    medicineName: String, milliseconds: Int64, ours: Timestamp, theirs: Timestamp,
    isTaken: Bool, isKept: Bool, rows: [String])
  /// A dose that is tied to a meal would be separated from it.
  case meal(DayEvent, at: Timestamp)
  /// A dose would come while the person sleeps, which is shown but does not prevent the move.
  case sleep(at: Timestamp)

  /// True if it contradicts the plan's rule.
  package var isAgainst: Bool {
    switch self {
    case .tooNear, .limitBroken, .meal: true
    case .gap(_, _, let isKept), .spacing(_, _, _, _, _, let isKept, _): !isKept
    case .plan, .moves, .gapAhead, .limitKept, .sleep: false
    }
  }
}

/// The advice on a late or forgotten dose, with the rules that were applied, in their order.
///
/// A pure rule. It never exceeds a limit or breaks a spacing, and without a rule of the plan it
/// gives no time.
package struct Rescheduling: Sendable, Hashable {
  /// The result of all rules together.
  package enum Verdict: Sendable, Hashable {
    /// It may be taken until the given time.
    case take(until: Timestamp)
    /// It may be taken now, and nothing that follows has to move.
    case takeNow
    /// It may be taken now, and these doses move to later times.
    case takeAndMove([RescheduledDose])
    case leaveOut
    /// A professional must be asked; carries the rule that contradicts the plan's own, if there is
    /// one.
    case ask(against: ReschedulingRule?)
  }

  /// The result of all rules together.
  package let verdict: Verdict
  /// The rules that were applied, in the order in which they are explained.
  package let rules: [ReschedulingRule]

  /// Applies the plan's rule and everything that could contradict it.
  package init(_ situation: ReschedulingSituation) {
    var rules: [ReschedulingRule] = [.plan(situation.advice)]
    let now = situation.isTaken ? [] : situation.rulesAtIntake
    switch situation.advice {
    case .ask:
      // Without a rule, the advice contains nothing that could be read as permission to take it.
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

  /// The rule that contradicts the plan's own; nil if none does.
  package var clash: ReschedulingRule? {
    if case .ask(let against) = verdict { against } else { nil }
  }

  /// The plan's own advice for this dose.
  package var advice: MissAdvice {
    for case .plan(let advice) in rules { return advice }
    return .ask
  }

  /// The doses that it proposes to move; empty if it proposes none.
  package var moves: [RescheduledDose] {
    if case .takeAndMove(let moves) = verdict { moves } else { [] }
  }
}

extension ReschedulingSituation {
  /// Returns the chain of the plan's own rule, which never shortens the plan's gap.
  fileprivate func chain(hours: Int) -> ReschedulingChain {
    let gap = gap ?? 0
    return ReschedulingChain(
      taken: at, distance: max(Int64(hours) * 3_600_000, gap),
      floor: lastTaken.map { $0.adding(milliseconds: gap) }, coming: coming, beyond: beyond)
  }
}
