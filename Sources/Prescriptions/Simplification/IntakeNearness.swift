// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// Two doses of different medicines that come nearer to each other than the list says.
package struct IntakeNearness: Sendable, Hashable {
  package let rule: IntakeRule
  /// The earlier one.
  package let first: Timestamp
  package let second: Timestamp
}

extension IntakeSituation {
  /// Doses that come too near to each other, or to one that was taken, by time.
  ///
  /// Of a day on which times change: rules of the day alone do not see what was taken by the old ones.
  package func nearness(of doses: [Dose]) -> [IntakeNearness] {
    let moments = Dictionary(grouping: doses.compactMap(Moment.init), by: \.plan)
    var found: [IntakeNearness] = []
    for spacing in spacings {
      for one in moments[spacing.first] ?? [] {
        for other in moments[spacing.second] ?? [] where one.isToCome || other.isToCome {
          let distance = Int((other.at.milliseconds - one.at.milliseconds) / 60_000)
          guard let rule = spacing.rule(distance) else { continue }
          found.append(
            IntakeNearness(
              rule: rule, first: min(one.at, other.at), second: max(one.at, other.at)))
        }
      }
    }
    return found.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  private struct Moment {
    let plan: PlanID
    let at: Timestamp
    let isToCome: Bool

    /// Nil for a dose that is not taken.
    init?(_ dose: Dose) {
      switch dose.state {
      case .taken: (at, isToCome) = (dose.answer?.at ?? dose.due, false)
      case .scheduled, .later, .due, .withheld:
        (at, isToCome) = (dose.laterUntil ?? dose.due, true)
      case .skipped, .refused, .missed, .cancelled: return nil
      }
      plan = dose.plan
    }
  }
}
