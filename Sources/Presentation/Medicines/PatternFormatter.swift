// SPDX-License-Identifier: Apache-2.0

import FHIR
import Localization
import Plans
import Scheduling

/// Formats what our own extensions add to a dosage.
struct PatternFormatter: Sendable {
  let localizer: Localizer

  /// Returns a sentence for each addition that the dosage sentence lacks.
  func lines(of request: MedicationRequestView) -> [String] {
    var lines: [String] = []
    for dosage in request.dosages {
      if let mix = mix(dosage), !lines.contains(mix) { lines.append(mix) }
      if let spread = StatedSpread(dosage) {
        lines.append(
          localizer.text(
            "patterns.spread",
            [
              "count": .number(spread.count), "hours": .number(spread.gapHours),
              "from": .text(clock(spread.window.from)), "until": .text(clock(spread.window.until)),
            ]))
      }
      if let stated = AfterIntake(dosage) {
        lines.append(localizer.text("patterns.after-intake"))
        if let waking = stated.waking {
          lines.append(
            localizer.text(
              "patterns.waking",
              ["from": .text(clock(waking.from)), "until": .text(clock(waking.until))]))
        }
      }
    }
    return lines
  }

  /// Returns the tablets of a dose, `7.5 mg: 1 × 5 mg + 1 × 2.5 mg`.
  private func mix(_ dosage: DosageView) -> String? {
    guard let mix = DoseMix(dosage), let quantity = dosage.doseQuantity,
      let value = quantity.valueText,
      let amount = Amount(value: value, unit: quantity.unit ?? "", code: quantity.code)
    else { return nil }
    let unit = UnitAnnotation.word(quantity.code ?? quantity.unit ?? "")
    return localizer.text(
      "patterns.mix",
      [
        "amount": .text(MedicineFormatter(localizer: localizer).amount(amount)),
        "parts": .text(mix.words(localizer, unit: unit)),
      ])
  }

  private func clock(_ time: ClockTime) -> String {
    localizer.time(hour: time.hour, minute: time.minute)
  }
}
