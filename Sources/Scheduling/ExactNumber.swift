// SPDX-License-Identifier: Apache-2.0

/// A decimal number as written, to eighteen digits; a binary fraction would make 0.1 something else.
struct ExactNumber: Hashable, Comparable, Sendable {
  /// The digits without the point.
  let digits: Int64
  /// How many of the digits stand behind the point: 0 to 18.
  let decimals: Int

  /// Reads a JSON number; nil for other text and for a size beyond eighteen digits.
  ///
  /// Digits behind the point that would not fit are cut off.
  init?(_ text: String) {
    var rest = Array(text.utf8)[...]
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative { rest = rest.dropFirst() }
    let whole = rest.prefix(while: Self.isDigit)
    rest = rest.dropFirst(whole.count)
    var fraction: ArraySlice<UInt8> = []
    if rest.first == UInt8(ascii: ".") {
      rest = rest.dropFirst()
      fraction = rest.prefix(while: Self.isDigit)
      if fraction.isEmpty { return nil }
      rest = rest.dropFirst(fraction.count)
    }
    guard !whole.isEmpty, let exponent = Self.exponent(rest) else { return nil }
    var all = Array(whole.drop { $0 == 0x30 }) + fraction
    var point = fraction.count - exponent
    while let last = all.last, last == 0x30 || (point > 18 || all.count > 18) && point > 0 {
      all.removeLast()
      point -= 1
    }
    while point < 0, all.count <= 18, !all.isEmpty {
      all.append(0x30)
      point += 1
    }
    // What is nothing but zeros has no digits left.
    guard let value = all.isEmpty ? 0 : digitsValue(all) else { return nil }
    digits = isNegative ? -value : value
    decimals = all.isEmpty ? 0 : max(point, 0)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }

  private static func exponent(_ text: ArraySlice<UInt8>) -> Int? {
    guard let mark = text.first else { return 0 }
    guard mark == UInt8(ascii: "e") || mark == UInt8(ascii: "E") else { return nil }
    var rest = text.dropFirst()
    let isNegative = rest.first == UInt8(ascii: "-")
    if isNegative || rest.first == UInt8(ascii: "+") { rest = rest.dropFirst() }
    // More would be beyond all digits in either direction.
    guard let value = digitsValue(rest) else { return nil }
    return Int(min(value, 1_000)) * (isNegative ? -1 : 1)
  }

  /// The value where it is a whole number.
  var whole: Int64? { decimals == 0 ? digits : nil }

  /// The whole number just at or below the value times a factor; nil beyond 64 bits.
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
