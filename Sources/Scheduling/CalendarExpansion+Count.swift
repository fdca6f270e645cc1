// SPDX-License-Identifier: Apache-2.0

extension CalendarExpansion {
  /// Returns the millisecond just after the count-th dose of a range; nil if the range has fewer.
  ///
  /// Between clock changes, doses are counted arithmetically. Only the few days around a change are expanded, since two
  /// doses can coincide there or a date can be missing.
  func end(ofCount count: Int, in range: Range<Int64>) -> Int64? {
    guard !range.isEmpty else { return nil }
    guard isCountable, case .days(let days) = cycle else { return counted(count, in: range) }
    let (firstDay, lastDay) = (localDay(range.lowerBound), localDay(range.upperBound))
    // Clock changes only ever remove doses, so the pattern's count is an upper bound.
    if count > doses(days, from: firstDay - 2, until: lastDay + 3) { return nil }
    var remaining = count
    var day = firstDay + margin
    var cursor = startOfDay(day)
    if let end = take(&remaining, from: range.lowerBound, until: min(cursor, range.upperBound)) {
      return end
    }
    while cursor < range.upperBound {
      let change = zone.span(at: cursor / 1000).end
      let changeDay =
        change >= Instant.latest.milliseconds / 1000
        ? CivilDate.latestDay + margin : localDay(change * 1000)
      let plainEnd = min(changeDay - margin, lastDay)
      if plainEnd > day {
        let held = doses(days, from: day, until: plainEnd)
        if held >= remaining {
          let last = dayHolding(remaining, days, from: day, until: plainEnd)
          let before = doses(days, from: day, until: last)
          remaining -= before
          return take(&remaining, from: startOfDay(last), until: startOfDay(last + 1))
        }
        remaining -= held
        day = plainEnd
        cursor = startOfDay(day)
      }
      // Continue after the change or after the end of the range.
      day = max(day + 1, min(changeDay, plainEnd + margin) + margin)
      let next = startOfDay(day)
      if next <= cursor { return nil }
      if let end = take(&remaining, from: cursor, until: min(next, range.upperBound)) {
        return end
      }
      cursor = next
    }
    return nil
  }

  /// The number of days around a clock change that are expanded dose by dose.
  private var margin: Int { 3 }

  /// True if doses of different dates never coincide and stay close to their date.
  private var isCountable: Bool {
    guard excludedDays.isEmpty else { return false }
    for (time, next) in zip(wallTimes, wallTimes.dropFirst())
    where time.secondsOfDay == next.secondsOfDay { return false }
    return wallTimes.allSatisfy { abs($0.dayShift) <= 1 }
  }

  /// Returns the number of doses on the wall dates from `day` up to, but not including, `end`, with no clock change
  /// near.
  private func doses(_ cycle: DayCycle, from day: Int, until end: Int) -> Int {
    wallTimes.reduce(0) { sum, time in
      sum + cycle.count(before: end - time.dayShift) - cycle.count(before: day - time.dayShift)
    }
  }

  /// Returns the wall date of the dose with the given number, counted from `day`.
  private func dayHolding(
    _ number: Int, _ days: DayCycle, from day: Int, until end: Int
  ) -> Int {
    var low = day
    var high = end - 1
    while low < high {
      let middle = low + (high - low) / 2
      if doses(days, from: day, until: middle + 1) >= number {
        high = middle
      } else {
        low = middle + 1
      }
    }
    return low
  }

  /// Subtracts the doses of a range from `remaining`; returns the millisecond after the last one when none remain.
  private func take(_ remaining: inout Int, from: Int64, until: Int64) -> Int64? {
    guard from < until else { return nil }
    let found = occurrences(in: from..<until, limit: remaining)
    remaining -= found.count
    guard remaining == 0, let last = found.last else { return nil }
    return last.instant.milliseconds + 1
  }

  private func counted(_ count: Int, in range: Range<Int64>) -> Int64? {
    var remaining = count
    var from = range.lowerBound
    while from < range.upperBound {
      let until = min(from + 366 * 86_400_000, range.upperBound)
      if let end = take(&remaining, from: from, until: until) { return end }
      from = until
    }
    return nil
  }

  private func localDay(_ milliseconds: Int64) -> Int {
    zone.date(at: Instant(milliseconds: milliseconds)).daysSinceEpoch
  }

  private func startOfDay(_ day: Int) -> Int64 {
    zone.startOfDay(CivilDate(daysSinceEpoch: day)).milliseconds
  }
}
