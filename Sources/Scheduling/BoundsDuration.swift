// SPDX-License-Identifier: Apache-2.0

/// How long a schedule lasts, by FHIR's `boundsDuration` (rule 4).
public enum BoundsDuration: Hashable, Sendable {
  /// Calendar days (d), in local wall time.
  case days(Int)
  /// Calendar weeks (wk), in local wall time.
  case weeks(Int)
  /// Calendar months (mo): the same day of the month, or its last one.
  case months(Int)
  /// Calendar years (a): the same date, or 28 February.
  case years(Int)
  /// Elapsed time (h, min, s), in milliseconds.
  case elapsed(milliseconds: Int64)

  /// The end of a schedule that begins at the anchor, which the schedule no longer reaches.
  public func end(from anchor: Instant, in zone: Zone) -> ScheduleEnd {
    switch self {
    case .days(let count): .before(Self.wallTime(of: anchor, in: zone) { $0.adding(days: count) })
    case .weeks(let count):
      .before(
        Self.wallTime(of: anchor, in: zone) { $0.adding(days: Self.product(count, 7)) })
    case .months(let count):
      .before(Self.wallTime(of: anchor, in: zone) { $0.adding(months: count) })
    case .years(let count):
      .before(
        Self.wallTime(of: anchor, in: zone) { $0.adding(months: Self.product(count, 12)) })
    case .elapsed(let milliseconds): .before(anchor.adding(milliseconds: milliseconds))
    }
  }

  /// The same time of day on another date; the start of the next date where that one was skipped.
  private static func wallTime(
    of anchor: Instant, in zone: Zone, on date: (CivilDate) -> CivilDate
  ) -> Instant {
    let local = zone.local(at: anchor)
    let target = date(local.date)
    guard let moved = zone.instant(of: target, at: local.time) else {
      return zone.startOfDay(target)
    }
    // After a gap there is no part of a second to keep: the first instant is meant.
    if moved.shift == .gap { return moved.instant }
    return moved.instant.adding(milliseconds: anchor.millisecondOfSecond)
  }

  private static func product(_ count: Int, _ factor: Int) -> Int {
    let (product, overflow) = count.multipliedReportingOverflow(by: factor)
    if overflow { return count < 0 ? .min : .max }
    return product
  }
}
