// SPDX-License-Identifier: Apache-2.0

// Dates before 1970 have negative day and second numbers, which Swift's division rounds towards zero.
// The divisor is a positive constant or has been checked by the caller.

/// Returns the quotient rounded towards negative infinity.
@inline(__always)
func flooredQuotient<Number: FixedWidthInteger>(_ value: Number, _ divisor: Number) -> Number {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? quotient - 1 : quotient
}

/// Returns the remainder that matches `flooredQuotient`: from 0 up to, but not including, the divisor.
@inline(__always)
func flooredRemainder<Number: FixedWidthInteger>(_ value: Number, _ divisor: Number) -> Number {
  let remainder = value % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
