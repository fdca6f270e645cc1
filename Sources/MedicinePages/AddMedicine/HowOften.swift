// SPDX-License-Identifier: Apache-2.0

import Foundation
import Knowledge
import Localization
import People
import Plans
import Presentation
import Scheduling

/// The answers to how often a medicine is taken.
enum HowOften: String, Sendable, Hashable, CaseIterable {
  case once, twice, three, hours, weekdays, days, needed
  /// Once a week, offered first for medicines that are dangerous if taken more often.
  case weekly
  /// Cycles, tapers and other patterns, which the long form asks for.
  case other = "else"

  /// The answers offered for every medicine, in page order.
  static let offered: [HowOften] = [
    .once, .twice, .three, .hours, .weekdays, .days, .needed, .other,
  ]

  /// The fields that depend on the answer.
  static let fields: Set<String> = [
    "schedule", "time", "time-slot", "weekday", "hours", "first-time", "days", "days-time",
    "days-time-slot", "need", "gap", "most-doses",
  ]

  /// The kind of schedule in the long form; nil if that form asks for it.
  var kind: MedicineInput.Kind? {
    switch self {
    case .once, .twice, .three: .times
    case .weekly, .weekdays: .weekdays
    case .hours: .everyHours
    case .days: .everyDays
    case .needed: .asNeeded
    case .other: nil
    }
  }

  /// The number of times to enter; nil for answers without times of day.
  var times: Int? {
    switch self {
    case .once, .weekly, .weekdays, .days: 1
    case .twice: 2
    case .three: 3
    case .hours, .needed, .other: nil
    }
  }

  /// The name of the field with the times.
  var timesField: String { self == .days ? "days-time" : "time" }

  /// The default times, from the person's daily routine.
  func usualTimes(_ rhythm: DailyRhythm) -> [ClockTime] {
    switch self {
    case .once, .weekly, .weekdays, .days, .hours: [rhythm.breakfast]
    case .twice: [rhythm.breakfast, rhythm.dinner]
    case .three: [rhythm.breakfast, rhythm.lunch, rhythm.dinner]
    case .needed, .other: []
    }
  }
}

extension AddedFields {
  /// Sets the answer and replaces the times of another answer with those of the person's daily
  /// routine.
  mutating func choose(
    _ often: HowOften, everyDays days: Int?, today: CivilDate, rhythm: DailyRhythm
  ) {
    noteSchedule()
    if self.often != often || days != nil {
      clear(HowOften.fields)
      let times = often.usualTimes(rhythm).map(MedicineInput.text)
      set(often == .hours ? "first-time" : often.timesField, times)
      if let days { set("days", [String(days)]) }
    }
    set("often", [often.rawValue])
    set("schedule", often.kind.map { [$0.rawValue] } ?? [])
    // One tablet is a usual amount; drops and puffs have none.
    let form = MedicineForm(rawValue: input.form)
    if !isFilled("dose-value"), form?.isCountedByOne ?? false { set("dose-value", ["1"]) }
    if !isFilled("start") { set("start", [today.text]) }
  }

  /// The rule for the highest frequency of the medicine, by the strength of one unit.
  var frequencyRule: FrequencyRule? {
    let input = input
    return Handbook.shipped.frequencyRule(
      name: name, codes: [], form: input.form.isEmpty ? nil : input.form,
      milligrams: Self.milligrams(input.strengthValue, input.strengthUnit))
  }

  private static func milligrams(_ value: String, _ unit: String) -> Double? {
    guard let number = DraftText.decimal(value).flatMap({ Double($0) }) else { return nil }
    return switch StrengthUnit(rawValue: unit) {
    case .milligram: number
    case .microgram: number / 1_000
    case .gram: number * 1_000
    default: nil
    }
  }
}

extension MedicineForm {
  /// True if a dose is usually one piece.
  fileprivate var isCountedByOne: Bool {
    switch self {
    case .tablet, .capsule, .patch, .sachet, .suppository: true
    case .drops, .liquid, .puff, .injection, .cream, .spray, .other: false
    }
  }
}
