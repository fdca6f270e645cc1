// SPDX-License-Identifier: Apache-2.0

/// When a person's day events take place on the wall clock; begins with the times of rule 20.
public struct DailyRhythm: Hashable, Sendable {
  private var times: [ClockTime]
  /// The minutes between a meal and a dose before or after it, where no offset is written (rule 21).
  public var mealOffsetMinutes = 30

  /// Makes the rhythm of rule 20: waking 07:00, meals 07:30, 12:30 and 18:30, bedtime 22:30.
  public init() {
    times = DayEvent.allCases.map { ClockTime(wrappingSecondsOfDay: Self.minutes($0.base) * 60) }
  }

  /// The time from which a dose at this event is reckoned, before any offset (for ACM: breakfast).
  public subscript(event: DayEvent) -> ClockTime { times[event.base.rawValue] }

  /// Sets the time of an event, or of the one that it is reckoned from.
  public mutating func set(_ time: ClockTime, for event: DayEvent) {
    times[event.base.rawValue] = time
  }

  /// The minutes between the event's base and a dose at it, where no offset is written.
  public func usualOffsetMinutes(_ event: DayEvent) -> Int {
    switch event {
    case .beforeBreakfast, .beforeLunch, .beforeDinner, .afterBreakfast, .afterLunch, .afterDinner:
      mealOffsetMinutes
    default: 0
    }
  }

  /// Waking (WAKE).
  public var wake: ClockTime {
    get { self[.wake] }
    set { set(newValue, for: .wake) }
  }

  /// Breakfast (CM).
  public var breakfast: ClockTime {
    get { self[.breakfast] }
    set { set(newValue, for: .breakfast) }
  }

  /// The midday meal (CD).
  public var lunch: ClockTime {
    get { self[.lunch] }
    set { set(newValue, for: .lunch) }
  }

  /// The evening meal (CV).
  public var dinner: ClockTime {
    get { self[.dinner] }
    set { set(newValue, for: .dinner) }
  }

  /// Bedtime (HS).
  public var bedtime: ClockTime {
    get { self[.bedtime] }
    set { set(newValue, for: .bedtime) }
  }

  /// Rule 20, in minutes after midnight.
  private static func minutes(_ event: DayEvent) -> Int {
    switch event {
    case .wake: 7 * 60
    case .breakfast: 7 * 60 + 30
    case .lunch: 12 * 60 + 30
    case .dinner: 18 * 60 + 30
    case .bedtime: 22 * 60 + 30
    case .earlyMorning: 6 * 60
    case .lateMorning: 10 * 60
    case .noon: 12 * 60
    case .afternoon: 15 * 60
    case .earlyAfternoon: 13 * 60
    case .lateAfternoon: 16 * 60 + 30
    case .evening: 19 * 60
    case .earlyEvening: 18 * 60
    case .lateEvening: 21 * 60
    case .night: 22 * 60
    case .morning: 8 * 60
    case .beforeBreakfast, .afterBreakfast, .beforeLunch, .afterLunch, .beforeDinner,
      .afterDinner, .asleep:
      minutes(event.base)
    }
  }
}
