// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// A person's day in minutes: its parts, and the times to which doses can move.
struct IntakeClock: Sendable {
  static let day = 24 * 60
  /// The minutes before waking that still count as morning.
  private static let beforeWaking = 120

  /// A part of the day that doses do not leave.
  enum Part: Hashable {
    case night
    /// The time is closest to this meal, or to bedtime.
    case near(Int)
  }

  let meals: [Int]
  let wake: Int
  let bedtime: Int

  init(_ rhythm: DailyRhythm) {
    func minute(_ time: ClockTime) -> Int { time.secondsOfDay / 60 }
    meals = [rhythm.breakfast, rhythm.lunch, rhythm.dinner].map(minute)
    wake = minute(rhythm.wake)
    bedtime = minute(rhythm.bedtime)
  }

  /// The minutes of meals, waking and sleep.
  var events: [Int] { meals + [wake, bedtime] }

  /// Returns the minute as shown by a clock.
  static func ofDay(_ minute: Int) -> Int {
    let rest = minute % day
    return rest < 0 ? rest + day : rest
  }

  func part(of minute: Int) -> Part {
    if minute < wake - Self.beforeWaking, !isLate(minute) { return .night }
    let distances = (meals + [bedtime]).map { Self.distance($0, minute) }
    var nearest = 0
    for index in distances.indices where distances[index] < distances[nearest] { nearest = index }
    return .near(nearest)
  }

  /// Returns true if a dose may be moved to a time at which there is none now.
  func isAwake(_ minute: Int) -> Bool {
    if wake < bedtime { return (wake...bedtime).contains(minute) }
    return bedtime < wake && (minute >= wake || minute <= bedtime)
  }

  /// Returns true if a dose may move from one time to the other without changing its day.
  ///
  /// Doses after midnight and before a late bedtime belong to the evening before.
  func isSameDay(_ one: Int, _ other: Int) -> Bool { isLate(one) == isLate(other) }

  private func isLate(_ minute: Int) -> Bool { bedtime < wake && minute <= bedtime }

  /// Returns the distance around the clock.
  private static func distance(_ one: Int, _ other: Int) -> Int {
    min(ofDay(one - other), ofDay(other - one))
  }
}
