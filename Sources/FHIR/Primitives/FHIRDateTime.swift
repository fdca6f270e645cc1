// SPDX-License-Identifier: Apache-2.0

/// A FHIR `date`, `dateTime` or `instant`: its text is kept, its parts are real calendar values.
public struct FHIRDateTime: Sendable, Hashable {
  /// The smallest stated part of the value.
  public enum Precision: Int, Sendable, Comparable {
    /// A year alone.
    case year
    /// A year and a month.
    case month
    /// A whole day.
    case day
    /// A time to the second, with an offset.
    case second
    /// A time with a fraction of a second, with an offset.
    case millisecond

    /// Coarser comes before finer.
    public static func < (left: Precision, right: Precision) -> Bool {
      left.rawValue < right.rawValue
    }
  }

  /// The value as written.
  public let text: String
  /// The smallest stated part of the value.
  public let precision: Precision
  /// 1 to 9999.
  public let year: Int
  /// 1 to 12.
  public let month: Int?
  /// 1 to the length of the month.
  public let day: Int?
  /// 0 to 23.
  public let hour: Int?
  /// 0 to 59.
  public let minute: Int?
  /// 0 to 60; 60 is a leap second, which counts as the next second.
  public let second: Int?
  /// 0 to 999; finer digits stay in the text only.
  public let millisecond: Int
  /// Minutes east of UTC, present exactly when there is a time; 0 for `Z`.
  public let offsetMinutes: Int?

  /// Reads `YYYY`, `YYYY-MM`, `YYYY-MM-DD` or a time to the second with `Z` or a numeric offset; else `nil`.
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
  /// Milliseconds since 1970 UTC, when the value has a time.
  public var epochMilliseconds: Int64? {
    guard offsetMinutes != nil else { return nil }
    return lowerMilliseconds
  }

  /// The first millisecond since 1970 that the value covers; without a time its dates are taken in UTC.
  var lowerMilliseconds: Int64 {
    let days = CivilCalendar.daysSinceEpoch(year: year, month: month ?? 1, day: day ?? 1)
    let minutes = (hour ?? 0) * 60 + (minute ?? 0) - (offsetMinutes ?? 0)
    return Int64(days) * CivilCalendar.millisecondsPerDay
      + Int64(minutes) * CivilCalendar.millisecondsPerMinute
      + Int64(second ?? 0) * 1_000 + Int64(millisecond)
  }

  /// The first millisecond after everything that the value covers.
  var upperMilliseconds: Int64 {
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

  /// The text of an instant at an offset in minutes east of UTC, `2026-03-01T08:00:00+01:00`; milliseconds show when not 0.
  ///
  /// Instants outside the years 1 to 9999 and offsets beyond 14 hours are moved to the nearest that FHIR can write.
  public static func instantText(milliseconds: Int64, offsetMinutes: Int) -> String {
    let offset = min(max(offsetMinutes, -14 * 60), 14 * 60)
    // Two days inside the ends of year 1 and 9999, so that no offset leads out of them.
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
