// SPDX-License-Identifier: Apache-2.0

extension JSONReader {
  /// The end of a string, and true if its bytes need no unescaping.
  struct StringScan {
    var end: Int
    var isPlainASCII: Bool
  }

  /// Reads the string whose opening quote is at the position.
  mutating func readString() throws(JSONSyntaxError) -> String {
    let start = position + 1
    let plain = scanString(from: start)
    if plain.isPlainASCII {
      position = plain.end + 1
      return String(decoding: bytes[start..<plain.end], as: UTF8.self)
    }
    var end = plain.end
    while end < bytes.count {
      switch bytes[end] {
      case UInt8(ascii: "\""):
        position = end + 1
        return try text(start..<end)
      case UInt8(ascii: "\\"): return try readEscapedString(from: start, firstEscape: end)
      case 0..<0x20: throw error(.controlCharacter, at: end)
      default: end += 1
      }
    }
    throw error(.unexpectedEnd, at: bytes.count)
  }

  /// Finds the first byte that is not plain, eight bytes at a time.
  @inline(__always)
  func scanString(from start: Int) -> StringScan {
    var index = start
    let end = bytes.count
    while index + 8 <= end, let base = bytes.baseAddress {
      let word = UnsafeRawPointer(base + index).loadUnaligned(as: UInt64.self)
      let ones: UInt64 = 0x0101_0101_0101_0101
      let high: UInt64 = 0x8080_8080_8080_8080
      let quote = word ^ (ones &* 0x22)
      let backslash = word ^ (ones &* 0x5C)
      // A byte below n leaves its high bit set in (byte - n) & ~byte; borrows only add candidates.
      let special =
        ((word &- ones &* 0x20) & ~word) | ((quote &- ones) & ~quote)
        | ((backslash &- ones) & ~backslash) | word
      if special & high != 0 { break }
      index += 8
    }
    while index < end {
      let byte = bytes[index]
      if byte == UInt8(ascii: "\"") { return StringScan(end: index, isPlainASCII: true) }
      if byte == UInt8(ascii: "\\") || byte < 0x20 || byte >= 0x80 { break }
      index += 1
    }
    return StringScan(end: index, isPlainASCII: false)
  }

  private mutating func readEscapedString(
    from start: Int, firstEscape: Int
  ) throws(JSONSyntaxError) -> String {
    var content = Array(bytes[start..<firstEscape])
    position = firstEscape
    var copied = position
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\""):
        content.append(contentsOf: bytes[copied..<position])
        position += 1
        guard let text = String(validating: content, as: UTF8.self) else {
          throw error(.invalidUTF8, at: start + UTF8Check.validPrefix(bytes, from: start))
        }
        return text
      case UInt8(ascii: "\\"):
        content.append(contentsOf: bytes[copied..<position])
        try readEscape(into: &content)
        copied = position
      case 0..<0x20: throw error(.controlCharacter, at: position)
      default: position += 1
      }
    }
    throw error(.unexpectedEnd, at: bytes.count)
  }

  private mutating func readEscape(into content: inout [UInt8]) throws(JSONSyntaxError) {
    let start = position
    guard start + 1 < bytes.count else { throw error(.unexpectedEnd, at: bytes.count) }
    position += 2
    switch bytes[start + 1] {
    case UInt8(ascii: "\""): content.append(UInt8(ascii: "\""))
    case UInt8(ascii: "\\"): content.append(UInt8(ascii: "\\"))
    case UInt8(ascii: "/"): content.append(UInt8(ascii: "/"))
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "u"):
      content.append(contentsOf: UTF8.encode(try readUnicodeEscape(from: start)) ?? .init())
    default: throw error(.invalidEscape, at: start)
    }
  }

  /// Reads one `\u` escape, or two that form a surrogate pair; the position is after the `u`.
  private mutating func readUnicodeEscape(from start: Int) throws(JSONSyntaxError) -> Unicode.Scalar
  {
    var code = UInt32(try readHexadecimal(escapeAt: start))
    if code >= 0xD800, code < 0xDC00 {
      guard position + 1 < bytes.count, bytes[position] == UInt8(ascii: "\\"),
        bytes[position + 1] == UInt8(ascii: "u")
      else { throw error(.loneSurrogate, at: start) }
      position += 2
      let low = UInt32(try readHexadecimal(escapeAt: position - 2))
      guard low >= 0xDC00, low < 0xE000 else { throw error(.loneSurrogate, at: start) }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw error(.loneSurrogate, at: start) }
    return scalar
  }

  private mutating func readHexadecimal(escapeAt start: Int) throws(JSONSyntaxError) -> UInt16 {
    var value: UInt16 = 0
    for _ in 0..<4 {
      guard position < bytes.count else { throw error(.unexpectedEnd, at: bytes.count) }
      let digit: UInt8
      switch bytes[position] {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = bytes[position] - UInt8(ascii: "0")
      case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = bytes[position] - UInt8(ascii: "a") + 10
      case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = bytes[position] - UInt8(ascii: "A") + 10
      default: throw error(.invalidEscape, at: start)
      }
      value = value << 4 | UInt16(digit)
      position += 1
    }
    return value
  }

  private func text(_ range: Range<Int>) throws(JSONSyntaxError) -> String {
    guard let text = String(validating: bytes[range], as: UTF8.self) else {
      throw error(
        .invalidUTF8, at: range.lowerBound + UTF8Check.validPrefix(bytes, from: range.lowerBound))
    }
    return text
  }
}

/// Finds the position of invalid UTF-8, for error messages only.
enum UTF8Check {
  /// Returns the number of bytes from `start` that are complete UTF-8 sequences.
  static func validPrefix(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
    var decoder = UTF8()
    var iterator = bytes[start...].makeIterator()
    var length = 0
    while case .scalarValue(let scalar) = decoder.decode(&iterator) {
      length += UTF8.width(scalar)
    }
    return length
  }
}
