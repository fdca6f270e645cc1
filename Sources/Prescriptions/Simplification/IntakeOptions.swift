// SPDX-License-Identifier: Apache-2.0

import Plans
import Scheduling

/// The times that a medicine might have, its present ones first.
struct IntakeOptions {
  /// More times a day are left as they are.
  static let mostIntakes = 8
  /// How many combinations of times are looked at for one medicine.
  private static let most = 600

  let situation: IntakeSituation
  let clock: IntakeClock
  /// At what times of the clock something is taken now.
  private let present: Set<Int>

  init(_ situation: IntakeSituation) {
    self.situation = situation
    clock = IntakeClock(situation.rhythm)
    present = Set(situation.medicines.flatMap { $0.minutes.map(IntakeClock.ofDay) })
  }

  /// - Parameter isFree: whether hours of the list are not kept now, so that a dose may leave its part of the
  ///   day for them.
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

  /// How many times are tried for each dose, so that their combinations stay few.
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

  /// A morning dose stays one of the morning, and one of the night where it is.
  private func isNear(_ minute: Int, to own: Int) -> Bool {
    let part = clock.part(of: own)
    return part != .night && clock.part(of: minute) == part
  }

  /// How many doses leave their part of the day.
  func left(_ minutes: [Int], from now: [Int]) -> Int {
    zip(minutes, now).count { $0 != $1 && !isNear($0, to: $1) }
  }

  /// Times at which something is taken now, meals, waking and sleep, and those as far from them as the list says.
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

  /// All ways to give each dose a time, in the order in which they are now and with the gap between them.
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

  /// The windows within the plan's own that keep its hours; the times lie evenly in them.
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

  /// A dose does not take the time that another one of the medicine had: they would change places.
  private func isOwn(_ minute: Int, at index: Int, _ now: [Int]) -> Bool {
    minute == now[index] || !now.contains(minute)
  }
}

extension [Int] {
  /// How much doses move: how many of them, how far, and for the order the times themselves.
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
