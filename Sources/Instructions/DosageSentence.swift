// SPDX-License-Identifier: Apache-2.0

/// A dosage as text for people, with the parts that it leaves out.
public struct DosageSentence: Sendable, Hashable {
  /// One or more sentences in the requested language; quoted parts are the sender's own text.
  public let text: String
  /// The present elements that the text does not express, as paths relative to the dosage, such as
  /// `timing.repeat.countMax`; with several dosages `dosage[1].timing.repeat.countMax`.
  public let unvoiced: [String]
  /// The numbers and times in the sender's own text that its elements do not state, each with the path of the
  /// text, such as `text: 4`.
  public let mismatches: [String]
  /// The reasons why dosages were not converted; the text then says that they were not.
  public let refusals: [DosageRefusal]

  /// Creates a sentence from its parts.
  public init(
    text: String, unvoiced: [String], mismatches: [String] = [], refusals: [DosageRefusal] = []
  ) {
    self.text = text
    self.unvoiced = unvoiced
    self.mismatches = mismatches
    self.refusals = refusals
  }
}
