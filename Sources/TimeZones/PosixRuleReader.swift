// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// Parses the POSIX TZ text at the end of a zone file, including times beyond a day as added by RFC 8536.
struct PosixRuleReader {
  private var rest: ArraySlice<UInt8>

  /// Returns the rule in a text such as "CET-1CEST,M3.5.0,M10.5.0/3"; nil if it is malformed.
  static func rule(_ text: ArraySlice<UInt8>) -> ZoneRule? {
    var reader = PosixRuleReader(rest: text)
    guard reader.skipName(), let standard = reader.offset() else { return nil }
    if reader.rest.isEmpty { return ZoneRule(standardOffsetSeconds: standard) }
    guard reader.skipName() else { return nil }
    var summer = standard + 3600
    if reader.rest.first != UInt8(ascii: ",") {
      guard let stated = reader.offset() else { return nil }
      summer = stated
    }
    guard let begins = reader.moment(), let ends = reader.moment(), reader.rest.isEmpty else {
      return nil
    }
    return ZoneRule(
      standardOffsetSeconds: standard,
      daylight: DaylightSaving(offsetSeconds: summer, begins: begins, ends: ends))
  }

  private mutating func skip(_ character: Unicode.Scalar) -> Bool {
    guard rest.first == UInt8(ascii: character) else { return false }
    rest = rest.dropFirst()
    return true
  }

  /// Skips a name of three or more letters, or letters, digits and signs within < and >.
  private mutating func skipName() -> Bool {
    let isQuoted = skip("<")
    let name = rest.prefix { byte in
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"): true
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "+"), UInt8(ascii: "-"): isQuoted
      default: false
      }
    }
    rest = rest.dropFirst(name.count)
    return name.count >= 3 && (!isQuoted || skip(">"))
  }

  private mutating func number(_ range: ClosedRange<Int>) -> Int? {
    let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    guard (1...3).contains(digits.count) else { return nil }
    rest = rest.dropFirst(digits.count)
    let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
    return range.contains(value) ? value : nil
  }

  /// Reads "[+-]hh[:mm[:ss]]" as seconds.
  private mutating func signedTime(hours: ClosedRange<Int>) -> Int? {
    let isNegative = skip("-")
    if !isNegative { _ = skip("+") }
    guard let hour = number(hours) else { return nil }
    var seconds = hour * 3600
    if skip(":") {
      guard let minute = number(0...59) else { return nil }
      seconds += minute * 60
      if skip(":") {
        guard let second = number(0...59) else { return nil }
        seconds += second
      }
    }
    return isNegative ? -seconds : seconds
  }

  /// Reads an offset as seconds east of UTC; POSIX counts to the west.
  private mutating func offset() -> Int? {
    signedTime(hours: 0...24).map { -$0 }
  }

  /// Reads ",date[/time]"; the time is 02:00:00 if none is given.
  private mutating func moment() -> YearlyMoment? {
    guard skip(","), let day = day() else { return nil }
    guard skip("/") else { return YearlyMoment(day: day) }
    return signedTime(hours: 0...167).map { YearlyMoment(day: day, seconds: $0) }
  }

  private mutating func day() -> YearlyDay? {
    if skip("J") { return number(1...365).map { .dayWithoutLeapDay($0) } }
    guard skip("M") else { return number(0...365).map { .zeroBasedDay($0) } }
    guard let month = number(1...12), skip("."), let week = number(1...5), skip("."),
      let sundayBased = number(0...6),
      let weekday = Weekday(rawValue: sundayBased == 0 ? 7 : sundayBased)
    else { return nil }
    return .monthWeekday(month: month, week: week, weekday: weekday)
  }
}
