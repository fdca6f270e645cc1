// SPDX-License-Identifier: Apache-2.0
import FHIR
import Localization

extension DosageWriter {
  /// The elements of a dosage from which cautions and advice are read; a prescription without them has none.
  public static let adviceElements = [
    "additionalInstruction", "asNeededCodeableConcept", "patientInstruction",
  ]

  /// Returns the cautions and advice of a prescription, each as a sentence and only once.
  ///
  /// An example is "Take with food." Amounts and times are not repeated. Leaves out texts whose numbers could
  /// be misread.
  public static func advice(for dosages: [DosageView], language: Language) -> [String] {
    let localizer = SentenceLocalizer.of(SentenceLanguage(language))
    var said: [String] = []
    for dosage in dosages where dosage.json.object != nil {
      var phrasing = DosagePhrasing(dosage, localizer)
      for text in phrasing.quotes() where !said.contains(text) && !DigitCheck.isAmbiguous(text) {
        said.append(text)
      }
    }
    return said
  }
}
