// SPDX-License-Identifier: Apache-2.0

/// The wall-clock times of a person's daily events; initially those of rule 20.
public struct DailyRhythm: Hashable, Sendable {
  private var times: [ClockTime]
  /// Minutes between a meal and a dose before or after it, if no offset is written (rule 21).
  public var mealOffsetMinutes = 30

  /// Creates the rhythm of rule 20: waking 07:00, meals 07:30, 12:30 and 18:30, bedtime 22:30.
  public init() {
    times = DayEvent.allCases.map { ClockTime(wrappingSecondsOfDay: Self.minutes($0.base) * 60) }
  }

  /// Returns the time of the event's base, before any offset (for ACM: breakfast).
  public subscript(event: DayEvent) -> ClockTime { times[event.base.rawValue] }

  /// Sets the time of an event's base.
  public mutating func set(_ time: ClockTime, for event: DayEvent) {
    times[event.base.rawValue] = time
  }

  /// Returns the minutes between the event's base and a dose at the event, if no offset is written.
  public func usualOffsetMinutes(_ event: DayEvent) -> Int {
    switch event {
    case .beforeBreakfast, .beforeLunch, .beforeDinner, .afterBreakfast, .afterLunch, .afterDinner:
      mealOffsetMinutes
    default: 0
    }
  }

  /// The time of waking (WAKE).
  public var wake: ClockTime {
    get { self[.wake] }
    set { set(newValue, for: .wake) }
  }

  /// The time of breakfast (CM).
  public var breakfast: ClockTime {
    get { self[.breakfast] }
    set { set(newValue, for: .breakfast) }
  }

  /// The time of the midday meal (CD).
  public var lunch: ClockTime {
    get { self[.lunch] }
    set { set(newValue, for: .lunch) }
  }

  /// The time of the evening meal (CV).
  public var dinner: ClockTime {
    get { self[.dinner] }
    set { set(newValue, for: .dinner) }
  }

  /// Bedtime (HS).
  public var bedtime: ClockTime {
    get { self[.bedtime] }
    set { set(newValue, for: .bedtime) }
  }

  /// Returns the time from rule 20, in minutes after midnight.
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
