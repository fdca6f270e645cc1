// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// A repeating cycle of days on and days off; the first day of the draft is the first day on.
package struct DraftCycle: Sendable, Hashable {
  /// The number of days with the medicine.
  package var daysOn: Int
  /// The number of days of the break.
  package var daysOff: Int
  /// The times of each day on.
  package var times: [DraftTime]
  /// True if placebo tablets are taken on the days off, with the same reminders.
  package var hasPlacebo: Bool

  /// Creates a cycle.
  package init(daysOn: Int, daysOff: Int, times: [DraftTime], hasPlacebo: Bool = false) {
    self.daysOn = daysOn
    self.daysOff = daysOff
    self.times = times
    self.hasPlacebo = hasPlacebo
  }
}

/// A step of a dose that rises or falls.
package struct DraftStep: Sendable, Hashable {
  /// The number of days that it lasts; nil for a last step without an end.
  package var days: Int?
  /// The dose, a decimal as typed, or several tablets such as `1 x 5 + 1 x 2.5`.
  package var amount: String
  /// The times of each day of the step.
  package var times: [DraftTime]

  /// Creates a step.
  package init(days: Int?, amount: String, times: [DraftTime]) {
    self.days = days
    self.amount = amount
    self.times = times
  }
}

/// A time with its own amount, on some weekdays or all.
package struct DraftEntry: Sendable, Hashable {
  /// The time of day.
  package var time: DraftTime
  /// The dose, a decimal as typed, or several tablets such as `1 x 5 + 1 x 2.5`.
  package var amount: String
  /// The weekdays; empty for every day.
  package var weekdays: Set<Weekday>

  /// Creates an entry.
  package init(time: DraftTime, amount: String, weekdays: Set<Weekday>) {
    self.time = time
    self.amount = amount
    self.weekdays = weekdays
  }
}

/// A number of doses a day with a minimum distance in hours, between two times of day.
package struct DraftSpread: Sendable, Hashable {
  /// The number of doses a day.
  package var count: Int
  /// The least time between two doses in hours.
  package var gapHours: Int
  /// The part of the day in which the doses fall.
  package var window: DayWindow
  /// The slots that its times had when the form was opened, in the order of the times.
  package var slots: [Int]

  /// Creates a spread.
  package init(count: Int, gapHours: Int, window: DayWindow, slots: [Int] = []) {
    self.count = count
    self.gapHours = gapHours
    self.window = window
    self.slots = slots
  }

  /// The times, as evenly spaced as whole minutes allow, from the beginning of the window to its
  /// end.
  package var times: [ClockTime] {
    guard count > 1 else { return [window.from] }
    let seconds = window.minutes * 60
    return (0..<count).compactMap { index in
      let minutes = seconds / 60 * index / (count - 1)
      return ClockTime(
        secondsOfDay: (window.from.secondsOfDay + minutes * 60) % DayWindow.secondsOfDay)
    }
  }

  /// True if the doses keep their distance, within a day and over the night.
  package var fits: Bool {
    guard count > 1 else { return true }
    let gap = gapHours * 60
    return gap * (count - 1) <= window.minutes && window.minutes + gap <= 24 * 60
  }
}

/// A schedule with the next dose a number of hours after the one that was actually taken.
package struct DraftInterval: Sendable, Hashable {
  /// The hours from one dose to the next.
  package var hours: Int
  /// The time of the first dose.
  package var first: ClockTime
  /// The hours in which the person is awake, if doses should stay within them; nil for any time.
  package var waking: DayWindow?

  /// Creates an interval.
  package init(hours: Int, first: ClockTime, waking: DayWindow? = nil) {
    self.hours = hours
    self.first = first
    self.waking = waking
  }
}

/// A part of each day between two times, which may span midnight.
package struct DayWindow: Sendable, Hashable {
  static let secondsOfDay = 86_400

  /// The beginning.
  package var from: ClockTime
  /// The end, included; earlier than the beginning if the window spans midnight.
  package var until: ClockTime

  /// Creates a window.
  package init(from: ClockTime, until: ClockTime) {
    self.from = from
    self.until = until
  }

  /// The length in minutes on a day without a clock change.
  var minutes: Int {
    let seconds = until.secondsOfDay - from.secondsOfDay
    return (seconds < 0 ? seconds + Self.secondsOfDay : seconds) / 60
  }

  /// Returns true if a time of day lies within it, its two ends included.
  func contains(_ time: ClockTime) -> Bool {
    from <= until ? (from...until).contains(time) : time >= from || time <= until
  }
}

extension DraftSchedule {
  /// True if each time or step has its own amount, so that there is no common dose.
  var statesAmounts: Bool {
    switch self {
    case .steps, .varying: true
    case .times, .everyHours, .everyDays, .meals, .asNeeded, .cycle, .spread, .afterIntake: false
    }
  }

  /// The number of days that a preview shows, at most 84, so that all differences between them are
  /// visible; nil if the schedule needs no special number.
  package var previewDays: Int? {
    switch self {
    case .cycle(let cycle): min(2 * (cycle.daysOn + cycle.daysOff), 84)
    case .steps(let steps):
      min(steps.reduce(0) { $0 + min($1.days ?? 7, 84) }, 84)
    case .varying: 14
    case .times, .everyHours, .everyDays, .meals, .asNeeded, .spread, .afterIntake: nil
    }
  }
}
