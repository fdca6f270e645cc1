// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Localization

/// How often, in words.
struct SchedulePhrase {
  /// What a limit on it means: `at most twice a day`, `no more often than every 4 hours`.
  enum Kind: String {
    case count, interval, plan
  }
  let text: String
  let kind: Kind
}

/// The pattern that a Timing states, by its own elements or by its code.
struct TimingPattern {
  var frequency: Int?
  var frequencyMax: Int?
  var period: Decimal?
  var periodMax: Decimal?
  var unit: String?
  var when: [String] = []
  /// Whether it was read from `timing.code`.
  var isFromCode = false

  init(_ timing: TimingView) {
    frequency = timing.frequency
    frequencyMax = timing.frequencyMax
    period = timing.period
    periodMax = timing.periodMax
    unit = timing.periodUnit
    when = timing.when
    let hasPattern = [
      "frequency", "frequencyMax", "period", "periodMax", "periodUnit", "dayOfWeek", "timeOfDay",
      "when",
    ].contains { timing.repeatObject?[$0] != nil }
    // A code counts only where the repeat has no pattern of its own (timing rule 27).
    guard !hasPattern,
      let known = timing.codes.lazy.compactMap({ Self.ofCode($0.code) }).first
    else { return }
    (frequency, period, unit, when) = known
    isFromCode = true
  }

  private static func ofCode(_ code: String) -> (Int?, Decimal?, String?, [String])? {
    switch code {
    case "QD": (1, 1, "d", [])
    case "BID": (2, 1, "d", [])
    case "TID": (3, 1, "d", [])
    case "QID": (4, 1, "d", [])
    case "QOD": (1, 2, "d", [])
    case "Q1H": (1, 1, "h", [])
    case "Q2H": (1, 2, "h", [])
    case "Q3H": (1, 3, "h", [])
    case "Q4H": (1, 4, "h", [])
    case "Q6H": (1, 6, "h", [])
    case "Q8H": (1, 8, "h", [])
    case "WK": (1, 1, "wk", [])
    case "MO": (1, 1, "mo", [])
    case "AM": (nil, nil, nil, ["MORN"])
    case "PM": (nil, nil, nil, ["AFT"])
    case "BED": (nil, nil, nil, ["HS"])
    default: nil
    }
  }
}

extension DosagePhrasing {
  private static let units: Set<String> = ["s", "min", "h", "d", "wk", "mo", "a"]

  /// The frequency of a pattern; nil when it states none that can be said.
  ///
  /// `slots`: how many clock times or events a day the dosage names; they win over a frequency that
  /// disagrees (timing rule 13), and that frequency stays unsaid.
  mutating func frequencyPhrase(_ pattern: TimingPattern, slots: Int) -> SchedulePhrase? {
    guard let unit = pattern.unit, Self.units.contains(unit), let period = pattern.period,
      period > 0
    else { return slotsPhrase(pattern, slots: slots) }
    var frequency = pattern.frequency
    if slots > 0, let stated = frequency, unit == "d" || unit == "h", stated != slots {
      frequency = nil
    } else if frequency != nil {
      elements.voice("timing.repeat.frequency")
    }
    elements.voice("timing.repeat.period", "timing.repeat.periodUnit")
    if slots == 0, let range = rangePhrase(pattern, period: period, unit: unit) { return range }
    if let frequency, period == 1 {
      return SchedulePhrase(
        text: localizer.text(
          "dosage.often-per", ["times": .number(frequency), "unit": .text(unit)]),
        kind: .count)
    }
    if let frequency, frequency != 1 {
      return SchedulePhrase(
        text: localizer.text(
          "dosage.often-times-every",
          ["times": .number(frequency), "period": .decimal(period), "unit": .text(unit)]),
        kind: .count)
    }
    // "Every day" beside weekdays would contradict them.
    if unit == "d", period == 1, !(dosage.timing?.dayOfWeek.isEmpty ?? true) { return nil }
    return SchedulePhrase(
      text: localizer.text(
        "dosage.often-every", ["period": .decimal(period), "unit": .text(unit)]),
      kind: .interval)
  }

  /// `2 to 3 times a day`, `every 4 to 6 hours`.
  private mutating func rangePhrase(
    _ pattern: TimingPattern, period: Decimal, unit: String
  ) -> SchedulePhrase? {
    if let low = pattern.frequency, let high = pattern.frequencyMax, period == 1,
      pattern.periodMax == nil
    {
      elements.voice("timing.repeat.frequencyMax")
      guard low != high else { return nil }
      return SchedulePhrase(
        text: localizer.text(
          "dosage.often-per-range",
          ["low": .number(low), "high": .number(high), "unit": .text(unit)]),
        kind: .plan)
    }
    if let high = pattern.periodMax, pattern.frequency ?? 1 == 1, pattern.frequencyMax == nil {
      elements.voice("timing.repeat.periodMax")
      return SchedulePhrase(
        text: localizer.text(
          "dosage.often-every-range",
          ["low": .decimal(period), "high": .decimal(high), "unit": .text(unit)]),
        kind: .plan)
    }
    return nil
  }

  /// Clock times without a period are daily (timing rule 6), unless weekdays say otherwise.
  private mutating func slotsPhrase(_ pattern: TimingPattern, slots: Int) -> SchedulePhrase? {
    guard slots > 0, pattern.period == nil, pattern.unit == nil,
      dosage.timing?.dayOfWeek.isEmpty ?? true
    else { return nil }
    if pattern.frequency == slots { elements.voice("timing.repeat.frequency") }
    return SchedulePhrase(
      text: localizer.text("dosage.often-per", ["times": .number(slots), "unit": "d"]),
      kind: .count)
  }
}
