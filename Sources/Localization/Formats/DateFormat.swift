// SPDX-License-Identifier: Apache-2.0

extension Speaker {
  /// Returns a time of day on the 24-hour clock, such as `08:00`, in every language.
  public func time(hour: Int, minute: Int) -> String {
    ClockText.text(hour: hour, minute: minute)
  }

  /// Returns a date; Thai uses the years of the Buddhist era.
  public func date(_ day: LocalDay, _ style: DateStyle) -> String {
    switch style {
    case .long:
      return text(
        "calendar.date-long",
        [
          "day": "\(day.day)", "year": "\(shownYear(day.year))",
          "weekday": .text(weekday(day.isoWeekday, .long)),
          "month": .text(month(day.month, .long)),
        ])
    case .medium:
      return text(
        "calendar.date-medium",
        [
          "day": "\(day.day)", "year": "\(shownYear(day.year))",
          "month": .text(month(day.month, .long)),
        ])
    case .short:
      return text(
        "calendar.date-short",
        [
          "day": "\(day.day)", "weekday": .text(weekday(day.isoWeekday, .short)),
          "month": .text(month(day.month, .short)),
        ])
    }
  }

  /// Returns a month with its year, such as `March 2026`; Thai uses the years of the Buddhist era.
  public func month(_ month: Int, year: Int) -> String {
    text(
      "calendar.month-of-year",
      ["month": .text(self.month(month, .long)), "year": "\(shownYear(year))"])
  }

  /// Returns a weekday's name; 1 is Monday.
  public func weekday(_ isoWeekday: Int, _ style: NameStyle = .long) -> String {
    switch style {
    case .long: text("calendar.weekday-long", ["weekday": "\(isoWeekday)"])
    case .short: text("calendar.weekday-short", ["weekday": "\(isoWeekday)"])
    }
  }

  /// Returns a month's name; 1 is January.
  public func month(_ month: Int, _ style: NameStyle = .long) -> String {
    switch style {
    case .long: text("calendar.month-long", ["month": "\(month)"])
    case .short: text("calendar.month-short", ["month": "\(month)"])
    }
  }

  /// Returns the number of a Gregorian year in the language's calendar.
  public func shownYear(_ year: Int) -> Int {
    guard spoken == .th else { return year }
    let (sum, overflows) = year.addingReportingOverflow(543)
    return overflows ? year : sum
  }
}
