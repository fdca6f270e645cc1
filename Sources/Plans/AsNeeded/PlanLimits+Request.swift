// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation

extension PlanLimits {
  /// The extension of a Dosage with the limits that FHIR has no element for; see docs/plans.md.
  package static let url = "urn:regimen:limits"
  /// The parts of the extension: doses in 24 hours, and days in a calendar month.
  static let countPart = "doses-per-day"
  static let daysPart = "days-per-month"
  static let day: Int64 = 24 * 3_600_000

  /// Reads the limits that a request states.
  ///
  /// The timing of an as-needed dosage is a limit (timing rule 31): "every 6 hours" is the least
  /// time between two intakes, "4 times a day" the most in any 24 hours.
  package init(_ request: MedicationRequestView) {
    self.init()
    let dosages = request.dosages
    dose = dosages.lazy.compactMap(TimingReader.amount).first
    strength = Strength(request)
    for dosage in dosages {
      if dosage.asNeeded { take(dosage.timing) }
      takeMaximum(dosage)
      takeExtension(dosage)
    }
  }

  private mutating func take(_ timing: TimingView?) {
    guard let timing else { return }
    guard let (times, length) = Self.often(timing) else { return }
    if times == 1, length < Self.day {
      gap = max(gap ?? 0, length)
    } else {
      counts.append(Count(most: times, milliseconds: length))
    }
  }

  /// Returns the frequency, with the period in milliseconds; nil if the Timing states none that can be
  /// counted.
  private static func often(_ timing: TimingView) -> (times: Int, milliseconds: Int64)? {
    if let period = timing.period, let unit = timing.periodUnit.flatMap({ lengths[$0] }) {
      let times = timing.frequencyMax ?? timing.frequency ?? 1
      let length = NSDecimalNumber(decimal: period * Decimal(unit)).int64Value
      return times > 0 && times <= 100 && length > 0 && length <= 366 * day ? (times, length) : nil
    }
    for code in timing.codes {
      if let found = codes[code.code] { return found }
    }
    return nil
  }

  private static let lengths: [String: Int64] = [
    "s": 1_000, "min": 60_000, "h": 3_600_000, "d": day, "wk": 7 * day,
  ]
  private static let codes: [String: (times: Int, milliseconds: Int64)] = [
    "QD": (1, day), "BID": (2, day), "TID": (3, day), "QID": (4, day), "QOD": (1, 2 * day),
    "Q1H": (1, 3_600_000), "Q2H": (1, 2 * 3_600_000), "Q3H": (1, 3 * 3_600_000),
    "Q4H": (1, 4 * 3_600_000), "Q6H": (1, 6 * 3_600_000), "Q8H": (1, 8 * 3_600_000),
  ]

  private mutating func takeMaximum(_ dosage: DosageView) {
    guard let element = dosage.json["maxDosePerPeriod"] else { return }
    // R4 allows one ratio, R5 several.
    for ratio in element.array ?? [element] {
      guard let most = ratio["numerator"].map(QuantityView.init), let value = most.valueText,
        Amount.decimal(value) != nil,
        let length = Self.length(ratio["denominator"].map(QuantityView.init))
      else { continue }
      let limit = Quantity(
        value: value, unit: most.unit ?? most.code ?? "", code: most.code, milliseconds: length)
      if !amounts.contains(limit) { amounts.append(limit) }
    }
  }

  /// Returns the length in milliseconds; nil for a unit without a fixed length.
  static func length(_ quantity: QuantityView?) -> Int64? {
    guard let quantity, let value = quantity.value, value > 0,
      let unit = (quantity.code ?? quantity.unit).flatMap({ units[$0] })
    else { return nil }
    let length = NSDecimalNumber(decimal: value * Decimal(unit)).int64Value
    return length > 0 && length <= 366 * day ? length : nil
  }

  private static let units: [String: Int64] = lengths.merging([
    "hour": 3_600_000, "hours": 3_600_000, "day": day, "days": day, "week": 7 * day,
    "weeks": 7 * day,
  ]) { first, _ in first }

  private mutating func takeExtension(_ dosage: DosageView) {
    for part in Self.parts(of: dosage.json) {
      guard let number = part["valuePositiveInt"]?.number?.decimal,
        number >= 1, number <= 1_000
      else { continue }
      let most = NSDecimalNumber(decimal: number).intValue
      switch part["url"]?.string {
      case Self.countPart: counts.append(Count(most: most, milliseconds: Self.day))
      case Self.daysPart: days = min(days ?? most, most)
      default: break
      }
    }
    // A limit stated both in the Timing and in the extension counts once.
    var seen: Set<Count> = []
    counts = counts.filter { seen.insert($0).inserted }
  }

  /// Returns a dosage without the extension, for sentences that need not say it.
  package static func withoutExtension(_ dosage: DosageView) -> DosageView {
    guard let extensions = dosage.json["extension"]?.array else { return dosage }
    var json = dosage.json
    let others = extensions.filter { $0["url"]?.string != url }
    json["extension"] = others.isEmpty ? nil : .array(others)
    return DosageView(json)
  }

  static func parts(of dosage: JSONValue) -> [JSONValue] {
    let own = dosage["extension"]?.array?.first { $0["url"]?.string == url }
    return own?["extension"]?.array ?? []
  }
}

extension PlanLimits.Strength {
  /// The strength of the medicine where it states exactly one.
  init?(_ request: MedicationRequestView) {
    let ingredients = request.medication.contained?["ingredient"]?.array ?? []
    guard ingredients.count == 1, let strength = ingredients.first?["strength"],
      let held = strength["numerator"].map(QuantityView.init), let value = held.valueText,
      let per = strength["denominator"].map(QuantityView.init), let perValue = per.valueText
    else { return nil }
    self.init(
      value: value, unit: held.unit ?? held.code ?? "", code: held.code, perValue: perValue,
      perUnit: per.unit ?? per.code ?? "", perCode: per.code)
  }
}
