// SPDX-License-Identifier: Apache-2.0

/// The assumptions of the model before it has learned anything about a person.
public struct ModelPriors: Sendable, Hashable {
  /// The standard deviation of the effect as a share of the agent's usual one.
  public var effectSpread = 0.35
  /// The share of people whose heart barely reacts.
  public var unmoved = 0.1
  /// The probability of that from which the person is told.
  public var unmovedLimit = 0.3
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
  public var moving = 0.0005
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
  /// The worth of a question about two missed doses or more, compared with one about a single dose.
  public var longValue = 3.0
  /// The probability of another cause from which nothing is asked.
  public var causeLimit = 0.7

  /// The logarithm of the odds that each question answered with "taken" adds to the next ones.
  public var caution = 0.5
  /// The share of that caution that lasts to the next day: half is left after about three weeks.
  public var cautionKeep = 0.97
  /// The logarithm of the odds that questions need more if the heart hardly reacts.
  public var unmovedCaution = 0.7

  /// Creates the priors with which the thresholds were measured.
  public init() {}
}
