// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling
import Storage

/// A dose that goes to another time because an earlier one was taken late.
package struct RescheduledDose: Sendable, Hashable {
  package let dose: DoseID
  package let from: Timestamp
  package let to: Timestamp
}

/// A dose of the plan that is still to come.
package struct ComingDose: Sendable, Hashable {
  package let id: DoseID
  /// When it comes; until when it is put off, where it is.
  package let due: Timestamp
  /// Whether somebody said something about it already: put off, or waiting for a decision.
  package var isFixed = false
  /// The meal that it belongs to.
  package var meal: DayEvent?
  package var amount: Amount?

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

/// What putting off the next dose means for those that follow it: pure, from times alone.
package enum ReschedulingChain: Sendable, Hashable {
  /// The next dose keeps the distance where it is.
  case nothing
  /// These go to later times; the first one that is not named is where the pattern is met again.
  case moves([RescheduledDose])
  /// The pattern is not met again: this dose would come before the earliest time that keeps the distance.
  case tooNear(due: Timestamp, earliest: Timestamp)

  /// - Parameters:
  ///   - taken: when the late dose is taken.
  ///   - distance: the least from one dose to the next, in milliseconds.
  ///   - floor: before which nothing is moved to: what else was taken of the plan, with its gap.
  ///   - coming: the doses to come, in order of time, as far as they are planned.
  ///   - beyond: the first one after these.
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

  /// The first whole minute that is not earlier: nobody is told of seconds.
  static func wholeMinute(_ time: Timestamp) -> Timestamp {
    let rest = time.milliseconds % 60_000
    return rest == 0 ? time : time.adding(milliseconds: 60_000 - rest)
  }
}
