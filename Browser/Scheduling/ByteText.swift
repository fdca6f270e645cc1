// SPDX-License-Identifier: Apache-2.0

/// Text stored as bytes, which replaces the standard library's String in this module.
///
/// A Timing is ASCII and is only compared byte by byte. The standard String would add Unicode's rules and double
/// the module's size. The bytes belong to a literal, to the question or to memory that the instance keeps until
/// it is discarded, so they are never freed and a copy costs nothing.
public struct String: Hashable, @unchecked Sendable, ExpressibleByStringLiteral {
  // Unchecked, because the bytes never change after a text has been created from them.
  let utf8: UnsafeBufferPointer<UInt8>

  init(_ bytes: UnsafeBufferPointer<UInt8>) { utf8 = bytes }

  /// Creates a text from a literal, whose bytes are part of the module.
  public init(stringLiteral text: StaticString) {
    utf8 = UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount)
  }

  @inline(never)
  init(_ bytes: [UInt8]) {
    let copy = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: bytes.count)
    for index in bytes.indices { copy[index] = bytes[index] }
    utf8 = UnsafeBufferPointer(copy)
  }

  init(decoding bytes: some Collection<UInt8>, as encoding: UTF8.Type) {
    self.init(Array(bytes))
  }

  @inline(never)
  init(_ number: Int64) {
    var digits: [UInt8] = []
    var rest = number.magnitude
    repeat {
      digits.append(0x30 + UInt8(truncatingIfNeeded: rest % 10))
      rest /= 10
    } while rest > 0
    if number < 0 { digits.append(UInt8(ascii: "-")) }
    var written: [UInt8] = []
    for digit in digits.reversed() { written.append(digit) }
    self.init(written)
  }

  init(_ number: Int) { self.init(Int64(number)) }

  subscript(range: PartialRangeFrom<Int>) -> [UInt8] { Array(utf8[range]) }

  @inline(never)
  static func + (left: String, right: String) -> String {
    var bytes: [UInt8] = []
    for byte in left.utf8 { bytes.append(byte) }
    for byte in right.utf8 { bytes.append(byte) }
    return String(bytes)
  }

  static func += (left: inout String, right: String) { left = left + right }

  /// Compares byte by byte.
  @inline(never)
  public static func == (left: String, right: String) -> Bool {
    left.utf8.elementsEqual(right.utf8)
  }

  /// Hashes byte by byte.
  @inline(never)
  public func hash(into hasher: inout Hasher) {
    for byte in utf8 { hasher.combine(byte) }
  }
}

/// The type of string literals without a stated type.
public typealias StringLiteralType = String

extension UnsafeBufferPointer<UInt8> {
  @inline(never)
  func elementsEqual(_ other: UnsafeBufferPointer<UInt8>) -> Bool {
    guard count == other.count else { return false }
    for index in indices where self[index] != other[index] { return false }
    return true
  }
}

extension Int64 {
  /// Creates a number from digits with an optional minus sign; nil for any other text.
  init?(_ text: String) {
    let isNegative = text.utf8.first == UInt8(ascii: "-")
    guard let value = digitsValue(text.utf8.dropFirst(isNegative ? 1 : 0)) else { return nil }
    self = isNegative ? -value : value
  }
}
