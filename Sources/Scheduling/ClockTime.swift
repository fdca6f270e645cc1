// SPDX-License-Identifier: Apache-2.0

/// A time of day on the wall clock, to the second, from 00:00:00 to 23:59:59.
public struct ClockTime: Hashable, Comparable, Sendable {
  /// Seconds since midnight, ignoring clock changes: 0 to 86,399.
  public let secondsOfDay: Int

  /// Creates a time of day; nil if the parts are outside 0-23, 0-59 and 0-59.
  public init?(hour: Int, minute: Int, second: Int = 0) {
    guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else {
      return nil
    }
    secondsOfDay = hour * 3600 + minute * 60 + second
  }

  /// Creates the time the given number of seconds after midnight; nil outside 0 to 86,399.
  public init?(secondsOfDay: Int) {
    guard (0..<86_400).contains(secondsOfDay) else { return nil }
    self.secondsOfDay = secondsOfDay
  }

  /// Creates the time the given number of seconds after midnight, wrapped into one day.
  init(wrappingSecondsOfDay seconds: Int) {
    secondsOfDay = flooredRemainder(seconds, 86_400)
  }

  /// 00:00:00.
  public static let midnight = ClockTime(wrappingSecondsOfDay: 0)

  /// The hour, 0 to 23.
  public var hour: Int { secondsOfDay / 3600 }
  /// The minute, 0 to 59.
  public var minute: Int { secondsOfDay / 60 % 60 }
  /// The second, 0 to 59.
  public var second: Int { secondsOfDay % 60 }

  /// Orders times within a day.
  public static func < (left: ClockTime, right: ClockTime) -> Bool {
    left.secondsOfDay < right.secondsOfDay
  }

  /// The time in the form "08:00:00", as in FHIR's `time`.
  public var text: String {
    zeroPadded(hour, width: 2) + ":" + zeroPadded(minute, width: 2) + ":"
      + zeroPadded(second, width: 2)
  }

  /// Parses a time in the form "08:00" or "08:00:00"; nil for anything else.
  public init?(text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count == 5 || bytes.count == 8, bytes[2] == 0x3A,
      let hour = digitsValue(bytes, 0..<2), let minute = digitsValue(bytes, 3..<5)
    else { return nil }
    var second: Int64 = 0
    if bytes.count == 8 {
      guard bytes[5] == 0x3A, let written = digitsValue(bytes, 6..<8) else { return nil }
      second = written
    }
    self.init(hour: Int(hour), minute: Int(minute), second: Int(second))
  }
}

/// A local date and time without a time zone.
public struct LocalDateTime: Hashable, Comparable, Sendable {
  /// The calendar date.
  public var date: CivilDate
  /// The time of day.
  public var time: ClockTime

  /// Creates a local date and time.
  public init(date: CivilDate, time: ClockTime) {
    self.date = date
    self.time = time
  }

  /// Orders by date, then by time.
  public static func < (left: LocalDateTime, right: LocalDateTime) -> Bool {
    left.wallSeconds < right.wallSeconds
  }

  /// Seconds since 1970-01-01 00:00:00 on the same wall clock.
  var wallSeconds: Int64 {
    Int64(date.daysSinceEpoch) * 86_400 + Int64(time.secondsOfDay)
  }

  init(wallSeconds: Int64) {
    date = CivilDate(daysSinceEpoch: Int(flooredQuotient(wallSeconds, 86_400)))
    time = ClockTime(wrappingSecondsOfDay: Int(flooredRemainder(wallSeconds, 86_400)))
  }
}
