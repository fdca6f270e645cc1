// SPDX-License-Identifier: Apache-2.0

/// The length of a schedule, from FHIR's `boundsDuration` (rule 4).
public enum BoundsDuration: Hashable, Sendable {
  /// Calendar days (d), in local wall time.
  case days(Int)
  /// Calendar weeks (wk), in local wall time.
  case weeks(Int)
  /// Calendar months (mo): the same day of the month, or the last day of a shorter one.
  case months(Int)
  /// Calendar years (a): the same date; 29 February becomes 28 February in a common year.
  case years(Int)
  /// Elapsed time (h, min, s), in milliseconds.
  case elapsed(milliseconds: Int64)

  /// Returns the end of a schedule that begins at the anchor.
  ///
  /// Calendar units end at the same time of day on a later date, or at the start of that date if the zone skipped it.
  public func end(from anchor: Instant, in zone: Zone) -> ScheduleEnd {
    if case .elapsed(let milliseconds) = self {
      return .before(anchor.adding(milliseconds: milliseconds))
    }
    let local = zone.local(at: anchor)
    let target = date(after: local.date)
    guard let moved = zone.instant(of: target, at: local.time) else {
      return .before(zone.startOfDay(target))
    }
    // The first instant after a gap is a whole second, so no milliseconds are kept.
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
