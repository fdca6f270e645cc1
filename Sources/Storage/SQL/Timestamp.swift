// SPDX-License-Identifier: Apache-2.0

/// An instant in milliseconds since 1970-01-01T00:00:00Z.
@usableFromInline
package struct Timestamp: Hashable, Comparable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  @usableFromInline package static func < (left: Timestamp, right: Timestamp) -> Bool {
    left.milliseconds < right.milliseconds
  }

  /// The instant some milliseconds later, or earlier when negative; stops at the representable ends.
  package func adding(milliseconds other: Int64) -> Timestamp {
    let (sum, overflow) = milliseconds.addingReportingOverflow(other)
    return Timestamp(milliseconds: overflow ? (other < 0 ? .min : .max) : sum)
  }
}
