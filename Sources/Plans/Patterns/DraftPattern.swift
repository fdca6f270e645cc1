// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// Days on and days off, over and over; the first day of the draft is the first day on.
package struct DraftCycle: Sendable, Hashable {
  package var daysOn: Int
  package var daysOff: Int
  package var times: [DraftTime]
  /// Whether the days off have tablets without active substance, which ring like the others.
  package var hasPlacebo: Bool

  package init(daysOn: Int, daysOff: Int, times: [DraftTime], hasPlacebo: Bool = false) {
    self.daysOn = daysOn
    self.daysOff = daysOff
    self.times = times
    self.hasPlacebo = hasPlacebo
  }
}

/// One step of a dose that rises or falls.
package struct DraftStep: Sendable, Hashable {
  /// How many days it lasts; nil for a last step without an end.
  package var days: Int?
  /// A decimal as typed, or several tablets such as `1 x 5 + 1 x 2.5`.
  package var amount: String
  package var times: [DraftTime]

  package init(days: Int?, amount: String, times: [DraftTime]) {
    self.days = days
    self.amount = amount
    self.times = times
  }
}

/// A time with an amount of its own, on some weekdays or all.
package struct DraftEntry: Sendable, Hashable {
  package var time: DraftTime
  /// A decimal as typed, or several tablets such as `1 x 5 + 1 x 2.5`.
  package var amount: String
  package var weekdays: Set<Weekday>

  package init(time: DraftTime, amount: String, weekdays: Set<Weekday>) {
    self.time = time
    self.amount = amount
    self.weekdays = weekdays
  }
}

/// So many doses a day, at least so many hours apart, between two times of day.
package struct DraftSpread: Sendable, Hashable {
  package var count: Int
  package var gapHours: Int
  package var window: DayWindow
  /// The slots that its times had when the form was opened, in their order.
  package var slots: [Int]

  package init(count: Int, gapHours: Int, window: DayWindow, slots: [Int] = []) {
    self.count = count
    self.gapHours = gapHours
    self.window = window
    self.slots = slots
  }

  /// The times, as evenly as whole minutes allow, from the beginning of the window to its end.
  package var times: [ClockTime] {
    guard count > 1 else { return [window.from] }
    let seconds = window.minutes * 60
    return (0..<count).compactMap { index in
      let minutes = seconds / 60 * index / (count - 1)
      return ClockTime(
        secondsOfDay: (window.from.secondsOfDay + minutes * 60) % DayWindow.secondsOfDay)
    }
  }

  /// Whether the doses keep their distance, within a day and over the night.
  package var fits: Bool {
    guard count > 1 else { return true }
    let gap = gapHours * 60
    return gap * (count - 1) <= window.minutes && window.minutes + gap <= 24 * 60
  }
}

/// The next dose so many hours after the one that was really taken.
package struct DraftInterval: Sendable, Hashable {
  package var hours: Int
  /// When the first dose is taken.
  package var first: ClockTime
  /// When the person is awake, where doses are to fall within that.
  package var waking: DayWindow?

  package init(hours: Int, first: ClockTime, waking: DayWindow? = nil) {
    self.hours = hours
    self.first = first
    self.waking = waking
  }
}

/// A part of each day between two times, which may lie on both sides of midnight.
package struct DayWindow: Sendable, Hashable {
  static let secondsOfDay = 86_400

  package var from: ClockTime
  package var until: ClockTime

  package init(from: ClockTime, until: ClockTime) {
    self.from = from
    self.until = until
  }

  /// Its length on a day without a change of the clock.
  var minutes: Int {
    let seconds = until.secondsOfDay - from.secondsOfDay
    return (seconds < 0 ? seconds + Self.secondsOfDay : seconds) / 60
  }

  /// Whether a time of day lies within it, its two ends included.
  func contains(_ time: ClockTime) -> Bool {
    from <= until ? (from...until).contains(time) : time >= from || time <= until
  }
}

extension DraftSchedule {
  /// Whether each time or step says how much, so that there is no one dose.
  var statesAmounts: Bool {
    switch self {
    case .steps, .varying: true
    case .times, .everyHours, .everyDays, .meals, .asNeeded, .cycle, .spread, .afterIntake: false
    }
  }

  /// The days that a preview shows, so that all that differs between them is seen.
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
