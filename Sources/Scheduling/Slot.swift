// SPDX-License-Identifier: Apache-2.0

/// A time of day at which a plan has a dose, with an id that does not change when the time is edited.
public struct Slot: Hashable, Sendable {
  /// The id, assigned when the time is first written, unique in its plan and never reused.
  public let id: Int
  /// The time of day.
  public var time: SlotTime

  /// Creates a slot.
  public init(id: Int, time: SlotTime) {
    self.id = id
    self.time = time
  }
}

/// A time of day: on the clock, or relative to an event of the person's day.
public enum SlotTime: Hashable, Sendable {
  /// A time on the wall clock.
  case clock(ClockTime)
  /// An event, and the minutes before or after it, depending on the event (rules 21 to 23).
  case event(DayEvent, offsetMinutes: Int?)

  /// Returns the wall-clock seconds from midnight of the nominal date; they may be on the previous or next date.
  public func wallSeconds(in rhythm: DailyRhythm) -> Int64 {
    switch self {
    case .clock(let time):
      return Int64(time.secondsOfDay)
    case .event(let event, let offsetMinutes):
      let held = min(max(offsetMinutes ?? rhythm.usualOffsetMinutes(event), 0), Int(Int32.max))
      let offset = Int64(held) * 60
      let base = Int64(rhythm[event].secondsOfDay)
      return event.precedesBase ? base - offset : base + offset
    }
  }
}

/// The clock times that rule 12 assigns to a number of doses a day without times.
public enum DefaultClockTimes {
  /// The time of a dose once a day, and of an `event` that is only a date (rule 26): 08:00.
  public static let once = ClockTime(wrappingSecondsOfDay: 8 * 3600)

  /// Returns the times for 1 to 24 doses a day in ascending order; nil for any other number.
  public static func times(perDay count: Int) -> [ClockTime]? {
    let minutes: [Int]
    switch count {
    case 1: minutes = [8 * 60]
    case 2: minutes = [8 * 60, 20 * 60]
    case 3: minutes = [8 * 60, 14 * 60, 20 * 60]
    case 4: minutes = [8 * 60, 12 * 60, 16 * 60, 20 * 60]
    case 5...24: minutes = (0..<count).map { 8 * 60 + $0 * 840 / (count - 1) }
    default: return nil
    }
    return minutes.map { ClockTime(wrappingSecondsOfDay: $0 * 60) }
  }
}
