// SPDX-License-Identifier: Apache-2.0

/// A recurring pattern before slots are assigned to its times of day.
public enum TimingPattern: Hashable, Sendable {
  /// Times of day on the dates of a pattern.
  case calendar(DayPattern, [SlotTime])
  /// Elapsed time from the anchor.
  case elapsed(everyMilliseconds: Int64, times: Int)
  /// Elapsed time, only on some weekdays.
  case elapsedOn(everyMilliseconds: Int64, times: Int, Set<Weekday>)
  /// Given instants.
  case instants([Instant])
}

extension TimingParts {
  /// Returns the pattern by rules 6, 7 and 12 to 19, with any cautions about its meaning.
  func pattern(
    _ choices: TimingChoices
  ) throws(TimingError) -> (pattern: TimingPattern, cautions: [TimingCaution]) {
    let stated = choices.takesLongestPeriod ? periodMax ?? period : period
    guard let period = stated, let unit else { return (try daily(choices), []) }
    if let milliseconds = unit.milliseconds {
      return try elapsed(period, unitMilliseconds: milliseconds, choices)
    }
    guard let whole = period.whole else {
      throw TimingError("repeat.period", .fractionalCalendarPeriod)
    }
    let length = Int(min(whole, Int64(DayPattern.longestDays)))
    switch unit {
    case .day where length == 1: return (try daily(choices), [])
    case .day: return (try days(length, choices), [])
    case .week: return try weeks(min(length, DayPattern.longestDays / 7), choices)
    case .month: return (try months(min(length, DayPattern.longestMonths), choices), [])
    default: return (try months(min(length, DayPattern.longestMonths / 12) * 12, choices), [])
    }
  }

  private var frequencyOrOnce: Int { frequency ?? 1 }

  /// Returns the written times, or the default ones for a number of doses a day (rules 12 and 13).
  private func times(
    perDay count: Int, _ choices: TimingChoices
  ) throws(TimingError) -> [SlotTime] {
    if !times.isEmpty { return times }
    guard let clock = choices.times.times(perDay: count) else {
      throw TimingError("repeat.frequency", .tooManyADay)
    }
    return clock.map { .clock($0) }
  }

  /// Rules 6, 12, 13 and 16 for every day; a cycle without a length runs once.
  private func daily(_ choices: TimingChoices) throws(TimingError) -> TimingPattern {
    let times = try times(perDay: frequencyOrOnce, choices)
    if let daysOfCycle {
      return .calendar(try cycle(daysOfCycle, length: DayPattern.longestDays), times)
    }
    if let daysOfMonth {
      return .calendar(.months(every: 1, days: daysOfMonth, on: weekdays), times)
    }
    return .calendar(weekdays.map { .weekdays($0, everyWeeks: 1) } ?? .daily, times)
  }

  /// Rules 15 and 16.
  private func days(_ length: Int, _ choices: TimingChoices) throws(TimingError) -> TimingPattern {
    try refuse(daysOfMonth, "dayOfMonth")
    if let daysOfCycle { return try cycle(daysOfCycle, length: length, choices) }
    let count = times.isEmpty ? frequencyOrOnce : 1
    if count > length { throw TimingError("repeat.frequency", .moreDosesThanDays) }
    return .calendar(
      try written("repeat.period") { () throws(ScheduleProblem) in
        try .days(period: length, frequency: count, on: weekdays)
      }, try times(perDay: 1, choices))
  }

  /// Rules 17 and 18.
  private func weeks(
    _ length: Int, _ choices: TimingChoices
  ) throws(TimingError) -> (TimingPattern, [TimingCaution]) {
    try refuse(daysOfMonth, "dayOfMonth")
    if let daysOfCycle { return (try cycle(daysOfCycle, length: length * 7, choices), []) }
    let count = frequencyOrOnce
    guard let weekdays else {
      // If there are more doses than days, the rule keeps one a day.
      let isCut = times.isEmpty && count > length * 7
      let days = try written("repeat.period") { () throws(ScheduleProblem) in
        try .weeks(period: length, frequency: times.isEmpty ? min(count, length * 7) : 1)
      }
      return (
        .calendar(days, try times(perDay: 1, choices)), isCut ? [.fewerThanWritten] : []
      )
    }
    let perDay = count.isMultiple(of: weekdays.count) ? count / weekdays.count : 1
    let isCut = times.isEmpty && count > weekdays.count * perDay
    return (
      .calendar(
        .weekdays(weekdays, everyWeeks: length), try times(perDay: perDay, choices)),
      isCut ? [.fewerThanWritten] : []
    )
  }

  /// Rule 19.
  private func months(
    _ length: Int, _ choices: TimingChoices
  ) throws(TimingError) -> TimingPattern {
    if daysOfCycle != nil {
      throw TimingError("extension.daysOfCycle", .excludes("a period in months or years"))
    }
    if times.isEmpty, frequencyOrOnce > 1, frequency != daysOfMonth?.count {
      throw TimingError("repeat.frequency", .severalAMonth)
    }
    return .calendar(
      .months(every: length, days: daysOfMonth, on: weekdays), try times(perDay: 1, choices))
  }

  /// Rule 7; a day counted in hours is a calendar day if clock times are given.
  private func elapsed(
    _ period: ExactNumber, unitMilliseconds: Int64, _ choices: TimingChoices
  ) throws(TimingError) -> (TimingPattern, [TimingCaution]) {
    if !times.isEmpty {
      guard let length = period.times(unitMilliseconds), length.isExact,
        length.value == 86_400_000
      else { throw TimingError("repeat.period", .clockTimesWithinADay) }
      return (try daily(choices), [])
    }
    try refuse(daysOfMonth, "dayOfMonth")
    try refuse(daysOfCycle, "daysOfCycle")
    var every: (value: Int64, isExact: Bool)? = period.times(unitMilliseconds)
    var count = frequencyOrOnce
    if let found = every, !found.isExact, count < 100,
      let finer = period.times(unitMilliseconds * 100)
    {
      // The period is not a whole number of milliseconds, so multiply it and its doses by a hundred.
      every = finer
      count *= 100
    }
    guard let every, every.value >= Int64(count), every.value >= 1, count <= 10_000 else {
      throw TimingError(count > 1 ? "repeat.frequency" : "repeat.period", .outOfRange)
    }
    let length = min(every.value, Schedule.longestPeriod)
    guard let weekdays else { return (.elapsed(everyMilliseconds: length, times: count), []) }
    return (
      .elapsedOn(everyMilliseconds: length, times: count, weekdays), [.weekdaysOfHours]
    )
  }

  private func cycle(
    _ days: Set<Int>, length: Int, _ choices: TimingChoices
  ) throws(TimingError) -> TimingPattern {
    if times.isEmpty, frequencyOrOnce > 1, frequency != days.count {
      throw TimingError("repeat.frequency", .moreDosesThanDays)
    }
    return .calendar(try cycle(days, length: length), try times(perDay: 1, choices))
  }

  private func cycle(_ days: Set<Int>, length: Int) throws(TimingError) -> DayPattern {
    if weekdays != nil {
      throw TimingError("extension.daysOfCycle", .excludes("repeat.dayOfWeek"))
    }
    if daysOfMonth != nil {
      throw TimingError("extension.daysOfCycle", .excludes("extension.dayOfMonth"))
    }
    let pattern = DayPattern.daysOfCycle(days, length: length)
    if pattern.problem != nil { throw TimingError("extension.daysOfCycle", .outOfRange) }
    return pattern
  }

  private func refuse(_ days: Set<Int>?, _ name: String) throws(TimingError) {
    if days != nil { throw TimingError("extension." + name, .excludes("this period")) }
  }

  private func written(
    _ element: String, _ make: () throws(ScheduleProblem) -> DayPattern
  ) throws(TimingError) -> DayPattern {
    do throws(ScheduleProblem) {
      return try make()
    } catch {
      throw TimingError(element, .outOfRange)
    }
  }
}
