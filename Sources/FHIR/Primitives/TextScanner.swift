// SPDX-License-Identifier: Apache-2.0

/// Reads fixed-width fields from ASCII text, as in dates and times.
struct TextScanner {
  private let bytes: [UInt8]
  private(set) var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  var isAtEnd: Bool { position == bytes.count }
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  /// Skips a character if it is the next one; returns false otherwise.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    guard let next, UInt32(next) == character.value else { return false }
    position += 1
    return true
  }

  /// Reads a fixed number of digits with a value in a range; on failure it skips nothing.
  mutating func number(digits: Int, within range: ClosedRange<Int>) -> Int? {
    guard position + digits <= bytes.count else { return nil }
    var value = 0
    for byte in bytes[position..<position + digits] {
      guard byte &- 0x30 < 10 else { return nil }
      value = value * 10 + Int(byte - 0x30)
    }
    guard range.contains(value) else { return nil }
    position += digits
    return value
  }

  /// Reads one or more digits after a decimal point as milliseconds; finer digits are dropped.
  mutating func fraction() -> Int? {
    var milliseconds = 0
    var scale = 100
    let start = position
    while let next, next &- 0x30 < 10 {
      milliseconds += Int(next - 0x30) * scale
      scale /= 10
      position += 1
    }
    return position > start ? milliseconds : nil
  }
}
