// SPDX-License-Identifier: Apache-2.0

/// Times of day on the 24-hour clock, such as `08:00`, for people and for time controls.
public enum ClockText {
  /// Returns the text of an hour and a minute.
  public static func text(hour: Int, minute: Int) -> String {
    twoDigits(hour) + ":" + twoDigits(minute)
  }

  /// Returns the text of a number of minutes since midnight.
  public static func text(minuteOfDay: Int) -> String {
    text(hour: minuteOfDay / 60, minute: minuteOfDay % 60)
  }

  /// Returns a number with a leading zero if it has only one digit.
  public static func twoDigits(_ number: Int) -> String {
    (0..<10).contains(number) ? "0\(number)" : "\(number)"
  }
}
