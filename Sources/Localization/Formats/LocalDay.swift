// SPDX-License-Identifier: Apache-2.0

/// A calendar day to format: Gregorian year, month and day, with its weekday.
public struct LocalDay: Sendable, Hashable {
  /// The Gregorian year.
  public let year: Int
  /// The month, 1 for January to 12.
  public let month: Int
  /// The day of the month, 1 to 31.
  public let day: Int
  /// The weekday, 1 for Monday to 7 for Sunday (ISO 8601).
  public let isoWeekday: Int

  /// Creates a day from consistent parts.
  public init(year: Int, month: Int, day: Int, isoWeekday: Int) {
    self.year = year
    self.month = month
    self.day = day
    self.isoWeekday = isoWeekday
  }
}

/// The parts of a date to include.
public enum DateStyle: String, Sendable, Hashable, CaseIterable {
  /// `Sunday 1 March 2026`
  case long
  /// `1 March 2026`
  case medium
  /// `Sun 1 Mar`
  case short
}

/// The length in which the name of a weekday or month is written.
public enum NameStyle: String, Sendable, Hashable, CaseIterable {
  /// `Monday`
  case long
  /// `Mon`
  case short
}
