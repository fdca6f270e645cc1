// SPDX-License-Identifier: Apache-2.0

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// Makes the instant that many milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The first instant that schedules and zones work with: 0001-01-01T00:00:00Z.
  public static let earliest = Instant(milliseconds: -62_135_596_800_000)

  /// The last instant that schedules and zones work with: 9999-12-31T23:59:59.999Z.
  public static let latest = Instant(milliseconds: 253_402_300_799_999)

  /// The instant that many milliseconds later (earlier when negative), held at the ends of `Int64`.
  public func adding(milliseconds delta: Int64) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
    if overflow { return Instant(milliseconds: delta < 0 ? .min : .max) }
    return Instant(milliseconds: sum)
  }

  /// The elapsed milliseconds from another instant to this one, held at the ends of `Int64`.
  public func milliseconds(since other: Instant) -> Int64 {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    if overflow { return milliseconds < other.milliseconds ? .min : .max }
    return difference
  }

  /// Orders instants in time.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Instant {
  /// Whole seconds since 1970, rounded towards the past and held within years 1 to 9999.
  var supportedSeconds: Int64 {
    let held = min(max(self, .earliest), .latest)
    return flooredQuotient(held.milliseconds, 1000)
  }

  /// The part of a second since the last whole one: 0 to 999 ms.
  var millisecondOfSecond: Int64 { flooredRemainder(milliseconds, 1000) }
}
