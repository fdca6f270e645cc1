// SPDX-License-Identifier: Apache-2.0

/// The R4 invariants of the datatypes that the tables cannot express.
enum DatatypeInvariants {
  static let byType: [String: Invariants.Check] = [
    "Extension": extensionContent,
    "Period": periodOrder,
    "Range": rangeOrder,
    "Ratio": ratioSides,
    "Quantity": codeSystem,
    "SimpleQuantity": Invariants.all(noComparator, codeSystem),
    "Duration": codeSystem,
    "Age": codeSystem,
    "Count": codeSystem,
    "Distance": codeSystem,
    "ContactPoint": contactSystem,
    "Attachment": attachmentType,
    "Expression": expressionContent,
    "Timing.repeat": TimingInvariants.findings,
  ]

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

  /// Checks per-1.
  private static func periodOrder(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      isOrdered(value.text("start"), value.text("end")), "end must not be before start (per-1).",
      at: "end")
  }

  /// Returns true if the start is not after the end; if one has no offset, both are compared as written.
  static func isOrdered(_ startText: String?, _ endText: String?) -> Bool {
    guard let start = startText.flatMap({ FHIRDateTime($0) }),
      let end = endText.flatMap({ FHIRDateTime($0) })
    else { return true }
    let isWallClock = start.offsetMinutes == nil || end.offsetMinutes == nil
    func shift(_ date: FHIRDateTime) -> Int64 {
      isWallClock ? Int64(date.offsetMinutes ?? 0) * CivilCalendar.millisecondsPerMinute : 0
    }
    return start.lowerMilliseconds + shift(start) < end.upperMilliseconds + shift(end)
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
    Invariants.unless(
      !value.hasElement("comparator"),
      "Remove the comparator: a simple quantity must not have one (sqty-1).", at: "comparator")
  }

  /// Checks qty-3: the code of a unit has a system.
  private static func codeSystem(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      !value.hasElement("code") || value.hasElement("system"),
      "The code of a unit needs its system, usually http://unitsofmeasure.org (qty-3).",
      at: "code")
  }

  /// Checks cpt-2: a number or address has a system.
  private static func contactSystem(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      !value.hasElement("value") || value.hasElement("system"),
      "A contact with a value needs a system, such as phone or email (cpt-2).", at: "system")
  }

  /// Checks att-1: data has a content type.
  private static func attachmentType(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      !value.hasElement("data") || value.hasElement("contentType"),
      "An attachment with data needs a contentType (att-1).", at: "contentType")
  }

  /// Checks exp-1: an expression is written out or named.
  private static func expressionContent(_ value: JSONValue) -> [InvariantFinding] {
    Invariants.unless(
      value.hasElement("expression") || value.hasElement("reference"),
      "An expression must have an expression or a reference (exp-1).")
  }
}
