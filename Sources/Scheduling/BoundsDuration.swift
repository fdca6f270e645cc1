// SPDX-License-Identifier: Apache-2.0

/// The length of a schedule, by FHIR's `boundsDuration` (rule 4).
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
  ///
  /// Calendar units end at the same time of day on another date; at the start of that date where it was skipped.
  public func end(from anchor: Instant, in zone: Zone) -> ScheduleEnd {
    if case .elapsed(let milliseconds) = self {
      return .before(anchor.adding(milliseconds: milliseconds))
    }
    let local = zone.local(at: anchor)
    let target = date(after: local.date)
    guard let moved = zone.instant(of: target, at: local.time) else {
      return .before(zone.startOfDay(target))
    }
    // After a gap there is no part of a second to keep: the first instant is meant.
    if moved.shift == .gap { return .before(moved.instant) }
    return .before(moved.instant.adding(milliseconds: anchor.millisecondOfSecond))
  }

  private func date(after date: CivilDate) -> CivilDate {
    switch self {
    case .days(let count): date.adding(days: count)
    case .weeks(let count): date.adding(days: Self.product(count, 7))
    case .months(let count): date.adding(months: count)
    case .years(let count): date.adding(months: Self.product(count, 12))
    case .elapsed: date
    }
  }

  private static func product(_ count: Int, _ factor: Int) -> Int {
    let (product, overflow) = count.multipliedReportingOverflow(by: factor)
    if overflow { return count < 0 ? .min : .max }
    return product
  }
}
