// SPDX-License-Identifier: Apache-2.0

import Scheduling

/// Lines of iCalendar (RFC 5545): escaped, folded, with CRLF line ends.
struct ICalendarText: Sendable {
  private(set) var bytes: [UInt8] = []

  /// The maximum line length in bytes, without its end (section 3.1).
  private static let width = 75

  /// Returns a property with an unescaped value: a name, a date, a duration.
  mutating func line(_ name: String, _ value: String) {
    fold("\(name):\(value)")
  }

  /// Returns a property with a text value.
  mutating func text(_ name: String, _ value: String) {
    fold("\(name):\(Self.escaped(value))")
  }

  /// Returns escaped text (section 3.3.11): backslash, semicolon and comma escaped, line breaks as
  /// `\n`, no other control characters.
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

  /// Folds a line before it is too long, never within a character.
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
  /// Returns a local time such as `20260301T080000`.
  static func local(_ moment: LocalDateTime) -> String {
    let (date, seconds) = (moment.date, moment.time.secondsOfDay)
    return digits(date.year, 4) + digits(date.month, 2) + digits(date.day, 2) + "T"
      + digits(seconds / 3_600, 2) + digits(seconds / 60 % 60, 2) + digits(seconds % 60, 2)
  }

  /// Returns a UTC time such as `20260301T070000Z`.
  static func universal(_ instant: Instant) -> String { local(Zone.utc.local(at: instant)) + "Z" }

  /// Returns an offset such as `+0100`, with seconds if the zone has them.
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
