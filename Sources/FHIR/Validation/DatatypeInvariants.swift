// SPDX-License-Identifier: Apache-2.0

/// A broken rule between elements.
struct InvariantFinding: Sendable {
  /// The element below the checked one; nil for the checked one itself.
  var element: String?
  var message: String
}

/// The R4 invariants that the tables cannot express, by type.
enum DatatypeInvariants {
  typealias Check = @Sendable (JSONValue) -> [InvariantFinding]

  static let byType: [String: Check] = [
    "Extension": extensionContent,
    "Period": periodOrder,
    "Range": rangeOrder,
    "Ratio": ratioSides,
    "SimpleQuantity": noComparator,
    "Timing.repeat": TimingInvariants.findings,
    "MedicationAdministration.dosage": administrationAmount,
  ]

  private static func has(_ value: JSONValue, _ key: String) -> Bool {
    value[key] != nil || value["_" + key] != nil
  }

  /// Checks ext-1: a value or nested extensions, never both.
  private static func extensionContent(_ value: JSONValue) -> [InvariantFinding] {
    let keys = value.object?.keys ?? []
    let hasValue = keys.contains { $0.hasPrefix("value") || $0.hasPrefix("_value") }
    guard hasValue == (value["extension"] != nil) else { return [] }
    return [
      InvariantFinding(
        message: "An extension must have either a value or nested extensions (ext-1).")
    ]
  }

  /// Checks per-1: the start is not after the end; if one has no offset, both are compared as written.
  private static func periodOrder(_ value: JSONValue) -> [InvariantFinding] {
    guard let start = value.text("start").flatMap({ FHIRDateTime($0) }),
      let end = value.text("end").flatMap({ FHIRDateTime($0) })
    else { return [] }
    let isWallClock = start.offsetMinutes == nil || end.offsetMinutes == nil
    func shift(_ date: FHIRDateTime) -> Int64 {
      isWallClock ? Int64(date.offsetMinutes ?? 0) * CivilCalendar.millisecondsPerMinute : 0
    }
    guard start.lowerMilliseconds + shift(start) >= end.upperMilliseconds + shift(end) else {
      return []
    }
    return [InvariantFinding(element: "end", message: "end must not be before start (per-1).")]
  }

  /// Checks rng-2: the low value is not above the high one; compared only if the units are the same.
  private static func rangeOrder(_ value: JSONValue) -> [InvariantFinding] {
    guard let low = value["low"].map(QuantityView.init), let lowValue = low.value,
      let high = value["high"].map(QuantityView.init), let highValue = high.value,
      low.unit == high.unit, low.code == high.code, low.system == high.system,
      lowValue > highValue
    else { return [] }
    return [InvariantFinding(element: "high", message: "high must not be below low (rng-2).")]
  }

  /// Checks rat-1: numerator and denominator come together.
  private static func ratioSides(_ value: JSONValue) -> [InvariantFinding] {
    let sides = (value["numerator"] != nil, value["denominator"] != nil)
    if sides.0, sides.1 { return [] }
    if !sides.0, !sides.1, value["extension"] != nil { return [] }
    return [InvariantFinding(message: "A ratio must have a numerator and a denominator (rat-1).")]
  }

  /// Checks sqty-1: an exact amount has no comparator.
  private static func noComparator(_ value: JSONValue) -> [InvariantFinding] {
    guard has(value, "comparator") else { return [] }
    return [
      InvariantFinding(
        element: "comparator",
        message: "Remove the comparator: a simple quantity must not have one (sqty-1)."
      )
    ]
  }

  /// Checks mad-1: the dosage of an administration states an amount or a rate.
  private static func administrationAmount(_ value: JSONValue) -> [InvariantFinding] {
    guard value["dose"] == nil, value["rateRatio"] == nil, value["rateQuantity"] == nil else {
      return []
    }
    return [InvariantFinding(message: "The dosage must have a dose or a rate (mad-1).")]
  }
}
