// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// Says FHIR dosages in a person's language.
///
/// Never fails: what it cannot say it lists.
public enum DosageWriter {
  /// The instructions of a prescription as sentences.
  ///
  /// Dosages run in the order of `sequence`; those with an equal number or none run together.
  public static func sentence(
    for dosages: [DosageView], language: Language
  ) -> DosageSentence {
    let localizer = Localizer.of(language)
    guard !dosages.isEmpty else {
      return DosageSentence(text: localizer.text("dosage.nothing"), unvoiced: [])
    }
    var unvoiced: [String] = []
    var written: [(sequence: Int?, text: String)] = []
    for (index, dosage) in dosages.enumerated() {
      var phrasing = DosagePhrasing(dosage, localizer)
      written.append((dosage.sequence, phrasing.sentence()))
      let prefix = dosages.count > 1 ? "dosage[\(index)]." : ""
      unvoiced += phrasing.elements.unvoiced.map { prefix + $0 }
    }
    let steps = inSequence(written)
    let text = steps.enumerated().map { index, step in
      guard steps.count > 1 else { return step }
      return index == 0
        ? localizer.text("dosage.first", ["sentence": .text(step)])
        : localizer.text("dosage.then", ["sentence": .text(step)])
    }
    return DosageSentence(text: text.joined(separator: " "), unvoiced: unvoiced)
  }

  /// The amount and the times for a list, `1 tablet · 08:00, 20:00`; the sender's text where there is
  /// nothing structured to say.
  public static func short(for dosages: [DosageView], language: Language) -> String {
    let localizer = Localizer.of(language)
    return dosages.map { dosage in
      var phrasing = DosagePhrasing(dosage, localizer)
      return phrasing.short()
    }
    .filter { !$0.isEmpty }
    .joined(separator: "; ")
  }

  /// The sentences of each step; a dosage without a number belongs to the first step.
  private static func inSequence(_ written: [(sequence: Int?, text: String)]) -> [String] {
    let lowest = written.compactMap(\.sequence).min() ?? 0
    return Dictionary(grouping: written) { $0.sequence ?? lowest }
      .sorted { $0.key < $1.key }
      .map { step in step.value.map(\.text).joined(separator: " ") }
  }
}
