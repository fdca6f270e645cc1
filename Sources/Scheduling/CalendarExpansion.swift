// SPDX-License-Identifier: Apache-2.0

/// Doses at wall-clock times on the dates of a pattern.
struct CalendarExpansion: Sendable {
  /// A slot as a wall-clock time, which an offset may move to another date (rule 23).
  struct WallTime {
    var slot: Int
    /// Days from the nominal date to the wall date.
    var dayShift: Int
    var secondsOfDay: Int64
  }

  /// A dose found by search, with the values that decide between two at the same instant.
  private struct Candidate {
    var seconds: Int64
    var wallSeconds: Int64
    var slot: Int
    var nominalDay: Int
    var shift: ZonedShift

    func precedesTwin(_ other: Candidate) -> Bool {
      (wallSeconds, slot) < (other.wallSeconds, other.slot)
    }

    var occurrence: Occurrence {
      Occurrence(
        id: .slot(date: CivilDate(daysSinceEpoch: nominalDay), slot: slot),
        instant: Instant(milliseconds: seconds * 1000), shift: shift)
    }
  }

  let cycle: PatternDates
  /// The wall times in ascending order, so that the doses of a date are produced in order.
  let wallTimes: [WallTime]
  let zone: Zone
  /// Days since 1970-01-01 that have no dose, even if the pattern includes them.
  let excludedDays: Set<Int>
  let choices: TimingChoices

  init?(
    days: DayPattern, slots: [Slot], anchorDate: CivilDate, excluding dates: Set<CivilDate>,
    zone: Zone, rhythm: DailyRhythm, choices: TimingChoices
  ) {
    guard
      let cycle = PatternDates(
        days, anchorDate: anchorDate, skippingShortMonths: choices.skipsShortMonths)
    else { return nil }
    self.cycle = cycle
    self.zone = zone
    self.choices = choices
    excludedDays = Set(dates.map { $0.daysSinceEpoch })
    wallTimes = slots.map { slot in
      let seconds = slot.time.wallSeconds(in: rhythm)
      return WallTime(
        slot: slot.id, dayShift: Int(flooredQuotient(seconds, 86_400)),
        secondsOfDay: flooredRemainder(seconds, 86_400))
    }.sorted { ($0.secondsOfDay, $0.slot) < ($1.secondsOfDay, $1.slot) }
  }

  func occurrences(in range: Range<Int64>, limit: Int) -> [Occurrence] {
    choices.gap == .shift ? sorted(in: range, limit: limit) : inWallOrder(in: range, limit: limit)
  }

  /// Returns the doses in wall-clock order, which is also the order of instants unless a gap moves some past others.
  func inWallOrder(in range: Range<Int64>, limit: Int) -> [Occurrence] {
    let (firstDay, lastDay) = days(around: range)
    var found: [Occurrence] = []
    let expected = (lastDay - firstDay + 1).multipliedReportingOverflow(by: wallTimes.count)
    found.reserveCapacity(expected.overflow ? 0 : min(expected.partialValue, limit, 1 << 16))
    var cursor = WallCursor(zone: zone)
    for day in firstDay...lastDay {
      for wallTime in wallTimes {
        let nominalDay = day - wallTime.dayShift
        guard cycle.contains(nominalDay) else { continue }
        let moved = chosen(
          cursor.resolve(wallSeconds: Int64(day) * 86_400 + wallTime.secondsOfDay))
        let milliseconds = moved.seconds * 1000
        guard range.contains(milliseconds), !isSkipped(nominalDay, wallTime, moved.shift),
          found.last?.instant.milliseconds != milliseconds
        else { continue }
        if found.count == limit { return found }
        found.append(
          Occurrence(
            id: .slot(date: CivilDate(daysSinceEpoch: nominalDay), slot: wallTime.slot),
            instant: Instant(milliseconds: milliseconds), shift: moved.shift))
      }
    }
    return found
  }

  func first(in range: Range<Int64>) -> Occurrence? {
    let (firstDay, _) = days(around: range.lowerBound..<range.lowerBound + 1)
    var best: Candidate?
    for wallTime in wallTimes {
      var day = cycle.next(onOrAfter: firstDay - wallTime.dayShift)
      while let nominalDay = day {
        let candidate = candidate(nominalDay, wallTime)
        if candidate.seconds * 1000 >= range.upperBound { break }
        if candidate.seconds * 1000 >= range.lowerBound,
          !isSkipped(nominalDay, wallTime, candidate.shift)
        {
          let isEarlier = best.map {
            candidate.seconds < $0.seconds
              || candidate.seconds == $0.seconds && candidate.precedesTwin($0)
          }
          if isEarlier ?? true { best = candidate }
          break
        }
        day = cycle.next(onOrAfter: nominalDay + 1)
      }
    }
    return best?.occurrence
  }

  func last(in range: Range<Int64>) -> Occurrence? {
    let (_, lastDay) = days(around: range.upperBound - 1..<range.upperBound)
    var best: Candidate?
    for wallTime in wallTimes {
      var day = cycle.previous(onOrBefore: lastDay - wallTime.dayShift)
      while let nominalDay = day {
        let candidate = candidate(nominalDay, wallTime)
        if candidate.seconds * 1000 < range.lowerBound { break }
        if candidate.seconds * 1000 < range.upperBound,
          !isSkipped(nominalDay, wallTime, candidate.shift)
        {
          let isLater = best.map {
            candidate.seconds > $0.seconds
              || candidate.seconds == $0.seconds && candidate.precedesTwin($0)
          }
          if isLater ?? true { best = candidate }
          break
        }
        day = cycle.previous(onOrBefore: nominalDay - 1)
      }
    }
    return best?.occurrence
  }

  /// The shortest time between two doses in seconds, ignoring clock changes.
  var shortestWallInterval: Int64? {
    var moments: [Int64] = []
    var day = cycle.next(onOrAfter: CivilDate.earliestDay)
    // 64 dates are enough to see every distance between neighbours, even with a weekday filter.
    for _ in 0..<64 {
      guard let nominalDay = day else { break }
      for wallTime in wallTimes {
        let days = Int64(nominalDay) + Int64(wallTime.dayShift)
        moments.append(days * 86_400 + wallTime.secondsOfDay)
      }
      day = cycle.next(onOrAfter: nominalDay + 1)
    }
    moments.sort()
    return zip(moments.dropFirst(), moments).map { $0 - $1 }.filter { $0 > 0 }.min()
  }

  /// Returns the local days that can contain the instants, with a margin for skipped and repeated dates.
  private func days(around range: Range<Int64>) -> (first: Int, last: Int) {
    let first = zone.date(at: Instant(milliseconds: range.lowerBound)).daysSinceEpoch - 2
    let last = zone.date(at: Instant(milliseconds: range.upperBound)).daysSinceEpoch + 2
    return (first, max(first, last))
  }

  private func candidate(_ nominalDay: Int, _ wallTime: WallTime) -> Candidate {
    let day = Int64(nominalDay) + Int64(wallTime.dayShift)
    let wallSeconds = day * 86_400 + wallTime.secondsOfDay
    let moved = chosen(zone.resolve(wallSeconds: wallSeconds))
    return Candidate(
      seconds: moved.seconds, wallSeconds: wallSeconds, slot: wallTime.slot,
      nominalDay: nominalDay, shift: moved.shift)
  }

  /// Rule 11: a nominal date that the zone skipped has no dose.
  private func isSkipped(_ nominalDay: Int, _ wallTime: WallTime, _ shift: ZonedShift) -> Bool {
    if !excludedDays.isEmpty, excludedDays.contains(nominalDay) { return true }
    if shift == .gap, choices.gap == .skip { return true }
    if shift != .gap, wallTime.dayShift == 0 { return false }
    return zone.skips(day: nominalDay)
  }
}

/// Resolves ascending wall times, searching the zone only near its transitions.
struct WallCursor {
  private let zone: Zone
  private var offset: Int64 = 0
  /// The instants of the current span that are too far from its ends for a neighbouring span to matter.
  private var plain: Range<Int64> = 0..<0

  init(zone: Zone) { self.zone = zone }

  mutating func resolve(wallSeconds: Int64) -> Zone.Resolution {
    let seconds = wallSeconds - offset
    if plain.contains(seconds) { return Zone.Resolution(seconds: seconds, shift: .none) }
    let resolution = zone.resolve(wallSeconds: wallSeconds)
    let span = zone.span(at: resolution.seconds)
    let margin = Int64(largestOffsetSeconds) * 2
    let start = span.start == .min ? .min : span.start + margin
    let end = span.end == .max ? .max : span.end - margin
    offset = span.offset
    plain = start..<max(start, end)
    return resolution
  }
}
