// SPDX-License-Identifier: Apache-2.0
import Foundation

/// An exact decimal number of at most 15 digits, fast to read, compare and write.
public struct PlainNumber: Sendable, Hashable {
  /// The number without its decimal point.
  public let digits: Int
  /// The number of digits after the decimal point, the last of which is never zero.
  public let scale: Int

  /// Creates a whole number.
  public init(_ value: Int) {
    digits = value
    scale = 0
  }

  private init(digits: Int, scale: Int) {
    self.digits = digits
    self.scale = scale
  }

  /// Reads a number in JSON's grammar; nil if it is not valid or has too many digits.
  public init?(text: String) {
    var digits = 0
    var scale = 0
    var exponent = 0
    var count = 0
    var isNegative = false
    var isExponentNegative = false
    var place = Place.whole
    var hasDigit = false
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"):
        let digit = Int(byte - UInt8(ascii: "0"))
        if place == .exponent {
          exponent = exponent * 10 + digit
          if exponent > 99 { return nil }
        } else {
          if digits > 0 || digit > 0 { count += 1 }
          if count > 15 { return nil }
          digits = digits * 10 + digit
          if place == .fraction { scale += 1 }
          hasDigit = true
        }
      case UInt8(ascii: "-"):
        if place == .exponent { isExponentNegative = true } else { isNegative = true }
      case UInt8(ascii: "+"): if place != .exponent { return nil }
      case UInt8(ascii: "."): place = .fraction
      case UInt8(ascii: "e"), UInt8(ascii: "E"): place = .exponent
      default: return nil
      }
    }
    guard hasDigit else { return nil }
    scale -= isExponentNegative ? -exponent : exponent
    while scale > 0, digits % 10 == 0, digits > 0 {
      digits /= 10
      scale -= 1
    }
    if digits == 0 { scale = 0 }
    while scale < 0 {
      guard digits < 100_000_000_000_000 else { return nil }
      digits *= 10
      scale += 1
    }
    guard scale <= 15 else { return nil }
    self.init(digits: isNegative ? -digits : digits, scale: scale)
  }

  /// Converts a decimal; nil if it has too many digits.
  public init?(_ value: Decimal) {
    self.init(text: value.description)
  }

  private enum Place {
    case whole, fraction, exponent
  }

  /// True if it is above zero.
  public var isPositive: Bool { digits > 0 }

  /// The whole number; nil if there are digits after the point.
  public var integer: Int? { scale == 0 ? digits : nil }

  /// Returns true if it is less than another one.
  public func isLess(than other: PlainNumber) -> Bool {
    if scale == other.scale { return digits < other.digits }
    return double < other.double
  }

  /// An approximation, accurate enough to compare numbers of few digits.
  private var double: Double {
    var result = Double(digits)
    for _ in 0..<scale { result /= 10 }
    return result
  }

  /// Returns the number multiplied by a whole one; nil beyond 15 digits.
  public func times(_ factor: Int) -> PlainNumber? {
    let (product, overflows) = digits.multipliedReportingOverflow(by: factor)
    guard !overflows, product.magnitude < 1_000_000_000_000_000 else { return nil }
    var digits = product
    var scale = scale
    while scale > 0, digits % 10 == 0 {
      digits /= 10
      scale -= 1
    }
    return PlainNumber(digits: digits, scale: scale)
  }
}
