// SPDX-License-Identifier: Apache-2.0

/// The assumptions of the model before it has learned anything about a person.
public struct ModelPriors: Sendable, Hashable {
  /// The standard deviation of the effect as a share of the agent's usual one.
  public var effectSpread = 0.35
  /// The share of people whose heart barely reacts.
  public var unmoved = 0.1
  /// The shares of people who eliminate the medicine slowly and fast.
  public var slow = 0.2
  /// The daily growth of the level's variance.
  public var drift = 0.03
  /// The chance that a day is the first without its dose.
  public var missing = 0.03
  /// The number of the person's own days with the same weight as this chance.
  public var missWeight = 40.0
  /// The chance of falling ill in a day, or of another reason that lasts for days.
  public var falling = 0.01
  /// The chance of recovering in a day.
  public var recovering = 0.13
  /// The mean contribution of an illness, in bpm.
  public var illMean = 5.0
  /// The variance of that contribution.
  public var illVariance = 16.0
  /// The share of that contribution that lasts to the next day.
  public var illKeep = 0.85
  /// The chance of a lasting change of the level in a day: another firmware, wrist or medicine.
  public var moving = 0.002
  /// The variance of such a change, in bpm squared.
  public var moveVariance = 16.0
  /// The chance, each day after it, that a change is accepted as the new level.
  public var settling = 0.12
  /// The chance of an unusual day, as after alcohol.
  public var outlierChance = 0.05
  /// The mean contribution of such a day, in bpm.
  public var outlierMean = 3.5
  /// The variance of that contribution.
  public var outlierVariance = 6.0
  /// The chance of a day with three times the usual noise.
  public var wildChance = 0.03
  /// The variance of the loss after a missed dose, in bpm squared: kinetics differ between people.
  public var lossDoubt = 1.0
  /// The variance of usual days.
  public var dayVariance = 3.8
  /// The number of the person's own days with the same weight as this variance.
  public var dayWeight = 14.0
  /// The share of a usual day's residual that lasts to the next day.
  public var keep = 0.0
  /// The number of the person's own days with the same weight as this share.
  public var keepWeight = 10000.0

  public var hourWeight = 6.0
  public var weekdayWeight = 8.0
  public var clip = 2.5
  public var partMode = 0.0
  public var trustLevel = 0.3
  public var countBack = 1.0
  public var valueLong = 3.0

  /// Creates the priors with which the thresholds were measured.
  public init() {}
}
