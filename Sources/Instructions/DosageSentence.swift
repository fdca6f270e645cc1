// SPDX-License-Identifier: Apache-2.0

/// A dosage as a person reads it, with the parts that it leaves out.
public struct DosageSentence: Sendable, Hashable {
  /// One or more sentences in the language asked for; quoted parts are the sender's own words.
  public let text: String
  /// The elements that are present and that the text does not say, as paths relative to the dosage,
  /// `timing.repeat.countMax`; with several dosages `dosage[1].timing.repeat.countMax`.
  public let unvoiced: [String]
  /// The numbers and times in the sender's own text that its elements do not state, each with the path
  /// of the text: `text: 4`.
  public let mismatches: [String]
  /// Why dosages were not put into words; the text then says that they were not.
  public let refusals: [DosageRefusal]

  /// Makes a sentence from its parts.
  public init(
    text: String, unvoiced: [String], mismatches: [String] = [], refusals: [DosageRefusal] = []
  ) {
    self.text = text
    self.unvoiced = unvoiced
    self.mismatches = mismatches
    self.refusals = refusals
  }
}
