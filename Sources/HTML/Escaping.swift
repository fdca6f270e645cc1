// SPDX-License-Identifier: Apache-2.0

/// One bit for each of `"`, `&`, `'`, `<` and `>`, all of which are below 64.
private let specialBytes: UInt64 =
  (1 << 0x22) | (1 << 0x26) | (1 << 0x27) | (1 << 0x3C) | (1 << 0x3E)

extension [UInt8] {
  /// Appends the UTF-8 of a string unchanged.
  mutating func appendAll(_ text: String) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { append(contentsOf: $0) }
    if done == nil { append(contentsOf: text.utf8) }
  }

  /// Appends text escaped for element content and quoted attributes.
  mutating func appendEscaped(_ text: some StringProtocol) {
    let done: Void? = text.utf8.withContiguousStorageIfAvailable { appendEscaped(utf8: $0) }
    if done == nil {
      // A bridged string is copied once to make it contiguous.
      Array(text.utf8).withUnsafeBufferPointer { appendEscaped(utf8: $0) }
    }
  }

  private mutating func appendEscaped(utf8 source: UnsafeBufferPointer<UInt8>) {
    var runStart = 0
    var index = 0
    let end = source.count
    while index < end {
      let byte = source[index]
      if byte < 64, (specialBytes &>> UInt64(byte)) & 1 == 1 {
        append(contentsOf: UnsafeBufferPointer(rebasing: source[runStart..<index]))
        appendReference(for: byte)
        runStart = index + 1
      }
      index += 1
    }
    append(contentsOf: UnsafeBufferPointer(rebasing: source[runStart..<end]))
  }

  private mutating func appendReference(for byte: UInt8) {
    let reference: StaticString =
      switch byte {
      case UInt8(ascii: "&"): "&amp;"
      case UInt8(ascii: "<"): "&lt;"
      case UInt8(ascii: ">"): "&gt;"
      case UInt8(ascii: "\""): "&quot;"
      default: "&#39;"
      }
    reference.withUTF8Buffer { append(contentsOf: $0) }
  }

  /// Appends a whole number in ASCII digits.
  mutating func appendDecimal(_ number: Int64) {
    if number >= 0, number < 10 {
      append(UInt8(ascii: "0") + UInt8(number))
    } else {
      appendAll(String(number))
    }
  }
}
