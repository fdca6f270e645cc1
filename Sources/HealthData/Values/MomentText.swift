// SPDX-License-Identifier: Apache-2.0

/// Dates in the formats of phones and watches.
package enum MomentText {
  /// Reads Apple's own format, `yyyy-MM-dd HH:mm:ss +ZZZZ`, in place.
  @inline(__always)
  static func exported(_ text: UnsafeBufferPointer<UInt8>) -> Moment? {
    guard text.count == 25, text[4] == 0x2D, text[7] == 0x2D, text[10] == 0x20,
      text[13] == 0x3A, text[16] == 0x3A, text[19] == 0x20
    else { return nil }
    @inline(__always) func two(_ at: Int) -> Int {
      let high = Int(text[at]) - 48
      let low = Int(text[at + 1]) - 48
      return high >= 0 && high <= 9 && low >= 0 && low <= 9 ? high * 10 + low : -100_000
    }
    let hour = two(11)
    let minute = two(14)
    let second = two(17)
    let zone = two(21) * 3_600 + two(23) * 60
    guard let day = CivilDays.number(year: two(0) * 100 + two(2), month: two(5), day: two(8)),
      hour >= 0, hour < 24, minute >= 0, minute < 60, second >= 0, second <= 60, zone >= 0,
      zone <= 18 * 3_600, text[20] == 0x2B || text[20] == 0x2D
    else { return nil }
    let offset = text[20] == 0x2D ? -zone : zone
    return Moment(
      seconds: day * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset),
      offset: Int32(offset))
  }

  /// Reads a time as programs send it: ISO 8601 or with spaces, 24 hours or AM and PM.
  ///
  /// Returns nil for any other text. A date without a time means its midnight. The caller's zone applies
  /// without an offset, and also with `Z`, which says nothing about the place.
  ///
  /// - Parameter zone: the offset of the person's zone at seconds since 1970.
  package static func read(_ text: String, in zone: (Int64) -> Int32) -> Moment? {
    if let moment = read(text, offsetWhereNone: nil) {
      let isUTC = text.last == "Z" || text.last == "z"
      return isUTC ? Moment(seconds: moment.seconds, offset: zone(moment.seconds)) : moment
    }
    guard let wall = read(text, offsetWhereNone: 0) else { return nil }
    // Uses the offset at a nearby moment, which is wrong for at most an hour in a year.
    let offset = zone(wall.seconds - Int64(zone(wall.seconds)))
    return Moment(seconds: wall.seconds - Int64(offset), offset: offset)
  }

  /// Reads a time, with an offset in seconds for those without one; nil if the text has none and
  /// `offsetWhereNone` is nil.
  package static func read(_ text: String, offsetWhereNone: Int32?) -> Moment? {
    // Clocks with AM and PM put a narrow no-break space before them.
    let plain = text.replacing("\u{202F}", with: " ").replacing("\u{A0}", with: " ")
    var reader = MomentReader(rest: Substring(plain).utf8)
    return reader.moment(offsetWhereNone: offsetWhereNone)
  }
}

private struct MomentReader {
  var rest: Substring.UTF8View

  mutating func moment(offsetWhereNone: Int32?) -> Moment? {
    guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
      let date = CivilDays.number(year: year, month: month, day: day)
    else { return nil }
    var seconds = 0
    if take("T") || take("t") || (!rest.isEmpty && take(" ")) {
      guard let time = time() else { return nil }
      seconds = time
    }
    while take(" ") {}
    var offset = offsetWhereNone
    if take("Z") || take("z") {
      offset = 0
    } else if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") {
      rest.removeFirst()
      guard let hours = number(2) else { return nil }
      _ = take(":")
      let minutes = rest.isEmpty ? 0 : number(2)
      guard let minutes, hours <= 18, minutes < 60 else { return nil }
      let amount = Int32(hours * 3_600 + minutes * 60)
      offset = sign == UInt8(ascii: "-") ? -amount : amount
    }
    guard rest.isEmpty, let offset else { return nil }
    return Moment(seconds: date * 86_400 + Int64(seconds) - Int64(offset), offset: offset)
  }

  private mutating func time() -> Int? {
    guard var hour = number(2) ?? number(1), take(":"), let minute = number(2), minute < 60 else {
      return nil
    }
    var second = 0
    if take(":") {
      guard let value = number(2), value <= 60 else { return nil }
      second = value
      if take(".") || take(",") {
        while let next = rest.first, next >= 48, next <= 57 { rest.removeFirst() }
      }
    }
    let before = rest
    while take(" ") {}
    if take("AM") || take("am") {
      guard (1...12).contains(hour) else { return nil }
      hour %= 12
    } else if take("PM") || take("pm") {
      guard (1...12).contains(hour) else { return nil }
      hour = hour % 12 + 12
    } else {
      rest = before
    }
    return hour < 24 ? hour * 3_600 + minute * 60 + second : nil
  }

  private mutating func number(_ width: Int) -> Int? {
    let digits = rest.prefix(width)
    guard digits.count == width, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    rest = rest.dropFirst(width)
    return digits.reduce(0) { $0 * 10 + Int($1) - 48 }
  }

  private mutating func take(_ word: StaticString) -> Bool {
    let wanted = word.description.utf8
    guard rest.starts(with: wanted) else { return false }
    rest = rest.dropFirst(wanted.count)
    return true
  }
}
