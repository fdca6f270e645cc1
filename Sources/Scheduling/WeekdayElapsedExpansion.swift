// SPDX-License-Identifier: Apache-2.0

/// Doses in elapsed time, filtered by local weekday.
///
/// Numbers count the doses of the unfiltered pattern, so they do not depend on the weekdays.
struct WeekdayElapsedExpansion: Sendable {
  let elapsed: ElapsedExpansion
  private let weekdayBits: UInt8
  private let zone: Zone

  init(elapsed: ElapsedExpansion, weekdays: Set<Weekday>, zone: Zone) {
    self.elapsed = elapsed
    weekdayBits = DayCycle.bits(weekdays)
    self.zone = zone
  }

  func occurrences(in range: Range<Int64>, limit: Int) -> [Occurrence] {
    var found: [Occurrence] = []
    var number = elapsed.number(notBefore: range.lowerBound - elapsed.anchor)
    while found.count < limit, let next = next(from: number, before: range.upperBound) {
      // Expands all doses of the date together, so that the date is looked up only once.
      let end = min(endOfDay(next.day), range.upperBound)
      found += elapsed.occurrences(
        in: next.occurrence.instant.milliseconds..<end, limit: limit - found.count)
      number = elapsed.number(notBefore: end - elapsed.anchor)
    }
    return found
  }

  func first(in range: Range<Int64>) -> Occurrence? {
    let number = elapsed.number(notBefore: range.lowerBound - elapsed.anchor)
    return next(from: number, before: range.upperBound)?.occurrence
  }

  func last(in range: Range<Int64>) -> Occurrence? {
    var number = elapsed.number(notBefore: range.upperBound - elapsed.anchor) - 1
    while number >= 0 {
      let found = elapsed.occurrence(number)
      if found.instant.milliseconds < range.lowerBound { return nil }
      let day = zone.date(at: found.instant).daysSinceEpoch
      if isListed(day) { return found }
      // Skips all doses of this date.
      let begin = startOfDay(day)
      number = min(number, elapsed.number(notBefore: begin - elapsed.anchor)) - 1
    }
    return nil
  }

  /// Returns the millisecond just after the count-th dose; nil if that dose is not before `limit`.
  func end(ofCount count: Int, before limit: Int64) -> Int64? {
    // The unfiltered count is an upper bound.
    guard elapsed.anchor < limit, Int64(count) <= elapsed.count(in: elapsed.anchor..<limit) else {
      return nil
    }
    var remaining = Int64(count)
    var number: Int64 = 0
    while let next = next(from: number, before: limit) {
      let end = elapsed.number(notBefore: min(endOfDay(next.day), limit) - elapsed.anchor)
      let held = end - next.number
      if held >= remaining {
        return elapsed.occurrence(next.number + remaining - 1).instant.milliseconds + 1
      }
      remaining -= held
      number = end
    }
    return nil
  }

  private func next(
    from start: Int64, before limit: Int64
  ) -> (number: Int64, day: Int, occurrence: Occurrence)? {
    var number = start
    while true {
      let found = elapsed.occurrence(number)
      guard found.instant.milliseconds < limit else { return nil }
      let day = zone.date(at: found.instant).daysSinceEpoch
      if isListed(day) { return (number, day, found) }
      var last = day
      while !isListed(last + 1), last < day + 6 { last += 1 }
      number = max(number + 1, elapsed.number(notBefore: endOfDay(last) - elapsed.anchor))
    }
  }

  private func isListed(_ day: Int) -> Bool {
    weekdayBits & (1 << UInt8(flooredRemainder(day + 3, 7))) != 0
  }

  private func startOfDay(_ day: Int) -> Int64 {
    zone.startOfDay(CivilDate(daysSinceEpoch: day)).milliseconds
  }

  private func endOfDay(_ day: Int) -> Int64 {
    // There is no next date after the last supported one.
    day < CivilDate.latestDay ? startOfDay(day + 1) : Instant.latest.milliseconds + 1
  }
}
