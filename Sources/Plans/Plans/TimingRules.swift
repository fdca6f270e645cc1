// SPDX-License-Identifier: Apache-2.0
import FHIR
import Scheduling

/// Converts the Timing of one dosage to rules, and rejects all of it if it is ambiguous.
struct TimingRules {
  let dosage: Int
  let amount: Amount?
  let anchor: PlanAnchor
  let zone: Zone

  func read(_ view: TimingView) throws(UnplannedReason) -> [PlanRule] {
    let timing = try Self.timing(view)
    for caution in timing.cautions {
      if let reason = Self.refusal(caution) { throw reason }
    }
    if let reason = Self.refusalOfDaily(view.json) { throw reason }
    let rules: [TimingRule]
    do throws(TimingError) {
      rules = try timing.rules(
        anchor: TimingAnchor(instant: anchor.instant, date: anchor.date), in: zone,
        dateZone: anchor.zone)
    } catch {
      throw UnplannedReason(error)
    }
    var found: [PlanRule] = []
    for rule in rules {
      var own = PlanRule(
        dosage: dosage, amount: amount, pattern: try Self.pattern(rule.pattern),
        anchor: rule.anchor.instant, anchorDate: rule.anchor.date, end: rule.end,
        count: rule.count)
      own.hasDefaultTimes = rule.hasDefaultTimes
      found.append(own)
    }
    return found
  }

  /// Checks a Timing; one with only bounds is accepted if `mayBeEmpty`.
  static func timing(
    _ view: TimingView, mayBeEmpty: Bool = false
  ) throws(UnplannedReason) -> Timing {
    do throws(TimingError) {
      return try Timing(TimingNode(view.json), mayBeEmpty: mayBeEmpty)
    } catch {
      throw UnplannedReason(error)
    }
  }

  private static func pattern(_ pattern: TimingPattern) throws(UnplannedReason) -> PlanPattern {
    switch pattern {
    case .calendar(let days, let times):
      guard times.count <= TimingReader.maximumSlots else { throw .tooFrequent }
      // An offset of more than a day is a typing error.
      for case .event(_, let offset?) in times where offset > 1_440 {
        throw .invalidTiming(element: "offset")
      }
      return .calendar(days, times)
    case .elapsed(let every, let times): return .elapsed(everyMilliseconds: every, times: times)
    case .elapsedOn: throw .unsupportedTiming(element: "dayOfWeek")
    case .instants(let instants): return .instants(instants)
    }
  }

  /// Returns the reason for which a plan gives no doses by a cautious reading; nil if that reading
  /// is safe.
  ///
  /// The lower end of a number of doses is safe: no one takes too many by it. The lower end of a
  /// period is not, since it brings doses as close together as they may ever come.
  private static func refusal(_ caution: TimingCaution) -> UnplannedReason? {
    switch caution {
    case .maximum(let element):
      element == "periodMax" ? .unsupportedTiming(element: element) : nil
    case .maximumAlone: .unsupportedTiming(element: "frequencyMax")
    case .code: .unsupportedTiming(element: "code")
    case .unknownExtension: .unsupportedTiming(element: "extension")
    case .weekdaysOfHours: .unsupportedTiming(element: "dayOfWeek")
    case .unitAlone: .invalidTiming(element: "period")
    case .onceWithoutATime: .unsupportedTiming(element: "count")
    case .fewerThanWritten: .invalidTiming(element: "frequency")
    }
  }
}

extension TimingRules {
  /// Returns the reason not to plan a Timing that only our default would make daily: a frequency without a
  /// period, or text that may name other days.
  ///
  /// Nil if the Timing is explicit.
  private static func refusalOfDaily(_ timing: JSONValue) -> UnplannedReason? {
    guard let recurrence = timing["repeat"], timing["extension"] == nil else { return nil }
    func has(_ names: String...) -> Bool { names.contains { recurrence[$0] != nil } }
    if has("period", "dayOfWeek", "extension") || !(timing["code"]?["coding"]?.array ?? []).isEmpty
    {
      return nil
    }
    if has("frequency"), !has("timeOfDay", "when") { return .invalidTiming(element: "period") }
    guard timing["code"]?["text"] != nil, has("frequency", "timeOfDay", "when") else { return nil }
    return .unsupportedTiming(element: "code")
  }
}

extension UnplannedReason {
  /// Converts a Timing error to a reason, with the element named as in FHIR.
  init(_ error: TimingError) {
    var parts = error.element.split(separator: ".").map(String.init)
    if parts.first == "repeat" || parts.first == "timing" { parts.removeFirst() }
    if let first = parts.first, first != "boundsPeriod" { parts = [first] }
    let element = parts.joined(separator: ".")
    switch error.cause {
    case .nothingToExpand: self = .nothingToExpand
    case .unknownElement: self = .unsupportedTiming(element: element)
    case .unknownCode where element == "code": self = .unsupportedTiming(element: element)
    default: self = .invalidTiming(element: element)
    }
  }
}
