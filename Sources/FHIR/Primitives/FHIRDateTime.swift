// SPDX-License-Identifier: Apache-2.0

/// A FHIR `date`, `dateTime` or `instant`: its text is preserved, and its parts are valid calendar values.
public struct FHIRDateTime: Sendable, Hashable {
  /// The smallest stated part of the value.
  public enum Precision: Int, Sendable, Comparable {
    /// A year only.
    case year
    /// A year and a month.
    case month
    /// A whole day.
    case day
    /// A time to the second, with an offset.
    case second
    /// A time with a fraction of a second, with an offset.
    case millisecond

    /// Orders precisions from coarse to fine.
    public static func < (left: Precision, right: Precision) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The value as written.
  public let text: String
  /// The smallest stated part of the value.
  public let precision: Precision
  /// The year, 1 to 9999.
  public let year: Int
  /// The month, 1 to 12.
  public let month: Int?
  /// The day of the month, from 1.
  public let day: Int?
  /// The hour, 0 to 23.
  public let hour: Int?
  /// The minute, 0 to 59.
  public let minute: Int?
  /// The second, 0 to 60; 60 is a leap second, which counts as the next second.
  public let second: Int?
  /// The millisecond, 0 to 999; further digits are only in the text.
  public let millisecond: Int
  /// The offset in minutes east of UTC, present if and only if there is a time; 0 for `Z`.
  public let offsetMinutes: Int?

  /// Reads `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or a time to the second with `Z` or a numeric offset; nil for any
  /// other text.
  public init?(_ text: String) {
    guard text.utf8.count <= 64 else { return nil }
    var scanner = TextScanner(text)
    guard let year = scanner.number(digits: 4, within: 1...9999) else { return nil }
    var month: Int?
    var day: Int?
    var time: (hour: Int, minute: Int, second: Int, millisecond: Int, offset: Int)?
    var precision = Precision.year
    if scanner.take("-") {
      guard let value = scanner.number(digits: 2, within: 1...12) else { return nil }
      month = value
      precision = .month
      if scanner.take("-") {
        let longest = CivilCalendar.days(inMonth: value, year: year)
        guard let value = scanner.number(digits: 2, within: 1...longest) else { return nil }
        day = value
        precision = .day
        if scanner.take("T") {
          guard let hour = scanner.number(digits: 2, within: 0...23), scanner.take(":"),
            let minute = scanner.number(digits: 2, within: 0...59), scanner.take(":"),
            let second = scanner.number(digits: 2, within: 0...60)
          else { return nil }
          var millisecond = 0
          precision = .second
          if scanner.take(".") {
            guard let fraction = scanner.fraction() else { return nil }
            millisecond = fraction
            precision = .millisecond
          }
          guard let offset = Self.offset(from: &scanner) else { return nil }
          time = (hour, minute, second, millisecond, offset)
        }
      }
    }
    guard scanner.isAtEnd else { return nil }
    self.text = text
    self.precision = precision
    self.year = year
    self.month = month
    self.day = day
    hour = time?.hour
    minute = time?.minute
    second = time?.second
    millisecond = time?.millisecond ?? 0
    offsetMinutes = time?.offset
  }

  /// Reads `Z` or an offset of at most 14 hours as minutes east of UTC.
  static func offset(from scanner: inout TextScanner) -> Int? {
    if scanner.take("Z") { return 0 }
    let isWest = scanner.take("-")
    guard isWest || scanner.take("+"),
      let hours = scanner.number(digits: 2, within: 0...14), scanner.take(":"),
      let minutes = scanner.number(digits: 2, within: 0...59), hours * 60 + minutes <= 14 * 60
    else { return nil }
    return isWest ? -(hours * 60 + minutes) : hours * 60 + minutes
  }
}

extension FHIRDateTime {
  /// The milliseconds since 1970 UTC; nil without a time.
  public var epochMilliseconds: Int64? {
    guard offsetMinutes != nil else { return nil }
    return lowerMilliseconds
  }

  /// The first millisecond since 1970 that the value covers; a date without time is read as UTC.
  public var lowerMilliseconds: Int64 {
    let days = CivilCalendar.daysSinceEpoch(year: year, month: month ?? 1, day: day ?? 1)
    let minutes = (hour ?? 0) * 60 + (minute ?? 0) - (offsetMinutes ?? 0)
    return Int64(days) * CivilCalendar.millisecondsPerDay
      + Int64(minutes) * CivilCalendar.millisecondsPerMinute
      + Int64(second ?? 0) * 1_000 + Int64(millisecond)
  }

  /// The first millisecond after the value.
  public var upperMilliseconds: Int64 {
    switch precision {
    case .millisecond: lowerMilliseconds + 1
    case .second: lowerMilliseconds + 1_000
    case .day: lowerMilliseconds + CivilCalendar.millisecondsPerDay
    case .month:
      lowerMilliseconds
        + Int64(CivilCalendar.days(inMonth: month ?? 1, year: year))
        * CivilCalendar.millisecondsPerDay
    case .year:
      Int64(CivilCalendar.daysSinceEpoch(year: year + 1, month: 1, day: 1))
        * CivilCalendar.millisecondsPerDay
    }
  }

  /// Returns an instant as text at an offset in minutes east of UTC, such as `2026-03-01T08:00:00+01:00`,
  /// with milliseconds unless they are 0.
  ///
  /// Instants outside the years 1 to 9999 and offsets beyond 14 hours are clamped to what FHIR can express.
  public static func instantText(milliseconds: Int64, offsetMinutes: Int) -> String {
    let offset = min(max(offsetMinutes, -14 * 60), 14 * 60)
    // Two days inside the ends of the years 1 and 9999, so that no offset leaves that range.
    let clamped = min(max(milliseconds, -62_135_424_000_000), 253_402_128_000_000)
    let local = clamped + Int64(offset) * CivilCalendar.millisecondsPerMinute
    let perDay = CivilCalendar.millisecondsPerDay
    let days = local >= 0 ? local / perDay : -((perDay - 1 - local) / perDay)
    let inDay = Int(local - days * perDay)
    let date = CivilCalendar.date(daysSinceEpoch: Int(days))
    var text: [UInt8] = []
    text.reserveCapacity(29)
    func append(_ value: Int, digits: Int) {
      var divisor = [1, 10, 100, 1_000][digits - 1]
      while divisor > 0 {
        text.append(UInt8(truncatingIfNeeded: 0x30 + value / divisor % 10))
        divisor /= 10
      }
    }
    append(date.year, digits: 4)
    text.append(UInt8(ascii: "-"))
    append(date.month, digits: 2)
    text.append(UInt8(ascii: "-"))
    append(date.day, digits: 2)
    text.append(UInt8(ascii: "T"))
    append(inDay / 3_600_000, digits: 2)
    text.append(UInt8(ascii: ":"))
    append(inDay / 60_000 % 60, digits: 2)
    text.append(UInt8(ascii: ":"))
    append(inDay / 1_000 % 60, digits: 2)
    if inDay % 1_000 != 0 {
      text.append(UInt8(ascii: "."))
      append(inDay % 1_000, digits: 3)
    }
    text.append(offset < 0 ? UInt8(ascii: "-") : UInt8(ascii: "+"))
    append(abs(offset) / 60, digits: 2)
    text.append(UInt8(ascii: ":"))
    append(abs(offset) % 60, digits: 2)
    return String(decoding: text, as: UTF8.self)
  }
}
