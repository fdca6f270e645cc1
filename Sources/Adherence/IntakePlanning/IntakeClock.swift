// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// A person's day in minutes: its parts, and the times to which doses may go.
struct IntakeClock: Sendable {
  static let day = 24 * 60
  /// How long before waking a time still counts as the morning.
  private static let beforeWaking = 120

  /// A part of the day that doses do not leave.
  enum Part: Hashable {
    case night
    /// The time is nearest to this meal, or to bedtime.
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

  /// Meals, waking and sleep.
  var events: [Int] { meals + [wake, bedtime] }

  /// The minute of the clock.
  static func ofDay(_ minute: Int) -> Int {
    let rest = minute % day
    return rest < 0 ? rest + day : rest
  }

  func part(of minute: Int) -> Part {
    if minute < wake - Self.beforeWaking { return .night }
    let anchors = meals + [bedtime]
    var nearest = 0
    for index in anchors.indices where abs(anchors[index] - minute) < abs(anchors[nearest] - minute)
    {
      nearest = index
    }
    return .near(nearest)
  }

  /// Whether a dose may be put there where none is now.
  func isAwake(_ minute: Int) -> Bool {
    wake < bedtime && (wake...bedtime).contains(minute)
  }
}
