// SPDX-License-Identifier: Apache-2.0

import Foundation

/// A JSON number as its text, so that `72.10` and `1.2E+2` come back byte for byte.
public struct JSONNumber: Sendable, Hashable {
  /// The number as written, always of the JSON grammar.
  public let text: String

  /// Takes text that follows the JSON number grammar, else `nil`.
  public init?(text: String) {
    var copy = text
    let isNumber = copy.withUTF8 { bytes in
      JSONNumberGrammar.length(in: bytes, from: 0) == bytes.count && !bytes.isEmpty
    }
    guard isNumber else { return nil }
    self.text = text
  }

  /// Makes a whole number.
  public init(_ value: Int) { text = String(value) }

  /// Makes a whole number.
  public init(_ value: Int64) { text = String(value) }

  /// Takes text that the reader has already checked.
  init(checkedText: String) { text = checkedText }

  /// The value when written without fraction or exponent and small enough for `Int`.
  public var integer: Int? { Int(text) }

  /// The value with at most 38 significant digits and an exponent that `Decimal` can hold, else `nil`.
  public var decimal: Decimal? {
    // Decimal reads beyond its own range without saying so; the bounds here keep its answer exact.
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
  /// Counts the bytes of the number that begins at `start`, or returns `nil` when none does.
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
