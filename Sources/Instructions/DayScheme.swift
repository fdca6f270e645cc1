// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// The form 1-0-1-0 of German prescriptions: morning, noon, evening, night.
///
/// Used only if it expresses everything in the dosages: each is taken at these times every day, all have the
/// same unit, and nothing else is stated except for the sender's text.
struct DayScheme {
  let text: String
  let unvoiced: [String]

  private static let places = ["MORN", "NOON", "EVE", "NIGHT"]

  init?(_ dosages: [DosageView], _ localizer: SentenceLocalizer) {
    guard localizer.spoken == .de, !dosages.isEmpty else { return nil }
    var amounts: [PlainNumber?] = [nil, nil, nil, nil]
    var unit: StatedUnit?
    var unvoiced: [String] = []
    for (index, dosage) in dosages.enumerated() {
      guard let part = Self.part(dosage), unit == nil || part.quantity.unit == unit else {
        return nil
      }
      unit = part.quantity.unit
      for place in part.places {
        if amounts[place] != nil { return nil }
        amounts[place] = part.quantity.number
      }
      if dosage.text != nil {
        unvoiced.append(dosages.count > 1 ? "dosage[\(index)].text" : "text")
      }
    }
    guard let words = Self.words(unit, amounts, localizer) else { return nil }
    let scheme = amounts.map { localizer.number($0 ?? PlainNumber(0)) }.joined(separator: "-")
    text = localizer.text("dosage.amount-plain", ["value": .text(scheme), "unit": .text(words)])
    self.unvoiced = unvoiced
  }

  private static func part(
    _ dosage: DosageView
  ) -> (quantity: StatedQuantity, places: [Int])? {
    let known: Set<String> = ["id", "text", "timing", "doseAndRate"]
    guard dosage.presentElements.allSatisfy(known.contains), let timing = dosage.timing,
      timing.presentElements == ["repeat"], !timing.hasExtensions,
      timing.presentRepeatElements.allSatisfy(
        ["when", "frequency", "period", "periodUnit"].contains),
      dosage.doseAndRateCount == 1, let entry = dosage.json["doseAndRate"]?[0],
      entry.object?.keys == ["doseQuantity"], let json = entry["doseQuantity"],
      let quantity = try? StatedQuantity(json, ""), quantity.comparator == nil,
      dosage.text.map({ TextComparison.differences(in: $0, from: dosage).isEmpty }) ?? true
    else { return nil }
    let found = timing.when.compactMap { places.firstIndex(of: $0) }
    let isDaily =
      timing.repeatObject?["period"] == nil && timing.periodUnit == nil
      || timing.repeatObject?.exact("period") == PlainNumber(1) && timing.periodUnit == "d"
    guard !found.isEmpty, found.count == timing.when.count, Set(found).count == found.count,
      isDaily,
      timing.frequency == nil || timing.frequency == found.count
    else { return nil }
    return (quantity, found)
  }

  /// Returns the unit as it follows a scheme: `Tabletten`, also for one.
  private static func words(
    _ unit: StatedUnit?, _ amounts: [PlainNumber?], _ localizer: SentenceLocalizer
  ) -> String? {
    switch unit {
    case .known(let unit):
      let several = localizer.amount(PlainNumber(7), unit)
      return several.hasPrefix("7 ") ? String(several.dropFirst(2)) : nil
    case .word(let word):
      return word.utf8.first.map { (0x30...0x39).contains($0) } == true ? nil : word
    case .time, .compound, .unstated, nil: return nil
    }
  }
}
