// SPDX-License-Identifier: Apache-2.0

import FHIR
import Foundation
import Localization
import People
import Scheduling

extension DraftLimits {
  /// The limits of a dosage in the form's terms.
  ///
  /// - Parameter reading: nil if an as-needed Timing contains something that the form cannot express.
  init?(_ dosage: DosageView, unit: DoseUnit) {
    self.init()
    if let most = Self.stated(dosage.json["maxDosePerPeriod"], unit: unit) { amount = most }
    for part in PlanLimits.parts(of: dosage.json) {
      let number = part["valuePositiveInt"]?.number?.decimal
      let most = number.map { NSDecimalNumber(decimal: $0).intValue }
      switch part["url"]?.string {
      case PlanLimits.countPart: count = most
      case PlanLimits.daysPart: days = most
      default: break
      }
    }
    guard dosage.asNeeded, let timing = dosage.timing else { return }
    let known: Set<String> = ["boundsPeriod", "frequency", "period", "periodUnit"]
    guard Set(timing.presentRepeatElements).isSubset(of: known), timing.events.isEmpty,
      timing.json["code"] == nil, !timing.hasExtensions
    else { return nil }
    guard let period = timing.period.flatMap({ TimingNumber.whole($0) }) else { return }
    switch (timing.frequency ?? 1, period, timing.periodUnit) {
    case (1, 1..<24, "h"): gapHours = period
    case (let times, 1, "d"), (let times, 24, "h"): count = min(count ?? times, times)
    default: return nil
    }
  }

  /// Returns the maximum amount in 24 hours that an element states in the form's terms; nil for anything
  /// else.
  private static func stated(_ element: JSONValue?, unit: DoseUnit) -> String? {
    guard let most = element?["numerator"].map(QuantityView.init), let value = most.valueText,
      DraftText.decimal(value) == value, DoseUnit(code: most.code, text: most.unit) == unit,
      PlanLimits.length(element?["denominator"].map(QuantityView.init)) == PlanLimits.day
    else { return nil }
    return value
  }

  /// Writes the maximum and the extension; parts that the form cannot express stay as the sender wrote them.
  func write(into dosage: inout JSONValue, unit: String, isAsNeeded: Bool) {
    let known = DoseUnit(rawValue: unit)
    let typed = amount.flatMap { DraftText.decimal($0) }
    let old = dosage["maxDosePerPeriod"]
    if let typed {
      let kept = known.flatMap { Self.stated(old, unit: $0) }
      if kept != typed {
        dosage["maxDosePerPeriod"] = [
          "numerator": PlanDraft.quantity(typed, unit: unit, code: known?.ucumCode),
          "denominator": PlanDraft.quantity("24", unit: "h", code: "h"),
        ]
      }
    } else if let known, Self.stated(old, unit: known) != nil {
      dosage["maxDosePerPeriod"] = nil
    }
    var parts: [JSONValue] = []
    func add(_ name: String, _ number: Int?) {
      guard isAsNeeded, let number else { return }
      parts.append(["url": .string(name), "valuePositiveInt": .number(JSONNumber(number))])
    }
    add(PlanLimits.countPart, count)
    add(PlanLimits.daysPart, days)
    var others = (dosage["extension"]?.array ?? []).filter {
      $0["url"]?.string != PlanLimits.url
    }
    if !parts.isEmpty {
      others.append(["url": .string(PlanLimits.url), "extension": .array(parts)])
    }
    dosage["extension"] = others.isEmpty ? nil : .array(others)
  }
}
