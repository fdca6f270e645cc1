// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// A dose that moves to another time because an earlier one was taken late.
package struct RescheduledDose: Sendable, Hashable {
  /// The dose that moves.
  package let dose: DoseID
  /// The time at which it is due without the move.
  package let from: Timestamp
  /// The later time to which it moves.
  package let to: Timestamp
}

/// A dose of the plan that is still to come.
package struct ComingDose: Sendable, Hashable {
  /// The identifier of the dose.
  package let id: DoseID
  /// The time at which it is due, or the end of its postponement.
  package let due: Timestamp
  /// True if someone has already acted on it: it is postponed or waits for a decision.
  package var isFixed = false
  /// The meal that it is tied to; nil if there is none.
  package var meal: DayEvent?
  /// The planned amount; nil if the plan states none.
  package var amount: Amount?

  /// Creates a coming dose.
  package init(
    id: DoseID, due: Timestamp, isFixed: Bool = false, meal: DayEvent? = nil,
    amount: Amount? = nil
  ) {
    self.id = id
    self.due = due
    self.isFixed = isFixed
    self.meal = meal
    self.amount = amount
  }
}

/// The effect of delaying the next dose on those that follow it, computed only from times.
package enum ReschedulingChain: Sendable, Hashable {
  /// The next dose already keeps the distance.
  case nothing
  /// These doses move to later times; the first one not listed is back on the pattern.
  case moves([RescheduledDose])
  /// The doses do not return to the pattern: this one would come before the earliest time that
  /// keeps the distance.
  case tooNear(due: Timestamp, earliest: Timestamp)

  /// Creates the chain of moves that keeps the distance from each dose to the next.
  ///
  /// - Parameters:
  ///   - taken: the time at which the late dose is taken.
  ///   - distance: the minimum time from one dose to the next, in milliseconds.
  ///   - floor: the earliest time to which a dose may move, because of other intakes of the plan.
  ///   - coming: the planned future doses, in order of time.
  ///   - beyond: the time of the first dose after these; nil if there is none.
  package init(
    taken: Timestamp, distance: Int64, floor: Timestamp? = nil, coming: [ComingDose],
    beyond: Timestamp?
  ) {
    var earliest = Self.wholeMinute(taken.adding(milliseconds: distance))
    guard let next = coming.first?.due ?? beyond, next < earliest else {
      self = .nothing
      return
    }
    if let floor { earliest = max(earliest, Self.wholeMinute(floor)) }
    var moves: [RescheduledDose] = []
    for dose in coming {
      if dose.due >= earliest {
        self = .moves(moves)
        return
      }
      if dose.isFixed {
        self = .tooNear(due: dose.due, earliest: earliest)
        return
      }
      moves.append(RescheduledDose(dose: dose.id, from: dose.due, to: earliest))
      earliest = earliest.adding(milliseconds: distance)
    }
    if let beyond, beyond < earliest {
      self = .tooNear(due: beyond, earliest: earliest)
    } else {
      self = .moves(moves)
    }
  }

  /// Returns the first whole minute that is not earlier, because times are shown without seconds.
  static func wholeMinute(_ time: Timestamp) -> Timestamp {
    let rest = time.milliseconds % 60_000
    return rest == 0 ? time : time.adding(milliseconds: 60_000 - rest)
  }
}
