// SPDX-License-Identifier: Apache-2.0

/// The range that the digits of a decimal number cover: `5.40` from 5.395 to 5.405, `1e2` from 50 to 150.
struct DecimalRange {
  let lower: Double
  let upper: Double
  let value: Double

  /// Reads a number in JSON's grammar; nil for other text, and for numbers beyond the range of `Double`.
  init?(_ text: String) {
    guard text.utf8.count <= 400, JSONNumber(text: text) != nil, let value = Double(text),
      value.isFinite
    else { return nil }
    self.value = value
    if let (lower, upper) = Self.ends(of: text), lower.isFinite, upper.isFinite {
      self.lower = lower
      self.upper = upper
    } else {
      lower = value.nextDown
      upper = value.nextUp
    }
    guard lower.isFinite, upper.isFinite else { return nil }
  }

  /// The ends, moved by the smallest steps so that the middle between them is exactly the number.
  var centered: (lower: Double, upper: Double) {
    for low in [lower, lower.nextDown, lower.nextUp] {
      for high in [upper, upper.nextDown, upper.nextUp] where (low + high) / 2 == value {
        return (low, high)
      }
    }
    return (value, value)
  }

  /// Returns half a unit of the last digit below and above the number; nil if there are too many digits.
  ///
  /// The ends are read from decimal text, so that 5.35 is the same number as the lower end of 5.4.
  private static func ends(of text: String) -> (Double, Double)? {
    var mantissa: Int64 = 0
    var digits = 0
    var scale = 0
    var exponent = 0
    var isFraction = false
    var bytes = Substring(text).utf8
    let isNegative = bytes.first == UInt8(ascii: "-")
    if isNegative { bytes = bytes.dropFirst() }
    scan: while let byte = bytes.popFirst() {
      switch byte {
      case UInt8(ascii: "."): isFraction = true
      case UInt8(ascii: "e"), UInt8(ascii: "E"):
        guard let written = Int(Substring(bytes)), (-999...999).contains(written) else {
          return nil
        }
        exponent = written
        break scan
      default:
        mantissa = mantissa * 10 + Int64(byte &- 0x30)
        if mantissa > 0 { digits += 1 }
        guard digits <= 17 else { return nil }
        if isFraction { scale += 1 }
      }
    }
    let signed = (isNegative ? -mantissa : mantissa) * 10
    let power = exponent - scale - 1
    guard let lower = Double("\(signed - 5)e\(power)"), let upper = Double("\(signed + 5)e\(power)")
    else { return nil }
    return (lower, upper)
  }
}
