// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// Lines of iCalendar (RFC 5545): texts escaped, lines folded, ends CRLF.
struct ICalendarText: Sendable {
  private(set) var bytes: [UInt8] = []

  /// Section 3.1: a line holds at most 75 bytes without its end.
  private static let width = 75

  /// A property whose value is written as it is: a name, a date, a duration.
  mutating func line(_ name: String, _ value: String) {
    fold("\(name):\(value)")
  }

  /// A property whose value is a text.
  mutating func text(_ name: String, _ value: String) {
    fold("\(name):\(Self.escaped(value))")
  }

  /// Section 3.3.11: backslash, semicolon and comma are escaped, line ends written `\n`; no other controls.
  static func escaped(_ text: String) -> String {
    var result = ""
    var last: Unicode.Scalar?
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\", ";", ",":
        result += "\\"
        result.unicodeScalars.append(scalar)
      case "\n" where last == "\r": break
      case "\n", "\r": result += "\\n"
      case "\t": result += "\t"
      case "\u{0}"..."\u{1F}", "\u{7F}": break
      default: result.unicodeScalars.append(scalar)
      }
      last = scalar
    }
    return result
  }

  /// Breaks a line before it grows too long, never within a character.
  private mutating func fold(_ line: String) {
    var count = 0
    for scalar in line.unicodeScalars {
      let encoded = Array(String(Character(scalar)).utf8)
      if count + encoded.count > Self.width {
        bytes += [0x0D, 0x0A, 0x20]
        count = 1
      }
      bytes += encoded
      count += encoded.count
    }
    bytes += [0x0D, 0x0A]
  }
}

extension ICalendarText {
  /// `20260301T080000`.
  static func local(_ moment: LocalDateTime) -> String {
    let (date, seconds) = (moment.date, moment.time.secondsOfDay)
    return digits(date.year, 4) + digits(date.month, 2) + digits(date.day, 2) + "T"
      + digits(seconds / 3_600, 2) + digits(seconds / 60 % 60, 2) + digits(seconds % 60, 2)
  }

  /// `20260301T070000Z`.
  static func universal(_ instant: Instant) -> String { local(Zone.utc.local(at: instant)) + "Z" }

  /// `+0100`, with seconds where a zone has them.
  static func offset(_ seconds: Int) -> String {
    let size = abs(seconds)
    let rest = size % 60 == 0 ? "" : digits(size % 60, 2)
    return (seconds < 0 ? "-" : "+") + digits(size / 3_600, 2) + digits(size / 60 % 60, 2) + rest
  }

  private static func digits(_ number: Int, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.utf8.count)) + text
  }
}
