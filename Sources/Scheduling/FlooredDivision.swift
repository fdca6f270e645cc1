// SPDX-License-Identifier: Apache-2.0

// Dates before 1970 have negative day and second numbers, where Swift's division rounds the wrong way.
// The divisor is a positive constant or has been checked to be positive by the caller.

/// The quotient rounded towards negative infinity.
@inline(__always)
func flooredQuotient<Number: FixedWidthInteger>(_ value: Number, _ divisor: Number) -> Number {
  let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
  return remainder < 0 ? quotient - 1 : quotient
}

/// The remainder that goes with `flooredQuotient`: 0 up to, not including, the divisor.
@inline(__always)
func flooredRemainder<Number: FixedWidthInteger>(_ value: Number, _ divisor: Number) -> Number {
  let remainder = value % divisor
  return remainder < 0 ? remainder + divisor : remainder
}
