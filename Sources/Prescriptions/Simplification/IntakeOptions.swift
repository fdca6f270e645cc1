// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling

/// The possible times of a medicine, its current ones first.
struct IntakeOptions {
  /// The maximum number of doses a day; medicines with more stay as they are.
  static let mostIntakes = 8
  /// The maximum number of combinations of times per medicine.
  private static let most = 600

  let situation: IntakeSituation
  let clock: IntakeClock
  /// The times of day that are used now.
  private let present: Set<Int>

  init(_ situation: IntakeSituation) {
    self.situation = situation
    clock = IntakeClock(situation.rhythm)
    present = Set(situation.medicines.flatMap { $0.minutes.map(IntakeClock.ofDay) })
  }

  /// Returns all options for a medicine.
  ///
  /// - Parameter isFree: true if hours of the list are broken now, so that a dose may leave its part of the
  ///   day to fix that.
  func all(of medicine: IntakeMedicine, isFree: Bool) -> [[Int]] {
    let now = medicine.minutes
    guard medicine.kept == nil, (1...Self.mostIntakes).contains(now.count),
      now.allSatisfy({ (0..<IntakeClock.day).contains($0) })
    else { return [now] }
    let times = candidates(of: medicine)
    let most = Self.mostTimes(now.count)
    let choices = now.map { minute in
      let allowed = times.filter {
        clock.isSameDay($0, minute) && (isFree || isNear($0, to: minute))
      }
      let nearest = Set(allowed).union([minute]).map {
        (rank($0, from: minute), abs($0 - minute), $0)
      }
      return nearest.sorted { $0 < $1 }.prefix(most).map { $0.2 }
    }
    var found: [[Int]] = []
    if case .spread(let spread) = medicine.way {
      found = windows(spread, choices, isFree: isFree, medicine)
    } else {
      combine(choices, now: now, gap: medicine.gap, medicine, into: &found)
    }
    let others = found.filter { $0 != now }.map { (minutes: $0, weight: [Int].Weight($0, now)) }
      .sorted { $0.weight < $1.weight }
    return [now] + others.prefix(Self.most).map(\.minutes)
  }

  /// Returns the number of times tried for each dose, so that their combinations stay few.
  private static func mostTimes(_ count: Int) -> Int {
    switch count {
    case 1: 60
    case 2: 20
    case 3: 8
    case 4: 5
    case 5: 3
    default: 2
    }
  }

  private func rank(_ minute: Int, from own: Int) -> Int {
    minute == own ? 0 : present.contains(minute) ? 1 : 2
  }

  /// Returns true if a time is close to the dose's own: a morning dose stays in the morning, and a night dose
  /// stays where it is.
  private func isNear(_ minute: Int, to own: Int) -> Bool {
    let part = clock.part(of: own)
    return part != .night && clock.part(of: minute) == part
  }

  /// Returns the number of doses that leave their part of the day.
  func left(_ minutes: [Int], from now: [Int]) -> Int {
    zip(minutes, now).count { $0 != $1 && !isNear($0, to: $1) }
  }

  /// Returns the times that are used now, meals, waking and sleep, and those at the distances in the list.
  private func candidates(of medicine: IntakeMedicine) -> [Int] {
    let base = present.union(clock.events)
    var all = base
    var distances = Set<Int>()
    for spacing in situation.spacings
    where spacing.first == medicine.id || spacing.second == medicine.id {
      for distance in [spacing.firstThenSecond, spacing.secondThenFirst] {
        if let distance { distances.insert(distance) }
      }
    }
    for distance in distances {
      for minute in base {
        all.insert(minute + distance)
        all.insert(minute - distance)
      }
    }
    for rule in situation.meals where rule.medicine == medicine.id {
      for meal in clock.meals {
        if let before = rule.beforeMeal { all.insert(meal - before) }
        if let after = rule.afterMeal { all.insert(meal + after) }
      }
    }
    return all.filter { minute in
      (0..<IntakeClock.day).contains(minute)
        && (clock.isAwake(minute) || present.contains(minute))
    }
  }

  /// Returns all ways to assign times to the doses, in their current order and with the required gap.
  private func combine(
    _ choices: [[Int]], now: [Int], gap: Int, _ medicine: IntakeMedicine,
    into found: inout [[Int]]
  ) {
    let overNight = medicine.days.hasNeighbours
    func add(_ minutes: [Int]) {
      let index = minutes.count
      guard index < choices.count else {
        if overNight, minutes[0] + IntakeClock.day - minutes[index - 1] < gap { return }
        found.append(minutes)
        return
      }
      for minute in choices[index] where isOwn(minute, at: index, now) {
        if let last = minutes.last, minute - last < max(gap, 1) { continue }
        add(minutes + [minute])
      }
    }
    add([])
  }

  /// Returns the windows within the plan's own that keep its gap; the times are spread evenly in them.
  private func windows(
    _ spread: DraftSpread, _ choices: [[Int]], isFree: Bool, _ medicine: IntakeMedicine
  ) -> [[Int]] {
    let (now, gap) = (medicine.minutes, medicine.gap)
    var found: [[Int]] = []
    for first in choices[0] {
      for last in choices[choices.count - 1] {
        guard first <= last, spread.count > 1 || first == last,
          let from = ClockTime(secondsOfDay: first * 60),
          let until = ClockTime(secondsOfDay: last * 60), from >= spread.window.from,
          until <= spread.window.until
        else { continue }
        var inner = spread
        inner.window.from = from
        if spread.count > 1 { inner.window.until = until }
        let minutes = inner.times.map { $0.secondsOfDay / 60 }
        let fits = minutes.enumerated().allSatisfy { index, minute in
          isOwn(minute, at: index, now)
            && (isFree || minute == now[index]
              || isNear(minute, to: now[index]))
        }
        let shortest = IntakeMedicine.shortest(minutes, overNight: true) ?? gap
        if inner.fits, shortest >= gap, minutes.count == now.count, fits { found.append(minutes) }
      }
    }
    return found
  }

  /// Returns true if a dose does not take the current time of another dose of the medicine: they would only
  /// swap.
  private func isOwn(_ minute: Int, at index: Int, _ now: [Int]) -> Bool {
    minute == now[index] || !now.contains(minute)
  }
}

extension [Int] {
  /// The cost of moving doses: how many, how far, and the times themselves as a tie-breaker.
  struct Weight: Comparable {
    let moved: Int
    let minutes: Int
    private let times: [Int]

    init(_ times: [Int], _ now: [Int]) {
      let distances = zip(times, now).map { abs($0 - $1) }
      moved = distances.count { $0 > 0 }
      minutes = distances.reduce(0, +)
      self.times = times
    }

    static func < (left: Weight, right: Weight) -> Bool {
      if left.moved != right.moved { return left.moved < right.moved }
      if left.minutes != right.minutes { return left.minutes < right.minutes }
      return left.times.lexicographicallyPrecedes(right.times)
    }
  }
}
