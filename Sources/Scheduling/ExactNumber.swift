// SPDX-License-Identifier: Apache-2.0

/// A decimal number as written, with up to eighteen digits; binary floating point cannot represent 0.1 exactly.
struct ExactNumber: Hashable, Comparable, Sendable {
  /// The digits without the point.
  let digits: Int64
  /// The number of digits after the point: 0 to 18.
  let decimals: Int

  /// Parses a JSON number; nil for other text and for values that need more than eighteen digits.
  ///
  /// Digits after the point that do not fit are truncated.
  init?(_ text: String) {
    let bytes = Array(text.utf8)
    let isNegative = bytes.first == UInt8(ascii: "-")
    let start = isNegative ? 1 : 0
    var index = start
    var point: Int?
    var value: Int64 = 0
    // Digits after the point; negative if digits before it did not fit.
    var places = 0
    while index < bytes.count {
      if isDigit(bytes[index]) {
        if value < Self.seventeenDigits {
          value = value * 10 + Int64(bytes[index] - 0x30)
          if point != nil { places += 1 }
        } else if point == nil {
          places -= 1
        }
      } else if bytes[index] == UInt8(ascii: "."), point == nil {
        point = index
      } else {
        break
      }
      index += 1
    }
    guard index > start, point != start, point != index - 1,
      let exponent = Self.exponent(bytes, from: index)
    else { return nil }
    places -= exponent
    while value != 0, places > 18 || places > 0 && value % 10 == 0 {
      value /= 10
      places -= 1
    }
    while value != 0, places < 0 {
      guard value < Self.seventeenDigits else { return nil }
      value *= 10
      places += 1
    }
    digits = isNegative ? -value : value
    decimals = value == 0 ? 0 : places
  }

  /// The bound below which a value has room for one more digit.
  private static let seventeenDigits: Int64 = 100_000_000_000_000_000

  private static func exponent(_ bytes: [UInt8], from index: Int) -> Int? {
    guard index < bytes.count else { return 0 }
    guard bytes[index] | 0x20 == UInt8(ascii: "e") else { return nil }
    var start = index + 1
    let isNegative = start < bytes.count && bytes[start] == UInt8(ascii: "-")
    if isNegative || start < bytes.count && bytes[start] == UInt8(ascii: "+") { start += 1 }
    // A larger exponent would exceed all digits in either direction.
    guard start < bytes.count, let value = digitsValue(bytes, start..<bytes.count) else {
      return nil
    }
    return Int(min(value, 1_000)) * (isNegative ? -1 : 1)
  }

  /// The value if it is a whole number.
  var whole: Int64? { decimals == 0 ? digits : nil }

  /// Returns the value times a factor, rounded down to a whole number; nil beyond 64 bits.
  func times(_ factor: Int64) -> (value: Int64, isExact: Bool)? {
    if decimals == 0 {
      let (value, overflow) = digits.multipliedReportingOverflow(by: factor)
      return overflow ? nil : (value, true)
    }
    let scale = powerOfTen(decimals)
    let (high, low) = digits.multipliedFullWidth(by: factor)
    // A quotient beyond 64 bits would trap.
    guard high.magnitude < UInt64(scale) / 2 else { return nil }
    let (quotient, remainder) = scale.dividingFullWidth((high, low))
    return (remainder < 0 ? quotient - 1 : quotient, remainder == 0)
  }

  static func < (left: ExactNumber, right: ExactNumber) -> Bool {
    let leftScale = powerOfTen(left.decimals)
    let rightScale = powerOfTen(right.decimals)
    let leftWhole = flooredQuotient(left.digits, leftScale)
    let rightWhole = flooredQuotient(right.digits, rightScale)
    if leftWhole != rightWhole { return leftWhole < rightWhole }
    let leftRest = flooredRemainder(left.digits, leftScale) * powerOfTen(18 - left.decimals)
    let rightRest = flooredRemainder(right.digits, rightScale) * powerOfTen(18 - right.decimals)
    return leftRest < rightRest
  }
}

private func powerOfTen(_ exponent: Int) -> Int64 {
  var power: Int64 = 1
  for _ in 0..<min(max(exponent, 0), 18) { power *= 10 }
  return power
}
