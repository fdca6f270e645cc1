// SPDX-License-Identifier: Apache-2.0

/// A day pattern as arithmetic: a cycle of days with chosen offsets, filtered by weekday.
///
/// Every result is computed from the day number, so the cost does not grow with the age of the plan.
struct DayCycle: Sendable {
  private enum Offsets {
    case listed([Int])
    case spread(times: Int)
    /// All offsets below this one.
    case run(Int)
  }

  private let anchorDay: Int
  /// The first day of cycle 0: the anchor's day, or the Monday of its week.
  private let base: Int
  private let length: Int
  private let offsets: Offsets
  private let offsetCount: Int
  /// The weekdays as bits; bit 0 is Monday.
  private let weekdayBits: UInt8

  /// Creates the cycle of a pattern; nil for a pattern by months or with a problem.
  init?(_ pattern: DayPattern, anchorDate: CivilDate) {
    if pattern.problem != nil { return nil }
    let anchorDay = anchorDate.daysSinceEpoch
    self.anchorDay = anchorDay
    let spreadTimes: Int
    switch pattern {
    case .weekdays(let weekdays, let weeks):
      base = anchorDay - (anchorDate.weekday.rawValue - 1)
      length = weeks * 7
      offsets = .listed(Weekday.allCases.filter(weekdays.contains).map { $0.rawValue - 1 })
      offsetCount = weekdays.count
      weekdayBits = 0x7F
      return
    case .every(let days):
      (length, spreadTimes, weekdayBits) = (days, 1, 0x7F)
    case .everyDaysOn(let days, let weekdays):
      (length, spreadTimes, weekdayBits) = (days, 1, Self.bits(weekdays))
    case .spread(let times, let days):
      (length, spreadTimes, weekdayBits) = (days, times, 0x7F)
    case .spreadOn(let times, let days, let weekdays):
      (length, spreadTimes, weekdayBits) = (days, times, Self.bits(weekdays))
    case .daysOfCycle(let days, let cycle):
      base = anchorDay
      length = cycle
      offsets = .listed(days.map { $0 - 1 }.sorted())
      offsetCount = days.count
      weekdayBits = 0x7F
      return
    case .runs(let on, let off):
      base = anchorDay
      length = on + off
      offsets = .run(on)
      offsetCount = on
      weekdayBits = 0x7F
      return
    case .months: return nil
    }
    base = anchorDay
    // If there are more dates than days, some coincide (rule 10).
    offsetCount = min(spreadTimes, length)
    offsets = .spread(times: offsetCount)
  }

  static func bits(_ weekdays: Set<Weekday>) -> UInt8 {
    var bits: UInt8 = 0
    for weekday in weekdays { bits |= 1 << UInt8(weekday.rawValue - 1) }
    return bits
  }

  /// Returns true if a day (since 1970-01-01) is in the pattern.
  func contains(_ day: Int) -> Bool {
    guard day >= anchorDay, isListedWeekday(day) else { return false }
    if length == 1 { return true }
    let position = flooredRemainder(day - base, length)
    return offset(atOrAfter: position) == position
  }

  /// Returns the first day of the pattern on or after a day; nil after the supported years.
  func next(onOrAfter day: Int) -> Int? {
    var day = max(day, anchorDay)
    // A weekday recurs within seven cycles or never.
    for _ in 0...(8 * offsetCount) {
      let position = flooredRemainder(day - base, length)
      let start = day - position
      day = start + (offset(atOrAfter: position) ?? length + firstOffset)
      guard day <= CivilDate.latestDay else { return nil }
      if isListedWeekday(day) { return day }
      day += 1
    }
    return nil
  }

  /// Returns the last day of the pattern on or before a day; nil before the anchor.
  func previous(onOrBefore day: Int) -> Int? {
    var day = day
    for _ in 0...(8 * offsetCount) {
      guard day >= anchorDay else { return nil }
      let position = flooredRemainder(day - base, length)
      let start = day - position
      day = offset(atOrBefore: position).map { start + $0 } ?? start - length + lastOffset
      guard day >= anchorDay else { return nil }
      if isListedWeekday(day) { return day }
      day -= 1
    }
    return nil
  }

  private func isListedWeekday(_ day: Int) -> Bool {
    weekdayBits == 0x7F || weekdayBits & (1 << UInt8(flooredRemainder(day + 3, 7))) != 0
  }

  private var firstOffset: Int {
    if case .listed(let days) = offsets { return days.first ?? 0 }
    return 0
  }

  private var lastOffset: Int { offset(atOrBefore: length - 1) ?? 0 }

  /// Returns the first offset, from floor(i × length / times) or from the list, at or after a position.
  private func offset(atOrAfter position: Int) -> Int? {
    switch offsets {
    case .listed(let days):
      return days.first { $0 >= position }
    case .spread(let times):
      let index = (Int64(position) * Int64(times) + Int64(length) - 1) / Int64(length)
      return index < Int64(times) ? Int(index * Int64(length) / Int64(times)) : nil
    case .run(let on):
      return position < on ? position : nil
    }
  }

  /// Returns the last offset at or before a position.
  private func offset(atOrBefore position: Int) -> Int? {
    switch offsets {
    case .listed(let days):
      return days.last { $0 <= position }
    case .spread(let times):
      let above = (Int64(position + 1) * Int64(times) + Int64(length) - 1) / Int64(length)
      return Int((above - 1) * Int64(length) / Int64(times))
    case .run(let on):
      return min(position, on - 1)
    }
  }
}

extension DayCycle {
  /// Returns the number of days of the pattern before a day, without visiting each one.
  func count(before day: Int) -> Int {
    guard day > anchorDay else { return 0 }
    guard weekdayBits != 0x7F else { return total(before: day) - total(before: anchorDay) }
    // Weekdays repeat after seven cycles.
    let long = length * 7
    let repeats = (day - anchorDay) / long
    let whole = repeats == 0 ? 0 : repeats * counted(from: anchorDay, until: anchorDay + long)
    return whole + counted(from: anchorDay + repeats * long, until: day)
  }

  private func counted(from first: Int, until end: Int) -> Int {
    var count = 0
    var day = first
    while let found = next(onOrAfter: day), found < end {
      count += 1
      day = found + 1
    }
    return count
  }

  /// Returns the number of offsets from the base cycle up to a day, without the weekday filter.
  private func total(before day: Int) -> Int {
    let position = flooredRemainder(day - base, length)
    let cycles = flooredQuotient(day - base, length)
    let begun: Int
    switch offsets {
    case .listed(let days): begun = days.reduce(0) { $0 + ($1 < position ? 1 : 0) }
    case .spread(let times):
      begun = Int((Int64(position) * Int64(times) + Int64(length) - 1) / Int64(length))
    case .run(let on): begun = min(position, on)
    }
    return cycles * offsetCount + begun
  }
}
