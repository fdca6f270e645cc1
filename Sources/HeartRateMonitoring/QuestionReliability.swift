// SPDX-License-Identifier: Apache-2.0

/// The share of questions that were right, by the probability that the model gave for them.
///
/// Counted among simulated people of the held-out families, seeds 1 and 11, at every budget that can be chosen;
/// there is no study with patients. A question is right from the first missed day to the day after the last.
public enum QuestionReliability {
  /// A range of probabilities with its questions.
  public struct Band: Sendable, Hashable {
    /// The lowest probability, in percent.
    public let from: Int
    /// The probability up to which it reaches, in percent.
    public let to: Int
    /// The right ones among a hundred questions.
    public let real: Int
  }

  /// The ranges from 0 to 100 %.
  public static let bands: [Band] = [
    Band(from: 0, to: 20, real: 20), Band(from: 20, to: 40, real: 37),
    Band(from: 40, to: 60, real: 54), Band(from: 60, to: 80, real: 67),
    Band(from: 80, to: 100, real: 86),
  ]

  /// Returns the range of a probability from 0 to 1.
  public static func band(of probability: Double) -> Band {
    bands.last { Double($0.from) <= probability * 100 } ?? bands[0]
  }
}
