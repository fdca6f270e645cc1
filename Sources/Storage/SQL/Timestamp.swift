// SPDX-License-Identifier: Apache-2.0

/// An instant in milliseconds since 1970-01-01T00:00:00Z.
@usableFromInline
package struct Timestamp: Hashable, Comparable, Sendable {
  /// The milliseconds since 1970-01-01T00:00:00Z, negative before.
  package var milliseconds: Int64

  /// Creates an instant.
  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// Orders instants by time.
  @usableFromInline package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// Returns the instant some milliseconds later, or earlier for a negative number, clamped to the range.
  package func adding(milliseconds other: Int64) -> Timestamp {
    let (sum, overflow) = milliseconds.addingReportingOverflow(other)
    return Timestamp(milliseconds: overflow ? (other < 0 ? .min : .max) : sum)
  }
}
