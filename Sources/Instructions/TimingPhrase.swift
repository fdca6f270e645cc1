// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// The pattern of a Timing, from its own elements or from its code.
struct TimingPhrase: Equatable {
  var frequency: Int?
  var frequencyMax: Int?
  var period: PlainNumber?
  var periodMax: PlainNumber?
  var unit: String?
  var when: [String] = []

  /// Creates the pattern from the elements of `repeat`.
  init(_ timing: TimingView) {
    guard let recurrence = timing.repeatObject else { return }
    frequency = timing.frequency
    frequencyMax = timing.frequencyMax
    period = recurrence.exact("period")
    periodMax = recurrence.exact("periodMax")
    unit = timing.periodUnit
    when = timing.when
  }

  private init(_ frequency: Int?, _ period: Int?, _ unit: String?, _ when: [String] = []) {
    self.frequency = frequency
    self.period = period.map { PlainNumber($0) }
    self.unit = unit
    self.when = when
  }

  private static let elements = [
    "frequency", "frequencyMax", "period", "periodMax", "periodUnit", "dayOfWeek", "timeOfDay",
    "when",
  ]

  /// Returns true if `repeat` has a pattern of its own, so that a code does not count (timing rule
  /// 27).
  static func isStated(by timing: TimingView) -> Bool {
    guard let recurrence = timing.repeatObject?.object else { return false }
    return recurrence.contains { elements.contains($0.key) }
  }

  /// Returns the pattern of a code of FHIR's timing abbreviations.
  static func of(code: String) -> TimingPhrase? {
    switch code {
    case "QD": TimingPhrase(1, 1, "d")
    case "BID": TimingPhrase(2, 1, "d")
    case "TID": TimingPhrase(3, 1, "d")
    case "QID": TimingPhrase(4, 1, "d")
    case "QOD": TimingPhrase(1, 2, "d")
    case "Q1H": TimingPhrase(1, 1, "h")
    case "Q2H": TimingPhrase(1, 2, "h")
    case "Q3H": TimingPhrase(1, 3, "h")
    case "Q4H": TimingPhrase(1, 4, "h")
    case "Q6H": TimingPhrase(1, 6, "h")
    case "Q8H": TimingPhrase(1, 8, "h")
    case "WK": TimingPhrase(1, 1, "wk")
    case "MO": TimingPhrase(1, 1, "mo")
    case "AM": TimingPhrase(nil, nil, nil, ["MORN"])
    case "PM": TimingPhrase(nil, nil, nil, ["AFT"])
    case "BED": TimingPhrase(nil, nil, nil, ["HS"])
    default: nil
    }
  }
}

extension JSONValue {
  /// Returns the exact number of a property.
  func exact(_ key: String) -> PlainNumber? {
    self[key]?.number.flatMap { PlainNumber(text: $0.text) }
  }
}
