// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// The text of the entries of `doseAndRate`.
struct DosePhrase {
  /// The amount taken each time.
  var amount: String?
  /// The unit; nil if it is the sender's own word.
  var unit: DoseUnit?
  /// True for one application or injection.
  var isOneUse = false
  /// The rate, such as `at a rate of 100 mL per hour`.
  var rate: String?
  /// Doses of another type, each as a sentence.
  var notes: [String] = []
}

extension DosagePhrasing {
  private enum Kind: String {
    case ordered, calculated
  }

  /// Returns the dose and the rate as text.
  mutating func dosePhrase() throws(DosageRefusal) -> DosePhrase {
    guard let entries = dosage.json["doseAndRate"]?.array else { return DosePhrase() }
    var result = DosePhrase()
    var doses: [Kind?] = []
    var rates: [Kind?] = []
    for (index, entry) in entries.enumerated() {
      let path = index == 0 ? "doseAndRate" : "doseAndRate[\(index)]"
      let kind = Self.kind(entry)
      if let (amount, unit, isOneUse) = try dose(entry, path, index) {
        if result.amount == nil {
          (result.amount, result.unit, result.isOneUse) = (amount, unit, isOneUse)
        } else {
          // Only its type distinguishes a second dose.
          guard let kind, !doses.contains(kind) else { throw DosageRefusal(path, .severalDoses) }
          elements.voice(.doseAndRate(index), "type")
          result.notes.append(
            localizer.text(
              "dosage.dose-of-kind", ["kind": .text(kind.rawValue), "amount": .text(amount)]))
        }
        doses.append(kind)
      }
      if let rate = try rate(entry, path, index) {
        if result.rate == nil {
          result.rate = rate
        } else {
          guard let kind, !rates.contains(kind) else { throw DosageRefusal(path, .severalDoses) }
          elements.voice(.doseAndRate(index), "type")
          result.notes.append(
            localizer.text(
              "dosage.dose-of-kind", ["kind": .text(kind.rawValue), "amount": .text(rate)]))
        }
        rates.append(kind)
      }
    }
    return result
  }

  private var unitIfNone: StatedUnit? { mayLackUnit ? .unstated : nil }

  private static func kind(_ entry: JSONValue) -> Kind? {
    let codings = entry["type"]?["coding"]?.array ?? []
    return codings.lazy.compactMap { $0["code"]?.string.flatMap(Kind.init) }.first
  }

  /// Returns the dose, its unit, and true for one application or injection.
  private mutating func dose(
    _ entry: JSONValue, _ path: String, _ index: Int
  ) throws(DosageRefusal) -> (String, DoseUnit?, Bool)? {
    if let json = entry["doseQuantity"] {
      let quantity = try StatedQuantity(json, path, in: "doseQuantity", unit: unitIfNone)
      elements.voice(.doseAndRate(index), "doseQuantity")
      return (words(quantity), quantity.unit.doseUnit, quantity.isOneUse)
    }
    guard let json = entry["doseRange"] else { return nil }
    let range = try StatedRange(json, path, in: "doseRange", unit: unitIfNone)
    elements.voice(.doseAndRate(index), "doseRange")
    return (words(range), (range.high ?? range.low)?.unit.doseUnit, false)
  }

  private mutating func rate(
    _ entry: JSONValue, _ path: String, _ index: Int
  ) throws(DosageRefusal) -> String? {
    if let json = entry["rateRatio"] {
      let ratio = try ratio(json, path + ".rateRatio")
      elements.voice(.doseAndRate(index), "rateRatio")
      return localizer.text("dosage.rate", ["amount": .text(ratio), "kind": "one"])
    }
    if let json = entry["rateQuantity"] {
      let quantity = try StatedQuantity(json, path, in: "rateQuantity")
      elements.voice(.doseAndRate(index), "rateQuantity")
      return rate(words(quantity), quantity.unit, "one")
    }
    guard let json = entry["rateRange"] else { return nil }
    let range = try StatedRange(json, path, in: "rateRange")
    elements.voice(.doseAndRate(index), "rateRange")
    let hasBothEnds = range.low != nil && range.high != nil
    return rate(
      words(range), (range.high ?? range.low)?.unit, hasBothEnds ? range.kind : "bound")
  }

  /// Returns a rate as text; one that is a length of time is the duration of one administration.
  private func rate(_ words: String, _ unit: StatedUnit?, _ kind: String) -> String {
    if case .time? = unit { return localizer.text("dosage.over", ["span": .text(words)]) }
    return localizer.text("dosage.rate", ["amount": .text(words), "kind": .text(kind)])
  }

  /// Returns a ratio such as `4 tablets in 24 hours` or `2 mg in 5 mL`.
  func ratio(_ json: JSONValue, _ path: String) throws(DosageRefusal) -> String {
    guard let numerator = json["numerator"] else { throw DosageRefusal(path, .noValue) }
    let amount = words(try StatedQuantity(numerator, path))
    guard let below = json["denominator"] else { throw DosageRefusal(path, .noDenominator) }
    let denominator = try StatedQuantity(below, path)
    if case .time(let unit) = denominator.unit {
      return amountWithin(amount, denominator.number, unit)
    }
    return localizer.text(
      "dosage.amount-for", ["amount": .text(amount), "other": .text(words(denominator))])
  }
}
