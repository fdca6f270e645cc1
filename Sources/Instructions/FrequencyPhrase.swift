// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// The frequency as text.
struct SchedulePhrase {
  /// The kind of limit: `at most twice a day`, `no more often than every 4 hours`.
  enum Kind: String {
    case count, interval, plan
  }
  let text: String
  let kind: Kind
}

/// The number of clock times or events per day in a dosage.
struct Slots {
  let count: Int
  /// True for clock times, false for events of the day.
  let areTimed: Bool

  /// Returns true if a frequency is consistent with the events or times.
  ///
  /// `3 times a day, in the morning` is at least three times; three clock times are exactly three.
  func agree(with frequency: Int, on days: Int = 1) -> Bool {
    frequency == count * days || !areTimed && frequency > count * days
  }
}

extension DosagePhrasing {
  /// Returns true if a code is one of FHIR's units of time.
  static func isUnit(_ code: String) -> Bool {
    switch code {
    case "d", "h", "wk", "mo", "min", "a", "s": true
    default: false
    }
  }

  /// Returns the frequency of a pattern; nil if it states none that can be expressed.
  ///
  /// Clock times and events take precedence over a frequency that contradicts them (timing rule 13), which is
  /// then not expressed.
  mutating func frequencyPhrase(
    _ pattern: TimingPhrase, slots: Slots, days: Int
  ) -> SchedulePhrase? {
    guard let unit = pattern.unit, Self.isUnit(unit), let period = pattern.period else {
      return slotsPhrase(pattern, slots: slots, days: days)
    }
    let frequency = agrees(pattern, slots: slots, days: days) ? pattern.frequency : nil
    if frequency != nil { elements.voice(.recurrence, "frequency") }
    elements.voice(.recurrence, "period")
    elements.voice(.recurrence, "periodUnit")
    // A range cannot match the number of clock times, but there may be fewer events than it states.
    if slots.count == 0 || !slots.areTimed,
      let range = rangePhrase(pattern, period: period, unit: unit)
    {
      return range
    }
    // "Once a day, on Monday" can be read as daily: "every Monday" says it all, except as a limit.
    if unit == "d", period.integer == 1, frequency == 1, days > 0, !dosage.asNeeded { return nil }
    if let frequency, period.integer == 1 { return perPeriod(frequency, unit) }
    // "Every 1.5th hour" makes no sense: once in that time.
    if frequency ?? 1 != 1 || period.integer == nil {
      return SchedulePhrase(
        text: localizer.text(
          "dosage.often-times-every",
          ["times": .number(frequency ?? 1), "period": .exact(period), "unit": .text(unit)]),
        kind: .count)
    }
    // "Every day" would contradict weekdays.
    if unit == "d", period.integer == 1, days > 0 { return nil }
    return SchedulePhrase(
      text: localizer.text(
        "dosage.often-every", ["period": .exact(period), "unit": .text(unit)]),
      kind: .interval)
  }

  /// Returns true if the frequency agrees with the number of times and weekdays.
  private func agrees(_ pattern: TimingPhrase, slots: Slots, days: Int) -> Bool {
    guard slots.count > 0, let frequency = pattern.frequency else { return true }
    switch pattern.unit {
    case "d": return slots.agree(with: frequency)
    case "h": return frequency == slots.count
    case "wk" where days > 0 && pattern.period?.integer == 1:
      return slots.agree(with: frequency, on: days)
    default: return true
    }
  }

  /// Returns true if times and weekdays already imply the frequency, so that a list can omit it.
  func repeats(_ pattern: TimingPhrase, slots: Slots, days: Int) -> Bool {
    guard pattern.period == nil || pattern.period?.integer == 1,
      pattern.frequencyMax == nil, pattern.periodMax == nil
    else { return false }
    let frequency = pattern.frequency ?? slots.count
    return frequency == (pattern.unit == "wk" ? days * slots.count : slots.count)
  }

  /// The phrase `every day`.
  var everyDay: SchedulePhrase {
    SchedulePhrase(
      text: localizer.text("dosage.often-every", ["period": .number(1), "unit": "d"]),
      kind: .interval)
  }

  private func perPeriod(_ frequency: Int, _ unit: String) -> SchedulePhrase {
    SchedulePhrase(
      text: localizer.text(
        "dosage.often-per", ["times": .number(frequency), "unit": .text(unit)]),
      kind: .count)
  }

  /// Returns ranges such as `2 to 3 times a day`, `every 4 to 6 hours` or `at most 4 times a day`.
  private mutating func rangePhrase(
    _ pattern: TimingPhrase, period: PlainNumber, unit: String
  ) -> SchedulePhrase? {
    guard pattern.frequencyMax != nil || pattern.periodMax != nil else { return nil }
    if pattern.frequency != nil { elements.voice(.recurrence, "frequency") }
    if pattern.frequencyMax != nil { elements.voice(.recurrence, "frequencyMax") }
    if pattern.periodMax != nil { elements.voice(.recurrence, "periodMax") }
    var low = pattern.frequency
    var high = pattern.frequencyMax
    if low == high { high = nil }
    var isMost = false
    // "1 to 4 times a day" when needed is a limit: a lower end of once asks for no dose.
    if low == nil || dosage.asNeeded && low == 1, high != nil {
      isMost = true
      (low, high) = (high, nil)
    }
    let last = pattern.periodMax == period ? nil : pattern.periodMax
    let text: String
    if period.integer == 1, last == nil, let low {
      text =
        high.map { high in
          localizer.text(
            "dosage.often-per-range",
            ["low": .number(low), "high": .number(high), "unit": .text(unit)])
        } ?? perPeriod(low, unit).text
    } else if low ?? 1 == 1, high == nil, let last {
      text = localizer.text(
        "dosage.often-every-range",
        ["low": .exact(period), "high": .exact(last), "unit": .text(unit)])
    } else {
      var arguments: MessageArguments = [
        "times": .number(low ?? 1), "period": .exact(period), "unit": .text(unit),
      ]
      arguments["high"] = high.map { .number($0) }
      arguments["upto"] = last.map { .exact($0) }
      text = localizer.text("dosage.often-times-every", arguments)
    }
    guard isMost else { return SchedulePhrase(text: text, kind: .plan) }
    // The phrase for "when needed" says "at most" itself.
    if dosage.asNeeded { return SchedulePhrase(text: text, kind: .count) }
    return SchedulePhrase(
      text: localizer.text("dosage.at-most", ["often": .text(text)]), kind: .plan)
  }

  /// Returns the text for a pattern without a period.
  ///
  /// Clock times are then daily (timing rule 6), unless weekdays say otherwise; a frequency is only a number
  /// of times.
  private mutating func slotsPhrase(
    _ pattern: TimingPhrase, slots: Slots, days: Int
  ) -> SchedulePhrase? {
    guard pattern.period == nil, pattern.unit == nil else { return nil }
    if slots.count > 0 {
      let frequency = pattern.frequency.flatMap { slots.agree(with: $0) ? $0 : nil }
      if frequency != nil { elements.voice(.recurrence, "frequency") }
      if days > 0, frequency ?? slots.count == slots.count { return nil }
      return perPeriod(frequency ?? slots.count, "d")
    }
    if let low = pattern.frequency {
      elements.voice(.recurrence, "frequency")
      guard let high = pattern.frequencyMax else {
        return SchedulePhrase(
          text: localizer.text("dosage.times", ["n": .number(low)]), kind: .count)
      }
      elements.voice(.recurrence, "frequencyMax")
      let most = localizer.text("dosage.times", ["n": .number(high)])
      return SchedulePhrase(
        text: low == high
          ? most
          : localizer.text(
            "dosage.range", ["low": .text(localizer.number(low)), "high": .text(most)]),
        kind: .plan)
    }
    guard let high = pattern.frequencyMax else { return nil }
    elements.voice(.recurrence, "frequencyMax")
    let most = localizer.text("dosage.times", ["n": .number(high)])
    return SchedulePhrase(
      text: localizer.text("dosage.at-most", ["often": .text(most)]), kind: .plan)
  }
}
