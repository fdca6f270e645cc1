// SPDX-License-Identifier: Apache-2.0

/// One number for each state of the last days' doses.
typealias ByGap = SIMD8<Double>

/// Exponentials and logarithms without a C library, so that every machine gives the same result.
enum Exponential {
  private static let logarithmOf2 = 0.693_147_180_559_945_3
  private static let rounding = 6_755_399_441_055_744.0

  /// Returns e to the power of each number up to 700; far below zero it is 0.
  @inline(__always)
  static func of(_ exponents: ByGap) -> ByGap {
    let bounded = pointwiseMax(
      pointwiseMin(exponents, ByGap(repeating: 700)), ByGap(repeating: -700))
    // Adding and subtracting such a large number rounds, and leaves the integer in the lowest bits.
    let shifted = bounded * (1 / logarithmOf2) + rounding
    let whole = shifted - rounding
    let rest = bounded - whole * logarithmOf2
    var sum = ByGap(repeating: 1.0 / 40320)
    sum = sum * rest + 1.0 / 5040
    sum = sum * rest + 1.0 / 720
    sum = sum * rest + 1.0 / 120
    sum = sum * rest + 1.0 / 24
    sum = sum * rest + 1.0 / 6
    sum = sum * rest + 0.5
    sum = sum * rest + 1
    sum = sum * rest + 1
    let bits = (unsafeBitCast(shifted, to: SIMD8<Int64>.self) &+ 1023) &<< 52
    return sum * unsafeBitCast(bits, to: ByGap.self)
  }

  /// Returns e to the power of a number.
  static func of(_ exponent: Double) -> Double { of(ByGap(repeating: exponent))[0] }

  /// Returns the natural logarithm of a positive number.
  static func logarithm(_ number: Double) -> Double {
    guard number.isNormal, number > 0 else { return 0 }
    // An atanh series of the significand around 1.
    let bits = number.bitPattern
    var significand = Double(bitPattern: bits & 0xF_FFFF_FFFF_FFFF | 0x3FF0_0000_0000_0000)
    var exponent = Double(Int(bits >> 52) - 1023)
    if significand > 1.414_213_562 {
      significand /= 2
      exponent += 1
    }
    let ratio = (significand - 1) / (significand + 1)
    let square = ratio * ratio
    var sum = 1.0 / 15
    sum = sum * square + 1.0 / 13
    sum = sum * square + 1.0 / 11
    sum = sum * square + 1.0 / 9
    sum = sum * square + 1.0 / 7
    sum = sum * square + 1.0 / 5
    sum = sum * square + 1.0 / 3
    sum = sum * square + 1
    return 2 * ratio * sum + exponent * logarithmOf2
  }
}
