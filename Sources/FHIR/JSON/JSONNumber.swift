// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON number as its text, so that `72.10` and `1.2E+2` come back byte for byte.
public struct JSONNumber: Sendable, Hashable {
  /// The number as written, valid in JSON's grammar.
  public let text: String

  /// Creates a number from text; nil unless the text follows the JSON number grammar.
  public init?(text: String) {
    var copy = text
    let isNumber = copy.withUTF8 { bytes in
      JSONNumberGrammar.length(in: bytes, from: 0) == bytes.count && !bytes.isEmpty
    }
    guard isNumber else { return nil }
    self.text = text
  }

  /// Creates a whole number.
  public init(_ value: Int) { text = String(value) }

  /// Creates a whole number.
  public init(_ value: Int64) { text = String(value) }

  /// Creates a number from text that the reader has already checked.
  init(checkedText: String) { text = checkedText }

  /// The value if it is written without fraction or exponent and fits `Int`.
  public var integer: Int? { Int(text) }

  /// The value with at most 38 significant digits and an exponent that `Decimal` supports; otherwise nil.
  public var decimal: Decimal? {
    // Decimal silently reads values beyond its range; these bounds keep the result exact.
    guard text.utf8.count <= 64 else { return nil }
    let parts = text.utf8.split(
      maxSplits: 1, omittingEmptySubsequences: false,
      whereSeparator: { $0 == UInt8(ascii: "e") || $0 == UInt8(ascii: "E") })
    let exponent = parts.count == 2 ? Int(Substring(parts[1])) : 0
    guard let exponent, exponent >= -60, exponent <= 60, let mantissa = parts.first else {
      return nil
    }
    let significant = mantissa.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      .drop { $0 == UInt8(ascii: "0") }
    guard significant.count <= 38, let value = Decimal(string: text), value.isFinite else {
      return nil
    }
    return value
  }

  /// True if the number is below zero; `-0` is not.
  var isNegative: Bool { text.utf8.first == UInt8(ascii: "-") && !isZero }

  /// True if every digit before an exponent is 0.
  var isZero: Bool {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "1")...UInt8(ascii: "9"): return false
      case UInt8(ascii: "e"), UInt8(ascii: "E"): return true
      default: continue
      }
    }
    return true
  }
}

/// The number grammar of RFC 8259: an optional minus, digits without leading zeros, fraction, exponent.
enum JSONNumberGrammar {
  /// Returns the length in bytes of the number that begins at `start`; nil if none does.
  @inline(__always)
  static func length(in bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
    var position = start
    let end = bytes.count
    func isDigit() -> Bool { position < end && bytes[position] &- 0x30 < 10 }
    if position < end, bytes[position] == UInt8(ascii: "-") { position += 1 }
    guard isDigit() else { return nil }
    if bytes[position] == UInt8(ascii: "0") {
      position += 1
    } else {
      while isDigit() { position += 1 }
    }
    if position < end, bytes[position] == UInt8(ascii: ".") {
      position += 1
      guard isDigit() else { return nil }
      while isDigit() { position += 1 }
    }
    if position < end, bytes[position] | 0x20 == UInt8(ascii: "e") {
      position += 1
      if position < end,
        bytes[position] == UInt8(ascii: "+") || bytes[position] == UInt8(ascii: "-")
      {
        position += 1
      }
      guard isDigit() else { return nil }
      while isDigit() { position += 1 }
    }
    return position - start
  }
}
