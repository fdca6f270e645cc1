// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

extension DosagePhrasing {
  /// Returns the maximum doses, each as a phrase that cannot be mistaken for the dose, such as `no more than
  /// 4 tablets in 24 hours`.
  mutating func limitPhrases() throws(DosageRefusal) -> [String] {
    var result: [String] = []
    if let json = dosage.json["maxDosePerPeriod"] {
      // R4 has one, R5 several.
      for one in json.array ?? [json] {
        let amount = try ratio(one, "maxDosePerPeriod")
        result.append(limit(amount, "period"))
      }
      elements.voice(.dosage, "maxDosePerPeriod")
    }
    if let json = dosage.json["maxDosePerAdministration"] {
      let most = try StatedQuantity(json, "maxDosePerAdministration")
      elements.voice(.dosage, "maxDosePerAdministration")
      result.append(limit(words(most), "administration"))
      try checkDose(below: most)
    }
    if let json = dosage.json["maxDosePerLifetime"] {
      let most = try StatedQuantity(json, "maxDosePerLifetime")
      elements.voice(.dosage, "maxDosePerLifetime")
      result.append(limit(words(most), "lifetime"))
    }
    return result
  }

  private func limit(_ amount: String, _ kind: String) -> String {
    localizer.text("dosage.limit", ["kind": .text(kind), "amount": .text(amount)])
  }

  /// Throws if the dose exceeds the maximum: the two contradict each other, and neither is expressed.
  private func checkDose(below most: StatedQuantity) throws(DosageRefusal) {
    guard let json = dosage.json["doseAndRate"]?[0]?["doseQuantity"] else { return }
    let dose = try StatedQuantity(json, "doseAndRate.doseQuantity")
    if dose.unit == most.unit, most.number.isLess(than: dose.number) {
      throw DosageRefusal("maxDosePerAdministration", .belowMinimum)
    }
  }
}
