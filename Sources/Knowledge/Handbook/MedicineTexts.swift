// SPDX-License-Identifier: Apache-2.0
import Localization

extension Handbook {
  /// Returns the usage of a medicine, sentence by sentence.
  public func usage(of medicine: CatalogueMedicine, in language: Language) -> [String] {
    medicine.usagePhrases.map { phrases.text($0, in: language) }
  }

  /// Returns the cautions for a medicine.
  public func cautions(of medicine: CatalogueMedicine, in language: Language) -> [String] {
    medicine.cautionPhrases.map { phrases.text($0, in: language) }
  }

  /// Returns the shelf life of an opened medicine, by its form; the label takes precedence.
  public func storage(of medicine: CatalogueMedicine) -> [Statement] {
    let forms = medicine.forms.lowercased()
    func has(_ words: String...) -> Bool { words.contains { forms.contains($0) } }
    var ids: [String] = []
    if medicine.atc.hasPrefix("S") { ids.append("keep-eye") }
    if medicine.atc.hasPrefix("A10A") { ids.append("keep-insulin") }
    if medicine.atc.hasPrefix("D") || has("cream", "oint", "lotion") { ids.append("keep-cream") }
    if has("tab", "cap", "sr ", "er ", "mr ") { ids += ["keep-blister", "keep-loose"] }
    if has("susp", "syrup", "solution", "elixir") { ids.append("keep-liquid") }
    let general = (ids + ["keep-place", "dispose"]).map { "giving-medicine.\($0)" }
    let own = ["amoxicillin", "clavulanic acid", "azithromycin", "clarithromycin"]
      .filter { medicine.ingredients.contains($0) }
      .map { $0 == "clavulanic acid" ? "clavulanate" : $0 }
    // With clavulanic acid its shorter limit applies, not that of amoxicillin alone.
    let made = own.contains("clavulanate") ? ["clavulanate"] : own
    return (made.map { "antibiotics.storage-\($0)" } + general).compactMap { statement($0) }
  }
}
