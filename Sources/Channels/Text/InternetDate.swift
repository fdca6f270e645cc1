// SPDX-License-Identifier: Apache-2.0

import Localization

/// Dates in the formats of HTTP and mail, in English and UTC, from and to seconds since 1970.
enum InternetDate {
  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let weekdays = ["Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun"]
  private static let secondsPerDay: Int64 = 86_400

  /// Returns a date such as `Sat, 21 Nov 2026 10:44:54 +0000` (RFC 5322 section 3.3), for the years 1970 to
  /// 9999.
  static func mailText(seconds: Int64) -> String {
    let seconds = min(max(seconds, 0), 253_402_300_799)
    let day = seconds / secondsPerDay
    let date = civil(day: day)
    let time = Int(seconds % secondsPerDay)
    let weekday = weekdays[Int((day + 3) % 7)]
    let clock = ClockText.text(minuteOfDay: time / 60) + ":" + ClockText.twoDigits(time % 60)
    return
      "\(weekday), \(date.day) \(months[date.month - 1]) \(fourDigits(date.year)) \(clock) +0000"
  }

  /// Reads the three forms of an HTTP date (RFC 9110 section 5.6.7); nil for any other text.
  ///
  /// A two-digit year is the one within 50 years of `now`.
  static func parseHTTP(_ text: String, now: Int64) -> Int64? {
    let words = text.split { $0 == " " || $0 == "," || $0 == "-" }.map(String.init)
    switch words.count {
    case 6 where words[5] == "GMT":
      // Sun, 06 Nov 1994 08:49:37 GMT and Sunday, 06-Nov-94 08:49:37 GMT
      guard let year = year(words[3], now: now) else { return nil }
      return seconds(year: year, month: words[2], day: words[1], clock: words[4])
    case 5 where words[4].utf8.count == 4:
      // Sun Nov  6 08:49:37 1994
      guard let year = number(words[4], digits: 4...4) else { return nil }
      return seconds(year: year, month: words[1], day: words[2], clock: words[3])
    default: return nil
    }
  }

  private static func year(_ text: String, now: Int64) -> Int? {
    if text.utf8.count == 4 { return number(text, digits: 4...4) }
    guard let short = number(text, digits: 2...2) else { return nil }
    let current = civil(day: max(now, 0) / secondsPerDay).year
    let year = current - current % 100 + short
    return year > current + 50 ? year - 100 : year
  }

  private static func seconds(year: Int, month: String, day: String, clock: String) -> Int64? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
    guard parts.count == 3, let hour = number(parts[0], digits: 2...2), hour < 24,
      let minute = number(parts[1], digits: 2...2), minute < 60,
      let second = number(parts[2], digits: 2...2), second <= 60,
      let month = months.firstIndex(of: month).map({ $0 + 1 }),
      let day = number(day, digits: 1...2), year >= 1970
    else { return nil }
    let number = daysSinceEpoch(year: year, month: month, day: day)
    // A day that the month does not have would become another date.
    guard civil(day: number) == (year, month, day) else { return nil }
    return number * secondsPerDay + Int64(hour * 3600 + minute * 60 + second)
  }

  private static func number(_ text: String, digits: ClosedRange<Int>) -> Int? {
    guard digits.contains(text.utf8.count),
      text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) })
    else { return nil }
    return Int(text)
  }

  private static func fourDigits(_ value: Int) -> String {
    String(repeating: "0", count: max(0, 4 - "\(value)".utf8.count)) + "\(value)"
  }

  // The proleptic Gregorian calendar in eras of 400 years, with years from March, so that the leap day comes
  // last. Days are counted from 1970.

  private static func daysSinceEpoch(year: Int, month: Int, day: Int) -> Int64 {
    let shifted = Int64(month <= 2 ? year - 1 : year)
    let monthFromMarch = Int64((month + 9) % 12)
    let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
    return shifted * 365 + shifted / 4 - shifted / 100 + shifted / 400 + dayOfYear - 719_468
  }

  private static func civil(day: Int64) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = shifted / 146_097
    let dayOfEra = shifted % 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
    let year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    return (year, month, Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1))
  }
}
