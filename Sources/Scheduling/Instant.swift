// SPDX-License-Identifier: Apache-2.0

/// A point in time, in milliseconds since 1970-01-01T00:00:00Z, without leap seconds.
public struct Instant: Hashable, Comparable, Sendable {
  /// Milliseconds since 1970-01-01T00:00:00Z.
  public var milliseconds: Int64

  /// Creates the instant the given number of milliseconds after 1970-01-01T00:00:00Z.
  public init(milliseconds: Int64) {
    self.milliseconds = milliseconds
  }

  /// The first instant that schedules and zones support: 0001-01-01T00:00:00Z.
  public static let earliest = Instant(milliseconds: -62_135_596_800_000)

  /// The last instant that schedules and zones support: 9999-12-31T23:59:59.999Z.
  public static let latest = Instant(milliseconds: 253_402_300_799_999)

  /// Returns the instant the given number of milliseconds later (earlier if negative), clamped to `Int64`.
  public func adding(milliseconds delta: Int64) -> Instant {
    let (sum, overflow) = milliseconds.addingReportingOverflow(delta)
    if overflow { return Instant(milliseconds: delta < 0 ? .min : .max) }
    return Instant(milliseconds: sum)
  }

  /// Returns the elapsed milliseconds from another instant to this one, clamped to `Int64`.
  public func milliseconds(since other: Instant) -> Int64 {
    let (difference, overflow) = milliseconds.subtractingReportingOverflow(other.milliseconds)
    if overflow { return milliseconds < other.milliseconds ? .min : .max }
    return difference
  }

  /// Orders instants chronologically.
  public static func < (left: Instant, right: Instant) -> Bool {
    left.milliseconds < right.milliseconds
  }
}

extension Instant {
  /// Whole seconds since 1970, rounded down and clamped to the years 1 to 9999.
  var supportedSeconds: Int64 {
    let held = min(max(self, .earliest), .latest)
    return flooredQuotient(held.milliseconds, 1000)
  }

  /// The milliseconds since the last whole second: 0 to 999.
  var millisecondOfSecond: Int64 { flooredRemainder(milliseconds, 1000) }
}
