// SPDX-License-Identifier: Apache-2.0

/// A part of the day, whose readings go into the filter as one mean.
enum SamplingPeriod: Int, CaseIterable {
  case early
  case afternoon
  case late

  /// Parts split where the effect of a missed dose differs most.
  init(hour: Double) {
    self = hour < 12 ? .early : hour < 17 ? .afternoon : .late
  }
}

/// The mean of a part of the day, freed from what hour and source add.
struct PartMean {
  var value: Double
  var variance: Double
  var hour: Double
}

/// What a day's belief becomes by what was measured, if the day was of one kind (usual, an outlier, ill).
struct Branch {
  var belief: Belief
  /// What this day alone adds to the heart rate, in bpm, and its variance.
  var added: ByGap
  var addedVariance: ByGap
  /// Twice the negative logarithm of how well it fits, without the normalisation, which is `spread`.
  var misfit: ByGap = .zero
  var spread = ByGap(repeating: 1)

  init(_ belief: Belief, added: Double, variance: Double) {
    self.belief = belief
    self.added = ByGap(repeating: added)
    addedVariance = ByGap(repeating: variance)
  }

  /// Takes in the parts of a day one after the other.
  ///
  /// `losses` are in shares of the effect.
  @inline(__always)
  mutating func take(_ parts: ArraySlice<PartMean>, losses: [ByGap], doubt: Double) {
    // Of the level with the day's own part, and of the effect with it.
    var levelAdded = ByGap()
    var effectAdded = ByGap()
    for index in parts.indices {
      let part = parts[index]
      let loss = losses[index]
      let level = belief.levelVariance + loss * belief.covariance + levelAdded
      let effect = belief.covariance + loss * belief.effectVariance + effectAdded
      let day = levelAdded + loss * effectAdded + addedVariance
      let variance = level + loss * effect + day + part.variance + doubt * loss * loss
      let inverse = 1 / variance
      let surprise = part.value - belief.level - loss * belief.effect - added
      misfit += surprise * surprise * inverse
      spread *= variance
      let gain = surprise * inverse
      belief.level += level * gain
      belief.effect += effect * gain
      added += day * gain
      belief.levelVariance -= level * level * inverse
      belief.covariance -= level * effect * inverse
      belief.effectVariance -= effect * effect * inverse
      levelAdded -= level * day * inverse
      effectAdded -= effect * day * inverse
      addedVariance -= day * day * inverse
    }
  }

  /// Weighs the states by how well they fit; `least` is the smallest misfit of all branches.
  @inline(__always)
  mutating func weigh(least: Double, factor: Double) {
    belief.weight *= Exponential.of((least - misfit) * 0.5) / spread.squareRoot() * factor
  }
}
