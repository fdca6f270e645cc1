// SPDX-License-Identifier: Apache-2.0

import Identifiers
import Plans
import Storage

/// Two doses of different medicines that are closer together than the interaction list allows.
package struct IntakeNearness: Sendable, Hashable {
  /// The rule that they break.
  package let rule: IntakeRule
  /// The time of the earlier dose.
  package let first: Timestamp
  /// The time of the later dose.
  package let second: Timestamp
}

extension IntakeSituation {
  /// Returns pairs of doses that are too close together, at least one of which is in the future, by time.
  ///
  /// It is for the day on which times change: the rules of a usual day do not cover doses taken at the old
  /// times.
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

    /// Creates the intake; nil for a dose that is not taken.
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
