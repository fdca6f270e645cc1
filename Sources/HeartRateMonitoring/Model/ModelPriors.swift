// SPDX-License-Identifier: Apache-2.0

/// The assumptions of the model before it has learned anything about a person.
public struct ModelPriors: Sendable, Hashable {
  /// The variance of the effect around the agent's usual one, in bpm squared.
  public var effectVariance = 9.0
  /// The daily growth of the level's variance.
  public var drift = 0.03
  /// The chance that a day is the first without its dose.
  public var missing = 0.03
  /// The number of the person's own days with the same weight as this chance.
  public var missWeight = 40.0
  /// The chance of falling ill in a day.
  public var falling = 0.008
  /// The chance of recovering in a day.
  public var recovering = 0.13
  /// The mean contribution of an illness to a day, in bpm.
  public var illMean = 5.5
  /// The variance of that contribution.
  public var illVariance = 16.0
  /// The chance of an unusual day, as after alcohol.
  public var outlierChance = 0.05
  /// The mean contribution of such a day, in bpm.
  public var outlierMean = 3.5
  /// The additional variance compared with a usual day.
  public var outlierVariance = 6.0
  /// The variance of the loss after a missed dose, in bpm squared: kinetics differ between people.
  public var lossDoubt = 1.5
  /// The variance of usual days.
  public var dayVariance = 4.8
  /// The number of the person's own days with the same weight as this variance.
  public var dayWeight = 14.0

  /// Creates the priors with which the thresholds were measured.
  public init() {}
}
