// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

/// Converts FHIR dosages to text in a person's language.
public enum DosageWriter {
  /// Returns the instructions of a prescription as sentences.
  ///
  /// Never fails: it lists what it cannot express, and says if a dosage cannot be expressed safely. Dosages
  /// follow the order of `sequence`; those with an equal number or none run together.
  public static func sentence(
    for dosages: [DosageView], language: Language
  ) -> DosageSentence {
    sentence(
      for: dosages, form: .patient, language: SentenceLanguage(language), mayLackUnit: true)
  }

  /// Returns the instructions of a prescription in a form and language; a dose without a unit is refused.
  public static func sentence(
    for dosages: [DosageView], form: DosageForm, language: SentenceLanguage
  ) -> DosageSentence {
    sentence(for: dosages, form: form, language: language, mayLackUnit: false)
  }

  private static func sentence(
    for dosages: [DosageView], form: DosageForm, language: SentenceLanguage, mayLackUnit: Bool
  ) -> DosageSentence {
    let localizer = SentenceLocalizer.of(language)
    if form != .patient, let scheme = DayScheme(dosages, localizer) {
      return DosageSentence(text: scheme.text, unvoiced: scheme.unvoiced)
    }
    var said = Said()
    let combinations =
      form == .short ? [] : CombinedDosages.found(in: dosages, localizer: localizer)
    for (index, dosage) in dosages.enumerated() {
      let prefix = dosages.count > 1 ? "dosage[\(index)]." : ""
      var phrasing = DosagePhrasing(dosage, localizer)
      phrasing.mayLackUnit = mayLackUnit
      let combination = combinations.first { $0.members.contains(index) }
      phrasing.combined = combination?.amounts
      let text: String
      do throws(DosageRefusal) {
        text = try written(&phrasing, form)
      } catch {
        said.refusals.append(error.inside(prefix))
        phrasing = DosagePhrasing(dosage, localizer)
        text = refused(&phrasing, form)
      }
      if combination.map({ $0.members.first == index }) ?? true {
        said.steps.append((dosage.sequence, text))
      }
      said.unvoiced += phrasing.elements.unvoiced.map { prefix + $0 }
      if let text = dosage.text {
        said.mismatches += TextComparison.differences(in: text, from: dosage)
          .map { "\(prefix)text: \($0)" }
      }
    }
    return DosageSentence(
      text: said.text(form, localizer), unvoiced: said.unvoiced, mismatches: said.mismatches,
      refusals: said.refusals)
  }

  /// Returns the instructions, or throws the reason why they are not converted.
  public static func checkedSentence(
    for dosages: [DosageView], form: DosageForm, language: SentenceLanguage
  ) throws(DosageRefusal) -> DosageSentence {
    let sentence = sentence(for: dosages, form: form, language: language)
    if let refusal = sentence.refusals.first { throw refusal }
    return sentence
  }

  /// Returns the amount and the times for a list, such as `1 tablet · 08:00, 20:00`; the sender's text if
  /// nothing is structured.
  public static func short(for dosages: [DosageView], language: Language) -> String {
    sentence(
      for: dosages, form: .short, language: SentenceLanguage(language), mayLackUnit: true
    ).text
  }

  private static func written(
    _ phrasing: inout DosagePhrasing, _ form: DosageForm
  ) throws(DosageRefusal) -> String {
    if phrasing.dosage.json.object == nil { throw DosageRefusal("dosage", .notAnObject) }
    let text =
      switch form {
      case .patient: try phrasing.sentence()
      case .short: try phrasing.short()
      case .clinical: try phrasing.clinical()
      }
    if DigitCheck.isAmbiguous(text) { throw DosageRefusal("dosage", .ambiguousDigits) }
    return text
  }

  /// Returns the text for a dosage that is not converted: that it is not, and the sender's own text.
  private static func refused(_ phrasing: inout DosagePhrasing, _ form: DosageForm) -> String {
    if form == .short { return phrasing.dosage.text ?? "" }
    return
      ([phrasing.localizer.text("dosage.not-in-words")]
      + phrasing.theSendersWords(areRepeated: false))
      .joined(separator: " ")
  }
}

/// The combined text of several dosages.
private struct Said {
  var steps: [(sequence: Int?, text: String)] = []
  var unvoiced: [String] = []
  var mismatches: [String] = []
  var refusals: [DosageRefusal] = []

  /// The short text, with a semicolon between dosages that run together and an arrow between steps.
  private var shortText: String {
    let lowest = steps.compactMap(\.sequence).min() ?? 0
    return Dictionary(grouping: steps.filter { !$0.text.isEmpty }) { $0.sequence ?? lowest }
      .sorted { $0.key < $1.key }
      .map { $0.value.map(\.text).joined(separator: "; ") }
      .joined(separator: " → ")
  }

  func text(_ form: DosageForm, _ localizer: SentenceLocalizer) -> String {
    if form == .short { return shortText }
    guard let only = steps.first else { return localizer.text("dosage.nothing") }
    if steps.count == 1 { return only.text }
    // Sentences already end with a period.
    let gap = form == .clinical ? "; " : " "
    // A dosage without a number belongs to the first step.
    let lowest = steps.compactMap(\.sequence).min() ?? 0
    let groups = Dictionary(grouping: steps) { $0.sequence ?? lowest }
      .sorted { $0.key < $1.key }
      .map { group in
        group.value.map(\.text).reduce("") { text, next in
          text.isEmpty
            ? next : text + gap + localizer.text("dosage.also", ["sentence": .text(next)])
        }
      }
    if groups.count == 1 { return groups[0] }
    return groups.enumerated().map { index, group in
      index == 0
        ? localizer.text("dosage.first", ["sentence": .text(group)])
        : localizer.text("dosage.then", ["sentence": .text(group)])
    }
    .joined(separator: gap)
  }
}

/// Finds numbers directly after one another, which could be read as one.
enum DigitCheck {
  /// Returns true if only spaces separate two numbers, outside the sender's text.
  static func isAmbiguous(_ text: String) -> Bool {
    var isAfterDigit = false
    var hasSpace = false
    for byte in text.utf8 {
      if (0x30...0x39).contains(byte) {
        if hasSpace { return true }
        isAfterDigit = true
      } else if byte == 0x20, isAfterDigit {
        hasSpace = true
      } else {
        isAfterDigit = false
        hasSpace = false
      }
    }
    return false
  }
}
