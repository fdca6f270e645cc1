// SPDX-License-Identifier: Apache-2.0

import Identifiers
import People
import Plans
import Scheduling

/// A reason why a medicine keeps its times.
package enum IntakeKept: String, Sendable, Hashable, CaseIterable {
  /// It is tied to a meal, to sleep or to a part of the day.
  case event
  /// It is taken at a fixed interval of hours.
  case hours
  /// It is taken a number of hours after the actual previous dose.
  case afterIntake = "after-intake"
  case cycle, steps
  /// Its amounts differ by time or weekday.
  case amounts
  case asNeeded = "as-needed"
  case paused
  /// It gives no doses here.
  case silent
  /// Another version of it waits for the person's decision.
  case waiting
  /// It follows the clock of another time zone.
  case zone
  /// The person marked it as one that must not be late.
  case critical
  /// The form cannot express the whole plan.
  case unsaid
  /// Its times lie on both sides of midnight.
  case overnight
  /// It has more times a day than the planner considers.
  case many
  /// The person wants to keep its times.
  case left
  /// Another practitioner prescribed it.
  case foreign
}

/// A time of day at which a medicine is taken.
package struct IntakeTime: Sendable, Hashable {
  /// The minutes from midnight of the day that it counts as; negative or above 1,439 for a time on the day
  /// before or after.
  package var minute: Int
  /// The event of the day to which it is tied; nil for a time of the clock.
  package let event: DayEvent?

  /// Creates a time.
  ///
  /// - Parameter minute: The minutes from midnight.
  package init(minute: Int, event: DayEvent? = nil) {
    self.minute = minute
    self.event = event
  }
}

/// A medicine as the planner of times sees it.
package struct IntakeMedicine: Sendable, Hashable {
  /// The ways in which the planner can change its times.
  package enum Way: Sendable, Hashable {
    /// Each time can change within its part of the day.
    case times
    /// The doses are spread evenly between two times of day, with a minimum interval in hours.
    case spread(DraftSpread)
    /// The times stay, for the given reason.
    case kept(IntakeKept)
  }

  /// The plan.
  package let id: PlanID
  /// The name of the medicine to show.
  package let name: String
  /// The times in the order of the day; empty if they cannot be foreseen.
  package var intakes: [IntakeTime]
  /// The days on which it is taken.
  package let days: IntakeDays
  /// The ways in which the planner can change its times.
  package var way: Way

  /// Creates a medicine and sorts its times.
  package init(
    id: PlanID, name: String, intakes: [IntakeTime], days: IntakeDays = .daily, way: Way
  ) {
    self.id = id
    self.name = name
    self.intakes = intakes.sorted { $0.minute < $1.minute }
    self.days = days
    self.way = way
  }

  /// The times in minutes from midnight, ascending.
  package var minutes: [Int] { intakes.map(\.minute) }

  // Not inlined: the optimiser of Swift 6.3.1 crashes if the code that matches on the way is.
  /// The reason why it keeps its times; nil if they can change.
  @inline(never)
  package var kept: IntakeKept? {
    if case .kept(let why) = way { why } else { nil }
  }

  /// The hours that the plan itself states between two doses.
  @inline(never)
  var statedGap: Int? {
    if case .spread(let spread) = way { spread.gapHours * 60 } else { nil }
  }

  /// The minimum distance between two of its doses, in minutes.
  ///
  /// It is the gap that the plan states, but at least half the distance of doses spread over the day. If
  /// doses are already closer, it is their current distance. It is never less than half of the shortest
  /// distance, which is the usual minimum gap.
  var gap: Int {
    let present = Self.shortest(minutes, overNight: days.hasNeighbours)
    let even = IntakeClock.day / (2 * max(intakes.count, 1))
    return max(statedGap ?? 0, min(present ?? even, even))
  }

  /// Returns the shortest distance between times of a day, including overnight if days follow one another.
  static func shortest(_ minutes: [Int], overNight: Bool) -> Int? {
    guard let first = minutes.first, let last = minutes.last else { return nil }
    var distances = zip(minutes, minutes.dropFirst()).map { $1 - $0 }
    if overNight { distances.append(first + IntakeClock.day - last) }
    return distances.min()
  }

  @inline(never)
  func moved(to minutes: [Int]) -> IntakeMedicine {
    var moved = self
    moved.intakes = zip(intakes, minutes).map { IntakeTime(minute: $1, event: $0.event) }
    if case .spread(var spread) = way, let first = minutes.first, let last = minutes.last,
      let from = ClockTime(secondsOfDay: first * 60),
      let until = ClockTime(secondsOfDay: last * 60)
    {
      spread.window.from = from
      if spread.count > 1 { spread.window.until = until }
      moved.way = .spread(spread)
    }
    return moved
  }
}

/// The interval between two medicines that the interaction list requires.
package struct IntakeSpacing: Sendable, Hashable {
  /// One of the two medicines.
  package let first: PlanID
  /// The other medicine.
  package let second: PlanID
  /// The minimum minutes from the first, taken earlier, to the second; nil if the list has none for this
  /// order.
  package let firstThenSecond: Int?
  /// The minimum minutes from the second, taken earlier, to the first; nil if the list has none for this
  /// order.
  package let secondThenFirst: Int?
  /// The identifiers of the list's rows.
  package let rows: [String]

  /// Creates an interval, in minutes for each order.
  package init(
    first: PlanID, second: PlanID, firstThenSecond: Int?, secondThenFirst: Int?, rows: [String]
  ) {
    self.first = first
    self.second = second
    self.firstThenSecond = firstThenSecond
    self.secondThenFirst = secondThenFirst
    self.rows = rows
  }

  var longest: Int { max(firstThenSecond ?? 0, secondThenFirst ?? 0) }

  /// Returns the minutes required between the two if their current distance is too short; nil if it is
  /// enough.
  func lacking(_ distance: Int) -> Int? {
    if distance == 0 { return longest }
    let needed = distance > 0 ? firstThenSecond : secondThenFirst
    guard let needed, abs(distance) < needed else { return nil }
    return needed
  }
}

/// The interval between a medicine and any meal that the interaction list requires.
package struct IntakeMealRule: Sendable, Hashable {
  /// The medicine.
  package let medicine: PlanID
  /// The minimum minutes to the next meal; nil if the list has none.
  package let beforeMeal: Int?
  /// The minimum minutes since a meal; nil if the list has none.
  package let afterMeal: Int?
  /// The identifiers of the list's rows.
  package let rows: [String]

  /// Creates a rule, in minutes.
  package init(medicine: PlanID, beforeMeal: Int?, afterMeal: Int?, rows: [String]) {
    self.medicine = medicine
    self.beforeMeal = beforeMeal
    self.afterMeal = afterMeal
    self.rows = rows
  }

  /// Returns true if a time is too close to a meal.
  func isBroken(_ minute: Int, _ clock: IntakeClock) -> Bool {
    clock.meals.contains { meal in
      let ahead = IntakeClock.ofDay(meal - minute)
      let since = IntakeClock.ofDay(minute - meal)
      return ahead == 0 || beforeMeal.map { ahead < $0 } ?? false
        || afterMeal.map { since < $0 } ?? false
    }
  }
}

/// The input of the planner.
package struct IntakeSituation: Sendable, Hashable {
  /// The medicines of the person.
  package var medicines: [IntakeMedicine]
  /// The required intervals between medicines.
  package var spacings: [IntakeSpacing]
  /// The required intervals to meals.
  package var meals: [IntakeMealRule]
  /// The person's usual times of meals and sleep.
  package var rhythm: DailyRhythm

  /// Creates a situation.
  package init(
    medicines: [IntakeMedicine], spacings: [IntakeSpacing] = [], meals: [IntakeMealRule] = [],
    rhythm: DailyRhythm = .standard
  ) {
    self.medicines = medicines
    self.spacings = spacings
    self.meals = meals
    self.rhythm = rhythm
  }

  /// Returns the situation with some medicines kept at their times, because the person chose so.
  package func leaving(_ left: Set<PlanID>) -> IntakeSituation {
    var situation = self
    for index in situation.medicines.indices
    where situation.medicines[index].kept == nil && left.contains(situation.medicines[index].id) {
      situation.medicines[index].way = .kept(.left)
    }
    return situation
  }
}
