// SPDX-License-Identifier: Apache-2.0

/// The dates of a pattern by days or by months.
enum PatternDates: Sendable {
  case days(DayCycle)
  case months(MonthCycle)

  /// Creates the dates of a pattern; nil for a pattern with a problem.
  init?(_ pattern: DayPattern, anchorDate: CivilDate, skippingShortMonths: Bool = false) {
    if case .months(let every, let days, let weekdays) = pattern {
      if pattern.problem != nil { return nil }
      self = .months(
        MonthCycle(
          every: every, days: days, weekdays: weekdays, anchorDate: anchorDate,
          skipsShort: skippingShortMonths))
      return
    }
    guard let cycle = DayCycle(pattern, anchorDate: anchorDate) else { return nil }
    self = .days(cycle)
  }

  func contains(_ day: Int) -> Bool {
    switch self {
    case .days(let cycle): cycle.contains(day)
    case .months(let cycle): cycle.contains(day)
    }
  }

  func next(onOrAfter day: Int) -> Int? {
    switch self {
    case .days(let cycle): cycle.next(onOrAfter: day)
    case .months(let cycle): cycle.next(onOrAfter: day)
    }
  }

  func previous(onOrBefore day: Int) -> Int? {
    switch self {
    case .days(let cycle): cycle.previous(onOrBefore: day)
    case .months(let cycle): cycle.previous(onOrBefore: day)
    }
  }
}
