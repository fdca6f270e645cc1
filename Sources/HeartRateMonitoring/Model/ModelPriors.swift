// SPDX-License-Identifier: Apache-2.0

/// What the model takes for granted before it has learned anything of a person.
public struct ModelPriors: Sendable, Hashable {
  /// Variance of the effect around the agent's usual one, in bpm squared.
  public var effectVariance = 9.0
  /// By how much the level's variance grows in a day.
  public var drift = 0.03
  /// The chance of a day to be the first without its dose.
  public var missing = 0.03
  /// How many of the person's own days weigh as much as this chance.
  public var missWeight = 40.0
  /// The chance of falling ill in a day.
  public var falling = 0.008
  /// The chance of recovering in a day.
  public var recovering = 0.13
  /// What an illness adds to a day, in bpm.
  public var illMean = 5.5
  /// Its variance.
  public var illVariance = 16.0
  /// The chance of a day that differs by itself, as after alcohol.
  public var outlierChance = 0.05
  /// What such a day adds, in bpm.
  public var outlierMean = 3.5
  /// What its variance has more than that of a usual day.
  public var outlierVariance = 6.0
  /// Of what a missed dose takes away, in bpm squared: kinetics differ between people.
  public var lossDoubt = 1.5
  /// The variance of usual days.
  public var dayVariance = 4.8
  /// How many days of the person's own weigh as much as this.
  public var dayWeight = 14.0

  /// Those that the thresholds were measured with.
  public init() {}
}
