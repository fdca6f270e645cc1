// SPDX-License-Identifier: Apache-2.0

import HeartRateMonitoring

/// Reads the lines of `regimen detect` in their usual spelling, without building a tree of values.
///
/// Anything else (another key, an escape, a large number, bytes beyond ASCII, invalid JSON) is left
/// to the strict reader, which reports mistakes.
struct DetectLineScanner {
  private let bytes: UnsafeBufferPointer<UInt8>
  private var position = 0

  /// Returns the line, or `nil` if the strict reader is needed.
  static func read(_ line: ArraySlice<UInt8>) -> DetectLine? {
    line.withUnsafeBufferPointer { bytes in
      var scanner = DetectLineScanner(bytes: bytes)
      return scanner.line()
    }
  }

  private init(bytes: UnsafeBufferPointer<UInt8>) { self.bytes = bytes }

  private mutating func line() -> DetectLine? {
    var line = DetectLine()
    var seen = Set8()
    guard take(UInt8(ascii: "{")) else { return nil }
    repeat {
      guard let key = word(), take(UInt8(ascii: ":")) else { return nil }
      guard let isNew = seen.insert(key), isNew, member(key, of: &line) else { return nil }
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "}")), seen.hasPersonAndDay else { return nil }
    skipSpace()
    return position == bytes.count ? line : nil
  }

  /// The keys seen so far, as bits.
  private struct Set8 {
    private static let names = ["p", "d", "agent", "slot", "dose", "readings", "steps", "answer"]
    private var bits = 0

    var hasPersonAndDay: Bool { bits & 3 == 3 }

    /// Returns true if the key is new; `nil` if it is unknown.
    mutating func insert(_ name: String) -> Bool? {
      guard let index = Self.names.firstIndex(of: name) else { return nil }
      defer { bits |= 1 << index }
      return bits & (1 << index) == 0
    }
  }

  private mutating func member(_ key: String, of line: inout DetectLine) -> Bool {
    if key != "p", key != "d", takeNull() { return true }
    switch key {
    case "p":
      if isAtText {
        guard let text = word() else { return false }
        line.person = .text(text)
      } else {
        guard let number = integer() else { return false }
        line.person = .number(number)
      }
    case "d":
      guard let day = integer(), DetectLine.days.contains(day) else { return false }
      line.day = day
    case "agent":
      line.agent = word()
      return line.agent != nil
    case "slot":
      line.slot = word()
      return line.slot != nil
    case "dose":
      line.dose = number()
      return line.dose.map { $0 >= 0 } ?? false
    case "steps":
      line.steps = integer()
      return line.steps.map { $0 >= 0 } ?? false
    case "answer":
      guard let text = word(), let answer = try? DetectLine.answer(text) else { return false }
      line.answer = answer
    default:
      return readings(&line.readings)
    }
    return true
  }

  private mutating func readings(_ readings: inout [HeartRateReading]) -> Bool {
    guard take(UInt8(ascii: "[")) else { return false }
    if take(UInt8(ascii: "]")) { return true }
    readings.reserveCapacity(8)
    repeat {
      guard take(UInt8(ascii: "[")), let hour = number(), take(UInt8(ascii: ",")),
        let bpm = number(), take(UInt8(ascii: ",")), let source = word(), take(UInt8(ascii: "]"))
      else { return false }
      readings.append(HeartRateReading(hour: hour, bpm: bpm, source: source))
    } while take(UInt8(ascii: ","))
    return take(UInt8(ascii: "]"))
  }

  private var isAtText: Bool { position < bytes.count && bytes[position] == UInt8(ascii: "\"") }

  private mutating func skipSpace() {
    while position < bytes.count, bytes[position] <= 0x20,
      [0x20, 0x09, 0x0D, 0x0A].contains(bytes[position])
    {
      position += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    skipSpace()
    guard position < bytes.count, bytes[position] == byte else { return false }
    position += 1
    skipSpace()
    return true
  }

  private mutating func takeNull() -> Bool {
    guard position + 4 <= bytes.count, bytes[position] == UInt8(ascii: "n"),
      bytes[position + 1] == UInt8(ascii: "u"), bytes[position + 2] == UInt8(ascii: "l"),
      bytes[position + 3] == UInt8(ascii: "l")
    else { return false }
    position += 4
    return true
  }

  /// Returns a text of plain ASCII without escapes.
  private mutating func word() -> String? {
    guard isAtText else { return nil }
    let begin = position + 1
    var end = begin
    while end < bytes.count, bytes[end] != UInt8(ascii: "\"") {
      guard bytes[end] >= 0x20, bytes[end] < 0x7F, bytes[end] != UInt8(ascii: "\\") else {
        return nil
      }
      end += 1
    }
    guard end < bytes.count else { return nil }
    position = end + 1
    return String(decoding: UnsafeBufferPointer(rebasing: bytes[begin..<end]), as: UTF8.self)
  }

  /// Returns a whole number of few digits.
  private mutating func integer() -> Int? {
    guard let number = number(), number == number.rounded(), !hadPoint else { return nil }
    return Int(number)
  }

  private var hadPoint = false

  /// Returns a number of at most fifteen digits without exponent, which one division gives exactly.
  private mutating func number() -> Double? {
    let isNegative = position < bytes.count && bytes[position] == UInt8(ascii: "-")
    if isNegative { position += 1 }
    let begin = position
    var digits = 0
    var value = 0
    var scale = 1.0
    hadPoint = false
    while position < bytes.count {
      let byte = bytes[position]
      if byte &- 0x30 < 10 {
        value = value &* 10 &+ Int(byte &- 0x30)
        digits += 1
        if digits > 15 { return nil }
        if hadPoint { scale *= 10 }
      } else if byte == UInt8(ascii: "."), !hadPoint, position > begin {
        hadPoint = true
      } else if byte == UInt8(ascii: "e") || byte == UInt8(ascii: "E") || byte == UInt8(ascii: ".")
      {
        return nil
      } else {
        break
      }
      position += 1
    }
    let isWhole = digits > 0 && bytes[position - 1] != UInt8(ascii: ".")
    let hasLeadingZero =
      position - begin > 1 && bytes[begin] == 0x30 && bytes[begin + 1] != UInt8(ascii: ".")
    guard isWhole, !hasLeadingZero else { return nil }
    let number = Double(value) / scale
    return isNegative ? -number : number
  }
}
