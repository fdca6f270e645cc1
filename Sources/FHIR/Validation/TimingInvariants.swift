// SPDX-License-Identifier: Apache-2.0

import Foundation

/// The rules of `Timing.repeat`: FHIR's tim-1 to tim-10, and those of the project's timing rules that a
/// resource alone can break.
enum TimingInvariants {
  private static let meals: Set<String> = ["C", "CM", "CD", "CV"]

  static func findings(in value: JSONValue) -> [InvariantFinding] {
    amounts(in: value) + ranges(in: value) + clock(in: value) + bounds(in: value)
  }

  private static func has(_ value: JSONValue, _ key: String) -> Bool {
    value[key] != nil || value["_" + key] != nil
  }

  /// Checks tim-1, tim-2, tim-4 and tim-5; stricter than FHIR, 0 is rejected too.
  private static func amounts(in value: JSONValue) -> [InvariantFinding] {
    var findings: [InvariantFinding] = []
    let rules = [
      ("period", "periodUnit", "tim-2", "tim-5"), ("duration", "durationUnit", "tim-1", "tim-4"),
    ]
    for (amount, unit, unitRule, signRule) in rules {
      if has(value, amount), !has(value, unit) {
        findings.append(
          InvariantFinding(element: amount, message: "The \(amount) needs a \(unit) (\(unitRule)).")
        )
      }
      if let number = value[amount]?.number, number.isZero || number.isNegative {
        findings.append(
          InvariantFinding(
            element: amount, message: "The \(amount) must be greater than 0 (\(signRule))."))
      }
    }
    for name in ["period", "periodMax", "duration", "durationMax"] {
      if let number = value[name]?.number, number.decimal == nil {
        findings.append(
          InvariantFinding(
            element: name, message: "The \(name) is too large or too small a number."))
      }
    }
    return findings
  }

  /// Checks tim-6, tim-7 and tim-8, and that upper limits are not below lower ones.
  private static func ranges(in value: JSONValue) -> [InvariantFinding] {
    var findings: [InvariantFinding] = []
    for (upper, lower, rule) in [
      ("periodMax", "period", "tim-6"), ("durationMax", "duration", "tim-7"),
      ("countMax", "count", "tim-8"),
    ] where has(value, upper) && !has(value, lower) {
      findings.append(
        InvariantFinding(element: upper, message: "\(upper) needs a \(lower) (\(rule))."))
    }
    for (upper, lower) in [("periodMax", "period"), ("frequencyMax", "frequency")] {
      guard let most = value[upper]?.number?.decimal, let least = value[lower]?.number?.decimal,
        most < least
      else { continue }
      findings.append(
        InvariantFinding(element: upper, message: "\(upper) must not be below \(lower)."))
    }
    return findings
  }

  /// Checks tim-9 and tim-10.
  private static func clock(in value: JSONValue) -> [InvariantFinding] {
    var findings: [InvariantFinding] = []
    if has(value, "timeOfDay"), has(value, "when") {
      findings.append(
        InvariantFinding(
          element: "timeOfDay", message: "Send timeOfDay or when, not both (tim-10)."))
    }
    if has(value, "offset") {
      if !has(value, "when") {
        findings.append(
          InvariantFinding(element: "offset", message: "An offset needs a when (tim-9)."))
      } else if !meals.isDisjoint(with: value.texts("when")) {
        findings.append(
          InvariantFinding(
            element: "offset",
            message: "Send no offset with the meals C, CM, CD and CV (tim-9)."))
      }
    }
    return findings
  }

  /// Checks that a duration is not below 0, which would end before it starts.
  ///
  /// The order within a period is a rule of Period itself.
  private static func bounds(in value: JSONValue) -> [InvariantFinding] {
    guard let number = value["boundsDuration"]?["value"]?.number, number.isNegative else {
      return []
    }
    return [
      InvariantFinding(
        element: "bounds.ofType(Duration).value",
        message: "The bounds must not end before they start.")
    ]
  }
}
