// SPDX-License-Identifier: Apache-2.0
import FHIR
import Foundation
import Localization

/// How much is taken each time.
struct Amount {
  let text: String
  /// Nil where the unit is the sender's own word.
  let unit: DoseUnit?
}

extension DosagePhrasing {
  /// The dose quantity in words; nil when there is none that can be said.
  mutating func amountPhrase() -> Amount? {
    // A quantity in a later entry than the first could be a dose of another type: it stays unsaid.
    guard let quantity = dosage.json["doseAndRate"]?[0]?["doseQuantity"].map(QuantityView.init),
      let value = quantity.value, value.isFinite
    else { return nil }
    let unit = DoseUnit(code: quantity.code, text: quantity.unit)
    let text: String
    if let unit {
      text = localizer.amount(value, unit)
    } else if let word = quantity.unit ?? quantity.code {
      text = localizer.text(
        "dosage.amount-plain", ["value": .decimal(value), "unit": .text(word)])
    } else {
      text = localizer.number(value)
    }
    elements.voice("doseAndRate.doseQuantity")
    guard let comparator = quantity.comparator else { return Amount(text: text, unit: unit) }
    let compared = localizer.text(
      "dosage.comparison", ["comparator": .text(comparator), "amount": .text(text)])
    return Amount(text: compared, unit: unit)
  }
}
