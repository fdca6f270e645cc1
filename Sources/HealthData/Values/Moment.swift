// SPDX-License-Identifier: Apache-2.0

/// An instant with the UTC offset of the place where it was measured.
package struct Moment: Sendable, Hashable, Comparable {
  /// The seconds since 1970, UTC.
  package let seconds: Int64
  /// The seconds by which the local clock is ahead of UTC.
  package let offset: Int32

  /// Creates a moment from seconds since 1970 (UTC) and the offset in seconds.
  package init(seconds: Int64, offset: Int32) {
    self.seconds = seconds
    self.offset = offset
  }

  /// The local day, counted from 1970-01-01.
  package var dayNumber: Int64 { floored(seconds + Int64(offset), by: 86_400) }

  /// The second of that day, from 0.
  package var secondOfDay: Int { Int(seconds + Int64(offset) - dayNumber * 86_400) }

  /// Orders moments only by the instant, whatever their offsets.
  package static func < (left: Moment, right: Moment) -> Bool { left.seconds < right.seconds }
}

func floored(_ value: Int64, by divisor: Int64) -> Int64 {
  let quotient = value / divisor
  return value % divisor < 0 ? quotient - 1 : quotient
}

/// Days of the proleptic Gregorian calendar, counted from 1970-01-01.
package enum CivilDays {
  /// Returns the day number of a date; nil for a date that does not exist.
  package static func number(year: Int, month: Int, day: Int) -> Int64? {
    guard (1...9999).contains(year), (1...12).contains(month), day >= 1,
      day <= length(of: month, in: year)
    else { return nil }
    // The year begins in March, so that the leap day is its last.
    let shifted = Int64(month <= 2 ? year - 1 : year)
    let era = floored(shifted, by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  /// Returns the date of a day number as `yyyy-MM-dd`.
  package static func text(_ number: Int64) -> String {
    let shifted = number + 719_468
    let era = floored(shifted, by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra =
      (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let part = (5 * dayOfYear + 2) / 153
    let day = dayOfYear - (153 * part + 2) / 5 + 1
    let month = part < 10 ? part + 3 : part - 9
    let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    // Called for each value of an export, so it writes the digits directly; a year has four.
    return String(unsafeUninitializedCapacity: 10) { text in
      func write(_ value: Int64, _ width: Int, at place: Int) {
        var rest = value
        for index in (place..<(place + width)).reversed() {
          text[index] = UInt8(truncatingIfNeeded: 0x30 + rest % 10)
          rest /= 10
        }
      }
      write(min(max(year, 0), 9_999), 4, at: 0)
      write(month, 2, at: 5)
      write(day, 2, at: 8)
      text[4] = 0x2D
      text[7] = 0x2D
      return 10
    }
  }

  private static func length(of month: Int, in year: Int) -> Int {
    switch month {
    case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
